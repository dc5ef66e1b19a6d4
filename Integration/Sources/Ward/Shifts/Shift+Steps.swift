import Daybook
import Foundation

extension Shift {
    /// Opens a chart: a query, its first object, and the links from there.
    mutating func openChart(_ patient: String) {
        record("open chart") { shift in
            guard let record = shift.realm.objects(Patient.self).filter("_id == %@", patient).first else { return }
            _ = record.name?.family
            let visits = shift.realm.objects(Encounter.self)
                .filter("patient._id == %@", patient)
                .sorted(byKeyPath: "start", ascending: false)
            guard let visit = visits.first else { return }
            _ = visit.patient?.birthDate
            _ = visit.observations.first?.label
        }
    }

    /// Reviews the last vital signs: a filtered, sorted query.
    mutating func reviewVitals(_ patient: String) {
        record("review vitals") { shift in
            let vitals = shift.realm.objects(Observation.self)
                .where { $0.patient._id == patient && $0.status == "final" }
                .sorted(byKeyPath: "effective", ascending: false)
            for vital in vitals.prefix(5) { _ = vital.value ?? vital.components.first?.value }
        }
    }

    /// Looks at something and thinks better of it: a cancelled scope leaves nothing.
    mutating func glance(_ patient: String) {
        let scope = begin("glance")
        _ = realm.object(ofType: Patient.self, forPrimaryKey: patient)?.gender
        scope.scope.cancel()
        didStep(step)
    }

    /// Enters a vital sign: a write.
    ///
    /// - Returns: The id of the new observation.
    mutating func enterVitalSign(_ patient: String) throws -> String {
        let scope = begin("enter vital sign")
        let id = "shift-\(number)-\(nurse.username)-\(scope.number)"
        let temperature = Double(Int.random(in: 362...391, using: &random)) / 10
        try write(in: scope) { realm in
            let visit = realm.objects(Encounter.self)
                .filter("patient._id == %@", patient)
                .sorted(byKeyPath: "start", ascending: false)
                .first
            let observation = realm.create(
                Observation.self,
                value: [
                    "_id": id, "code": "8310-5", "label": "Body temperature", "status": "preliminary",
                    "value": temperature, "unit": "Cel", "effective": now(), "enteredBy": nurse.username,
                    "patient": ["_id": patient],
                ],
                update: .modified
            )
            observation.encounter = visit
            visit?.observations.append(observation)
        }
        commit(scope)
        return id
    }

    /// Corrects a vital sign: a modification.
    mutating func correct(_ id: String) throws {
        let scope = begin("correct vital sign")
        let correction = Double(Int.random(in: -4...4, using: &random)) / 10
        if let observation = realm.object(ofType: Observation.self, forPrimaryKey: id) {
            try write(in: scope) { _ in
                observation.value = (observation.value ?? 37) + correction
                observation.status = "amended"
                observation.corrected = now()
            }
        }
        commit(scope)
    }

    /// Removes a mistaken vital sign: a deletion.
    mutating func remove(_ id: String) throws {
        let scope = begin("remove mistaken vital sign")
        if let observation = realm.object(ofType: Observation.self, forPrimaryKey: id) {
            try write(in: scope) { realm in realm.delete(observation) }
        }
        commit(scope)
    }
}

import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

// A ward of a hospital: people in classes of their own, custom types, optional everything, doses by name.

private struct HospitalPressure: CustomPersistable, Hashable {
    typealias PersistedType = String
    var systolic: Int
    var diastolic: Int

    init(_ systolic: Int, _ diastolic: Int) {
        self.systolic = systolic
        self.diastolic = diastolic
    }

    init(persistedValue: String) {
        let parts = persistedValue.split(separator: "/").compactMap { Int($0) }
        self.init(parts.first ?? 0, parts.last ?? 0)
    }

    var persistableValue: String { "\(systolic)/\(diastolic)" }
}

private struct HospitalPlace: CustomPersistable, Equatable {
    typealias PersistedType = HospitalStoredPlace
    var floor: Int
    var room: String

    init(floor: Int, room: String) {
        self.floor = floor
        self.room = room
    }

    init(persistedValue: HospitalStoredPlace) {
        self.init(floor: persistedValue.floor, room: persistedValue.room)
    }

    var persistableValue: HospitalStoredPlace { HospitalStoredPlace(value: ["floor": floor, "room": room]) }
}

private class HospitalStoredPlace: EmbeddedObject {
    @Persisted var floor = 0
    @Persisted var room = ""
}

private enum HospitalTriage: Int, PersistableEnum, CustomStringConvertible {
    case green = 1
    case yellow = 5
    case red = 10
    var description: String { "triage \(rawValue)" }
}

private class HospitalPerson: Object {
    @Persisted(primaryKey: true) var number: Int?
    @Persisted var name: String
    @Persisted var born: Date?

    class var title: String { "person" }
    var greeting: String { "\(Self.title) \(name)" }
}

private class HospitalNurse: HospitalPerson {
    @Persisted var grade: Int8 = 1
    @Persisted(originProperty: "nurses") var patients: LinkingObjects<HospitalPatient>
    override class var title: String { "nurse" }
}

private class HospitalPatient: HospitalPerson {
    @Persisted var triage: HospitalTriage?
    @Persisted var bed: HospitalPlace?
    @Persisted var pressures: List<HospitalPressure>
    @Persisted var lastPressure: HospitalPressure?
    @Persisted var nurses: List<HospitalNurse>
    @Persisted var prescriptions: Map<String, HospitalPrescription?>
    @Persisted var allergies: MutableSet<String>
    @Persisted var scan: Data?
    @Persisted var temperature: Double?
    @Persisted var insured: Bool?
    override class var title: String { "patient" }

    var observedNames: [String] = []
    @Persisted var diagnosis: String? {
        didSet { observedNames.append(diagnosis ?? "none") }
    }
}

private class HospitalPrescription: EmbeddedObject {
    @Persisted var dose: Float
    @Persisted var unit: String?
    @Persisted var times: List<Int>
    @Persisted(originProperty: "prescriptions") var owner: LinkingObjects<HospitalPatient>
}

@Suite("Program: a hospital ward")
struct HospitalProgramTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([
            HospitalPerson.self, HospitalNurse.self, HospitalPatient.self, HospitalPrescription.self,
            HospitalStoredPlace.self,
        ])
        realm = try file.open()
    }

    @discardableResult
    private func admit(_ number: Int, _ name: String) throws -> HospitalPatient {
        let patient = HospitalPatient(value: ["number": number, "name": name])
        try realm.write { realm.add(patient) }
        return patient
    }

    @Test("a class of people, one of nurses and one of patients have their own objects and inherited properties")
    func inheritance() throws {
        try realm.write {
            realm.create(HospitalPerson.self, value: [1, "Visitor"])
            realm.create(HospitalNurse.self, value: ["number": 1, "name": "Florence", "grade": 3])
            realm.create(HospitalPatient.self, value: ["number": 1, "name": "Ivan"])
        }

        #expect(realm.objects(HospitalPerson.self).count == 1)
        #expect(realm.objects(HospitalNurse.self).first?.greeting == "nurse Florence")
        #expect(realm.object(ofType: HospitalPatient.self, forPrimaryKey: 1)?.greeting == "patient Ivan")
        #expect(realm.objects(HospitalNurse.self).where { $0.name == "Florence" && $0.grade >= 3 }.count == 1)
        #expect(realm.schema["HospitalPatient"]?.properties.prefix(3).map(\.name) == ["number", "name", "born"])
    }

    @Test("a nil key is a key like others, and there is only one")
    func nilKey() throws {
        try realm.write { realm.create(HospitalNurse.self, value: ["name": "Nobody"]) }

        #expect(realm.object(ofType: HospitalNurse.self, forPrimaryKey: nil as Int?)?.name == "Nobody")
        #expect(throws: Realm.Error.self) { try realm.write { realm.create(HospitalNurse.self, value: ["name": "x"]) } }
        try realm.write { realm.create(HospitalNurse.self, value: ["name": "Somebody"], update: .modified) }
        #expect(realm.objects(HospitalNurse.self).map(\.name) == ["Somebody"])
    }

    @Test("custom values are stored in properties, in lists and as embedded objects, and are found")
    func customValues() throws {
        let patient = try admit(1, "Ivan")
        try realm.write {
            patient.pressures.append(objectsIn: [HospitalPressure(120, 80), HospitalPressure(140, 95)])
            patient.lastPressure = HospitalPressure(140, 95)
            patient.bed = HospitalPlace(floor: 3, room: "3.14")
        }

        #expect(patient.pressures.last?.systolic == 140)
        #expect(patient.bed == HospitalPlace(floor: 3, room: "3.14"))
        let patients = realm.objects(HospitalPatient.self)
        #expect(patients.where { $0.lastPressure == HospitalPressure(140, 95) }.count == 1)
        #expect(patients.where { $0.lastPressure.persistableValue.starts(with: "14") }.count == 1)
        #expect(patients.where { $0.bed.persistableValue.floor == 3 }.count == 1)
        #expect(patients.filter("bed.floor == 3 AND lastPressure == '140/95'").count == 1)
        #expect(patient.pressures.contains(HospitalPressure(120, 80)))

        try realm.write {
            patient.bed = nil
            patient.pressures[0] = HospitalPressure(110, 70)
        }
        #expect(patient.bed == nil)
        #expect(patient.pressures.map(\.diastolic) == [70, 95])
    }

    @Test("an optional value is nil, set and nil again, and queries tell the three apart")
    func optionals() throws {
        let patient = try admit(1, "Ivan")
        try admit(2, "Olga")
        #expect(patient.triage == nil && patient.temperature == nil && patient.insured == nil && patient.scan == nil)

        try realm.write {
            patient.triage = .red
            patient.temperature = 39.5
            patient.insured = false
            patient.scan = Data([0, 1, 255])
            patient.born = Date(timeIntervalSince1970: -1.5)
        }
        let patients = realm.objects(HospitalPatient.self)
        #expect(patients.where { $0.triage == .red }.count == 1)
        #expect(patients.where { $0.triage == nil }.first?.name == "Olga")
        #expect(patients.where { $0.triage != nil && $0.triage.rawValue > 5 }.count == 1)
        #expect(patients.filter("insured == nil").first?.number == 2)
        #expect(patients.filter("insured == NO").first?.number == 1)
        #expect(patients.where { $0.temperature > 38 }.count == 1)
        #expect(patients.filter("born < %@", Date(timeIntervalSince1970: 0)).count == 1)
        #expect(patients.sorted(byKeyPath: "temperature").map(\.number) == [2, 1])
        #expect(patients.max(of: \.temperature) == 39.5)
        #expect(patient.triage?.description == "triage 10")

        try realm.write {
            patient.triage = nil
            patient.temperature = nil
            patient["insured"] = nil
        }
        #expect(patients.where { $0.triage == nil && $0.temperature == nil && $0.insured == nil }.count == 2)
        #expect(patient.born == Date(timeIntervalSince1970: -1.5))
        #expect(patient.scan == Data([0, 1, 255]))
    }

    @Test("prescriptions are embedded by name: replaced, changed, removed, and found from the inside")
    func prescriptions() throws {
        let patient = try admit(1, "Ivan")
        try realm.write {
            patient.prescriptions["aspirin"] = HospitalPrescription(value: [
                "dose": 500, "unit": "mg", "times": [8, 20],
            ])
            patient.prescriptions["iron"] = HospitalPrescription(value: ["dose": 1.5])
        }
        let aspirin = try #require(patient.prescriptions["aspirin"] ?? nil)
        #expect(aspirin.dose == 500)
        #expect(Array(aspirin.times) == [8, 20])
        #expect(aspirin.owner.first?.name == "Ivan")
        #expect(patient.prescriptions.count == 2)

        try realm.write {
            patient.prescriptions["aspirin"] = HospitalPrescription(value: ["dose": 100])
            patient.prescriptions["iron"]??.times.append(12)
        }
        #expect(aspirin.isInvalidated)
        #expect(patient.prescriptions["aspirin"]??.dose == 100)
        #expect(patient.prescriptions["iron"]??.times.first == 12)

        try realm.write { patient.prescriptions.removeObject(for: "aspirin") }
        #expect(patient.prescriptions.keys == ["iron"])
        for entry in patient.prescriptions { #expect(entry.key == "iron" && entry.value?.dose == 1.5) }
        for (name, prescription) in patient.prescriptions.asKeyValueSequence() {
            #expect(name == "iron" && prescription?.unit == nil)
        }
    }

    @Test("a nurse sees her patients, each as often as she is listed")
    func inverse() throws {
        let ivan = try admit(1, "Ivan")
        let olga = try admit(2, "Olga")
        let florence = HospitalNurse(value: ["number": 1, "name": "Florence"])
        try realm.write {
            ivan.nurses.append(florence)
            olga.nurses.append(objectsIn: [florence, florence])
        }

        #expect(florence.realm == realm)
        #expect(florence.patients.count == 3)
        #expect(florence.patients.where { $0.name == "Olga" }.count >= 1)
        #expect(florence.patients.sorted(byKeyPath: "name").first == ivan)

        try realm.write { realm.delete(olga) }
        #expect(florence.patients.map(\.name) == ["Ivan"])
        try realm.write { realm.delete(florence) }
        #expect(ivan.nurses.isEmpty)
    }

    @Test("observers of properties are called for typed assignments, managed or not, and not for key-value coding")
    func propertyObservers() throws {
        let patient = HospitalPatient(value: ["number": 1, "diagnosis": "cold"])
        #expect(patient.observedNames.isEmpty)
        patient.diagnosis = "flu"
        try realm.write {
            realm.add(patient)
            patient.diagnosis = nil
            patient.setValue("measles", forKey: "diagnosis")
        }

        #expect(patient.observedNames == ["flu", "none"])
        #expect(patient.diagnosis == "measles")
    }

    @Test("a patient is written through key-value coding alone")
    func keyValueCoding() throws {
        let patient = try admit(1, "Ivan")
        try realm.write {
            patient["name"] = "Iwan"
            patient.setValue(HospitalTriage.yellow, forKey: "triage")
            patient.setValue(["pollen", "nuts"], forKey: "allergies")
            patient.setValue(["120/80"], forKey: "pressures")
            patient.setValue([["number": 9, "name": "Nina"]], forKey: "nurses")
        }

        #expect(patient.value(forKey: "name") as? String == "Iwan")
        #expect(patient["triage"] as? HospitalTriage == .yellow || patient["triage"] as? Int == 5)
        #expect(patient.allergies.contains("nuts"))
        #expect(patient.pressures.first == HospitalPressure(120, 80))
        #expect(patient.value(forKeyPath: "nurses.name") as? [String] == ["Nina"])
        #expect(patient.dynamicNames == ["Nina"])
    }
}

extension HospitalPatient {
    fileprivate var dynamicNames: [String] { nurses.value(forKey: "name").compactMap { $0 as? String } }
}

import Foundation

/// One FHIR resource, turned into the values that `realm.create(_:value:update:)` takes.
///
/// Links are given as nested values with only the primary key: with the policy `.modified` the realm looks the target
/// up, or makes it with default values when its own line comes later.
struct ChartEntry {
    /// Which class of the chart the values are for.
    enum Kind: String, CaseIterable {
        case patient = "Patient"
        case encounter = "Encounter"
        case observation = "Observation"
        case medicationRequest = "MedicationRequest"
    }

    let kind: Kind
    let id: String
    let value: [String: Any]
    /// The visit whose list an observation belongs to.
    let encounter: String?

    /// Parses one line.
    ///
    /// - Throws: ``FHIRError`` that says what is wrong with the line, without its contents.
    init(line: [UInt8]) throws(FHIRError) {
        let parsed: Any
        do {
            parsed = try JSONSerialization.jsonObject(with: Data(line))
        } catch {
            throw .notAnObject
        }
        guard let json = parsed as? [String: Any] else { throw .notAnObject }
        guard let type = json["resourceType"] as? String else { throw .missingResourceType }
        guard let kind = Kind(rawValue: type) else { throw .unknownResourceType(type) }
        let element = FHIRElement(resource: type, json: json)
        self.kind = kind
        id = try element.requiredText("id")
        var value: [String: Any]
        switch kind {
        case .patient: value = try Self.patient(element)
        case .encounter: value = try Self.encounter(element)
        case .observation: value = try Self.observation(element)
        case .medicationRequest: value = try Self.medicationRequest(element)
        }
        value["_id"] = id
        self.value = value
        encounter = kind == .observation ? element.reference("encounter") : nil
    }

    private static func patient(_ element: FHIRElement) throws(FHIRError) -> [String: Any] {
        let names = element.children("name")
        let name = names.first { $0.text("use") == "official" } ?? names.first
        let addresses = element.children("address")
            .map { address -> [String: Any] in
                [
                    "lines": address.texts("line"),
                    "city": orNull(address.text("city")),
                    "postalCode": orNull(address.text("postalCode")),
                ]
            }
        return [
            "name": name.map { ["family": $0.text("family") ?? "", "given": $0.texts("given")] } ?? NSNull(),
            "gender": orNull(element.text("gender")),
            "birthDate": orNull(try element.date("birthDate")),
            "deceased": orNull(try element.date("deceasedDateTime")),
            "addresses": addresses,
        ]
    }

    private static func encounter(_ element: FHIRElement) throws(FHIRError) -> [String: Any] {
        let kind = element.children("type").first
        let reason = element.children("reasonCode").first
        let period = element.child("period")
        return [
            "status": try element.requiredText("status"),
            "kind": orNull(kind?.text("text") ?? kind?.children("coding").first?.text("display")),
            "reason": orNull(reason?.text("text") ?? reason?.children("coding").first?.text("display")),
            "start": orNull(try period?.date("start")),
            "end": orNull(try period?.date("end")),
            "patient": ["_id": try element.requiredReference("subject")],
        ]
    }

    private static func observation(_ element: FHIRElement) throws(FHIRError) -> [String: Any] {
        var value = try measurement(element)
        var components: [[String: Any]] = []
        for component in element.children("component") {
            components.append(try measurement(component))
        }
        value["status"] = try element.requiredText("status")
        value["components"] = components
        value["effective"] = orNull(try element.date("effectiveDateTime"))
        value["patient"] = ["_id": try element.requiredReference("subject")]
        value["encounter"] = element.reference("encounter").map { ["_id": $0] } ?? NSNull()
        return value
    }

    private static func measurement(_ element: FHIRElement) throws(FHIRError) -> [String: Any] {
        let (code, words) = element.concept("code")
        guard let code else { throw .missingElement(resource: element.resource, element: "code") }
        let quantity = element.child("valueQuantity")
        return [
            "code": code,
            "label": words ?? code,
            "value": quantity?.number("value") ?? NSNull(),
            "unit": orNull(quantity?.text("unit")),
        ]
    }

    private static func medicationRequest(_ element: FHIRElement) throws(FHIRError) -> [String: Any] {
        let (code, words) = element.concept("medicationCodeableConcept")
        guard let medication = words ?? code else {
            throw .missingElement(resource: element.resource, element: "medicationCodeableConcept")
        }
        return [
            "status": try element.requiredText("status"),
            "medication": medication,
            "authored": orNull(try element.date("authoredOn")),
            "patient": ["_id": try element.requiredReference("subject")],
            "encounter": element.reference("encounter").map { ["_id": $0] } ?? NSNull(),
        ]
    }

    private static func orNull(_ value: (some Any)?) -> Any {
        value ?? NSNull()
    }
}

import Foundation

/// Reads elements of a parsed FHIR resource.
struct FHIRElement {
    let resource: String
    let json: [String: Any]

    func text(_ name: String) -> String? {
        json[name] as? String
    }

    func requiredText(_ name: String) throws(FHIRError) -> String {
        guard let text = text(name), !text.isEmpty else {
            throw .missingElement(resource: resource, element: name)
        }
        return text
    }

    func date(_ name: String) throws(FHIRError) -> Date? {
        guard let element = json[name], !(element is NSNull) else { return nil }
        guard let text = element as? String, let date = FHIRDate.date(text) else {
            throw .malformedDate(element: name)
        }
        return date
    }

    func child(_ name: String) -> FHIRElement? {
        (json[name] as? [String: Any]).map { FHIRElement(resource: resource, json: $0) }
    }

    func children(_ name: String) -> [FHIRElement] {
        ((json[name] as? [Any]) ?? [])
            .compactMap { element in
                (element as? [String: Any]).map { FHIRElement(resource: resource, json: $0) }
            }
    }

    func texts(_ name: String) -> [String] {
        ((json[name] as? [Any]) ?? []).compactMap { $0 as? String }
    }

    /// The number as JSON gave it; the realm checks its type.
    func number(_ name: String) -> Any? {
        json[name].flatMap { $0 is NSNumber ? $0 : nil }
    }

    /// The words of a codeable concept: its text, or the display of its first coding.
    func concept(_ name: String) -> (code: String?, words: String?) {
        guard let concept = child(name) else { return (nil, nil) }
        let coding = concept.children("coding").first
        return (coding?.text("code"), concept.text("text") ?? coding?.text("display"))
    }

    /// The id that a reference such as `urn:uuid:…` or `Patient/…` points at.
    func reference(_ name: String) -> String? {
        guard let text = child(name)?.text("reference") else { return nil }
        return text.split(whereSeparator: { $0 == ":" || $0 == "/" }).last.map(String.init)
    }

    func requiredReference(_ name: String) throws(FHIRError) -> String {
        guard let id = reference(name) else { throw .missingElement(resource: resource, element: name) }
        return id
    }
}

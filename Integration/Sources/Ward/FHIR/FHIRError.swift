/// Why a line of FHIR NDJSON could not become an object.
@nonexhaustive
public enum FHIRError: Error, Sendable, Equatable {
    /// Thrown when the line is not JSON, or not an object.
    case notAnObject
    /// Thrown when `resourceType` is missing or not text.
    case missingResourceType
    /// Thrown for a resource that the ward does not keep.
    case unknownResourceType(String)
    /// Thrown when an element that every such resource has is missing or of another type.
    case missingElement(resource: String, element: String)
    /// Thrown when an element has a text that is not a FHIR date or date and time.
    case malformedDate(element: String)
    /// Thrown when a line is longer than the reader takes.
    case lineTooLong(limit: Int)
    /// Thrown when the line is not UTF-8.
    case notText
    /// Thrown when the realm refuses the values.
    case refused(String)
}

extension FHIRError: CustomStringConvertible {
    /// A sentence without the patient's data.
    public var description: String {
        switch self {
        case .notAnObject: "it is not a JSON object"
        case .missingResourceType: "it has no resourceType"
        case .unknownResourceType(let type): "the ward does not keep resources of type '\(type)'"
        case .missingElement(let resource, let element): "the \(resource) has no usable '\(element)'"
        case .malformedDate(let element): "'\(element)' is not a FHIR date"
        case .lineTooLong(let limit): "it is longer than \(limit) bytes"
        case .notText: "it is not UTF-8"
        case .refused(let reason): reason
        }
    }
}

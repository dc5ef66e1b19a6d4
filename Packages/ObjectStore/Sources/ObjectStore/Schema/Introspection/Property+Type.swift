import EventModel

/// The type of a property's values, or of the elements of its collection.
@frozen
public enum PropertyType: Int, Sendable, Hashable {
    /// An integer of any width.
    case int = 0
    /// A truth value.
    case bool = 1
    /// Text.
    case string = 2
    /// Raw bytes.
    case data = 3
    /// An instant.
    case date = 4
    /// A number of 32 bits.
    case float = 5
    /// A number of 64 bits.
    case double = 6
    /// An object, linked or embedded.
    case object = 7
    /// The objects that link to the one that has the property.
    case linkingObjects = 8
    /// A value of any type.
    case any = 9
    /// An id of twelve bytes.
    case objectId = 10
    /// A decimal of 34 digits.
    case decimal128 = 11
    /// An id of sixteen bytes.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case UUID = 12
}

extension PropertyType: CustomStringConvertible {
    /// The name of the type, as in messages.
    public var description: String {
        switch self {
        case .int: "int"
        case .bool: "bool"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .float: "float"
        case .double: "double"
        case .object: "object"
        case .linkingObjects: "linking objects"
        case .any: "mixed"
        case .objectId: "object id"
        case .decimal128: "decimal128"
        case .UUID: "uuid"
        }
    }
}

extension PropertyType {
    init(_ kind: PropertyShape.Kind) {
        self =
            switch kind {
            case .int: .int
            case .bool: .bool
            case .float: .float
            case .double: .double
            case .string: .string
            case .data: .data
            case .date: .date
            case .objectId: .objectId
            case .uuid: .UUID
            case .decimal128: .decimal128
            case .any: .any
            case .link, .embedded: .object
            }
    }
}

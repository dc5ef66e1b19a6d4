import EventModel
import Foundation

// New objects of classes that only a file knows.
extension ObjectSource {
    /// The same values, and for each absent property what its type begins with: nothing where that is allowed, zero, or an id or a date of now.
    func completed(for schema: ClassSchema) -> ObjectSource {
        var values: [String: Any] = [:]
        for property in schema.properties { values[property.name] = value(property) ?? property.beginning }
        return .dictionary(values)
    }
}

extension PersistedProperty {
    /// What a property of a new object holds of which only the description in a file is known.
    fileprivate var beginning: Any {
        switch type.collection {
        case .list, .set: return [Any]()
        case .dictionary: return [String: Any]()
        case .none: break
        }
        if type.isOptional || type.target != nil { return NSNull() }
        return switch type.kind {
        case .int: 0
        case .bool: false
        case .float: Float(0)
        case .double: Double(0)
        case .string: ""
        case .data: Data()
        case .date: Date._defaultValue()
        case .objectId: ObjectId._defaultValue()
        case .uuid: UUID._defaultValue()
        case .decimal128: Decimal128()
        case .any, .link, .embedded: NSNull()
        }
    }
}

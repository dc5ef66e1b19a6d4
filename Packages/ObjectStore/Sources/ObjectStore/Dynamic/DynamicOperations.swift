import EventModel
import Foundation

/// Makes the operations on a property of which only the description in a file is known.
enum DynamicOperations {
    /// Returns the operations; nil for a type that has no Swift type to read it as.
    ///
    /// A single value is read as the type that the program declares now, if one is given and stored in the same way.
    static func of(_ property: StoredProperty, _ declared: PersistedProperty? = nil) -> _PropertyOperations? {
        var operations = operations(property)
        if let declared, declared.isColumn, property.isColumn, declared.type.kind == property.kind {
            operations?.storedValue = declared.operations.storedValue
        }
        return operations
    }

    private static func operations(_ property: StoredProperty) -> _PropertyOperations? {
        switch property.kind {
        case .link, .embedded:
            switch property.collection {
            case .none: .link(DynamicObject.self)
            case .list: List<DynamicObject>._operations
            case .set: MutableSet<DynamicObject>._operations
            case .dictionary: Map<String, DynamicObject?>._operations
            }
        case .any:
            switch property.collection {
            case .none: AnyRealmValue._operations
            case .list: List<AnyRealmValue>._operations
            case .set: MutableSet<AnyRealmValue>._operations
            case .dictionary: Map<String, AnyRealmValue>._operations
            }
        default: scalarType(property.kind).map { operations($0, property) }
        }
    }

    private static func operations<Value: _ScalarValue>(
        _: Value.Type,
        _ property: StoredProperty
    ) -> _PropertyOperations {
        switch property.collection {
        case .none: property.isOptional ? Value._optionalOperations : Value._operations
        case .list: property.isOptional ? List<Value?>._operations : List<Value>._operations
        case .set: property.isOptional ? MutableSet<Value?>._operations : MutableSet<Value>._operations
        case .dictionary: property.isOptional ? Map<String, Value?>._operations : Map<String, Value>._operations
        }
    }

    private static func scalarType(_ kind: PropertyShape.Kind) -> (any _ScalarValue.Type)? {
        switch kind {
        case .int: Int.self
        case .bool: Bool.self
        case .float: Float.self
        case .double: Double.self
        case .string: String.self
        case .data: Data.self
        case .date: Date.self
        case .objectId: ObjectId.self
        case .uuid: UUID.self
        case .decimal128: Decimal128.self
        case .any, .link, .embedded: nil
        }
    }
}

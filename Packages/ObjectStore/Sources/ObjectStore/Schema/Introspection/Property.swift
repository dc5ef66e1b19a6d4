import EventModel

/// One persisted property of a class, as the schema of a realm describes it.
public struct Property: Sendable, Hashable {
    /// The name in the Swift class.
    public let name: String
    /// The name as stored, which `propertiesMapping()` may give.
    public let columnName: String
    /// The type of the value, or of the elements of a collection.
    public let type: PropertyType
    /// Whether the property is a ``List``.
    public let isArray: Bool
    /// Whether the property is a `MutableSet`.
    public let isSet: Bool
    /// Whether the property is a `Map`.
    public let isMap: Bool
    /// Whether there is an index on the property; a primary key has one, too.
    public let isIndexed: Bool
    /// Whether the value, or an element, may be nil.
    public let isOptional: Bool
    /// Whether the property is the primary key of its class.
    public let isPrimaryKey: Bool
    /// The class of the objects that the property refers to; nil for other types.
    public let objectClassName: String?
}

extension Property {
    init(_ property: PersistedProperty, _ shape: PropertyShape) {
        name = property.name
        columnName = property.columnName
        type = PropertyType(property.type.kind)
        isArray = property.type.collection == .list
        isSet = property.type.collection == .set
        isMap = property.type.collection == .dictionary
        isPrimaryKey = property.isPrimaryKey
        isIndexed = property.isPrimaryKey || property.options.contains(.indexed)
        isOptional = property.type.isOptional
        objectClassName = shape.targetClass
    }
}

extension Property: CustomStringConvertible {
    /// The declaration of the property in words, with all that can be asked of it.
    public var description: String {
        let single = objectClassName.map { "\(type) of '\($0)'" } ?? "\(type)"
        let value = isOptional ? "optional \(single)" : single
        let collection = isArray ? "array of " : isSet ? "set of " : isMap ? "map of " : ""
        var text = "\(name): \(collection)\(value)"
        if columnName != name { text += ", stored as '\(columnName)'" }
        if isPrimaryKey {
            text += ", primary key"
        } else if isIndexed {
            text += ", indexed"
        }
        return text
    }
}

import ObjectStore

/// A class of a realm file.
public struct WindowClass: Sendable, Hashable {
    /// The stored name.
    public let name: String
    /// How many objects there are.
    public let count: Int
    /// Whether its objects live inside others.
    public let isEmbedded: Bool
    /// The properties, in the order of the file.
    public let properties: [WindowProperty]

    /// The property that is the primary key; nil when the class has none.
    public var primaryKey: WindowProperty? { properties.first(where: \.isPrimaryKey) }
}

/// A property of a class of a realm file.
public struct WindowProperty: Sendable, Hashable {
    /// The stored name.
    public let name: String
    /// The type in words, such as `list of optional int`.
    public let type: String
    /// The class that it refers to; nil for a value.
    public let target: String?
    /// Whether there is one value, by which objects can be sorted.
    public let isSingle: Bool
    /// Whether it is the primary key.
    public let isPrimaryKey: Bool
    /// Whether it has an index; a primary key has.
    public let isIndexed: Bool
}

extension WindowClass {
    init(_ schema: ObjectSchema, count: Int) {
        name = schema.className
        self.count = count
        isEmbedded = schema.isEmbedded
        properties = schema.properties.map(WindowProperty.init)
    }
}

extension WindowProperty {
    init(_ property: Property) {
        name = property.name
        let single = property.objectClassName ?? "\(property.type)"
        // A single link is always optional, so that saying it would tell nothing.
        let value = property.isOptional && property.objectClassName == nil ? "optional \(single)" : single
        type =
            property.isArray
            ? "list of \(value)" : property.isSet ? "set of \(value)" : property.isMap ? "map of \(value)" : value
        target = property.objectClassName
        isSingle = !property.isArray && !property.isSet && !property.isMap
        isPrimaryKey = property.isPrimaryKey
        isIndexed = property.isIndexed
    }
}

import EventModel

/// A class as a file describes it.
struct StoredClass: Sendable, Hashable {
    let name: String
    let isEmbedded: Bool
    /// The properties, in the order in which the class declared them.
    var properties: [StoredProperty]

    /// The primary key whose values are the row keys, as ``ClassSchema/rowKey``; nil in other classes.
    var rowKey: StoredProperty? {
        guard !isEmbedded else { return nil }
        return properties.first { $0.isPrimaryKey && $0.kind == .int && $0.isColumn && !$0.isOptional }
    }

    /// The property of a stored name.
    func property(named name: String) -> StoredProperty? {
        properties.first { $0.name == name }
    }
}

extension StoredClass {
    /// Describes a class of the program as a file would.
    init(_ schema: ClassSchema) {
        name = schema.name
        isEmbedded = schema.isEmbedded
        properties = schema.properties.map { StoredProperty($0, schema.shape.properties[$0.slot]) }
    }
}

import EventModel

/// The description of one class of a realm.
public struct ObjectSchema: Sendable {
    let schema: ClassSchema

    init(_ schema: ClassSchema) { self.schema = schema }

    /// The persisted properties: those of superclasses first, else in order of declaration.
    public var properties: [Property] {
        schema.properties.map { Property($0, schema.shape.properties[$0.slot]) }
    }

    /// The name of the class as stored.
    public var className: String { schema.name }

    /// The Swift class; ``DynamicObject`` for a class that is known from a file only.
    public var objectClass: AnyClass { schema.isDynamic ? DynamicObject.self : schema.type }

    /// Whether objects of the class live inside of a parent.
    public var isEmbedded: Bool { schema.isEmbedded }

    /// Whether objects of the class can be created only, and never be read.
    public var isAsymmetric: Bool { schema.isAsymmetric }

    /// The primary key; nil when the class has none.
    public var primaryKeyProperty: Property? {
        schema.primaryKeySlot.map { Property(schema.properties[$0], schema.shape.properties[$0]) }
    }

    /// Finds a property by its Swift name; nil when the class does not have it.
    ///
    /// - Complexity: O(*n*) in the count of properties.
    public subscript(propertyName: String) -> Property? {
        schema.property(named: propertyName).map { Property($0, schema.shape.properties[$0.slot]) }
    }
}

extension ObjectSchema: Hashable {
    /// Whether both describe classes of the same name, kind and properties.
    public static func == (left: ObjectSchema, right: ObjectSchema) -> Bool {
        left.schema === right.schema
            || (left.className == right.className && left.isEmbedded == right.isEmbedded
                && left.isAsymmetric == right.isAsymmetric && left.properties == right.properties)
    }

    /// Feeds the name of the class to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(className) }
}

extension ObjectSchema: CustomStringConvertible {
    /// The name of the class with one line for each property.
    public var description: String {
        let kind = isEmbedded ? " (embedded)" : isAsymmetric ? " (asymmetric)" : ""
        let lines = properties.map { "    \($0)\n" }.joined()
        return "\(className)\(kind) {\n\(lines)}"
    }
}

public import EventModel

/// What a persisted property holds; named by ``_Persistable``, not meant for programs.
public struct _PropertyType: Sendable {
    /// The type of the value or of a collection's elements.
    public let kind: PropertyShape.Kind
    /// Whether there are several values.
    public let collection: PropertyShape.Collection
    /// Whether the value or an element may be null.
    public let isOptional: Bool
    /// The class that links or embedded objects are of.
    public let target: ObjectBase.Type?

    /// Creates a type.
    public init(
        kind: PropertyShape.Kind,
        collection: PropertyShape.Collection = .none,
        isOptional: Bool = false,
        target: ObjectBase.Type? = nil
    ) {
        self.kind = kind
        self.collection = collection
        self.isOptional = isOptional
        self.target = target
    }

    /// The type in words, for messages.
    var text: String {
        let single = target.map { $0.className() } ?? "\(kind)"
        let value = isOptional ? "optional \(single)" : single
        return collection == .none ? value : "\(collection) of \(value)"
    }
}

public import EventModel

/// The classes that a realm syncs, as a program declares them or as the server knows them.
///
/// Two schemas with the same classes are equal and have the same bytes, in whatever order they were declared.
public struct SyncSchema: Sendable, Hashable {
    /// One class.
    public struct Class: Sendable, Hashable {
        /// The stored name.
        public let name: ExactText
        /// The stored name of the primary key; nil for an embedded class.
        public let key: ExactText?
        /// Whether its objects live in others.
        public let isEmbedded: Bool
        /// Whether its objects are created and sent, and never read.
        public let isAsymmetric: Bool
        /// The properties by their stored names, the primary key among them.
        public var properties: [ExactText: Property]

        /// Creates a class.
        public init(
            _ name: ExactText,
            key: ExactText?,
            isEmbedded: Bool = false,
            isAsymmetric: Bool = false,
            properties: [ExactText: Property]
        ) {
            self.name = name
            self.key = key
            self.isEmbedded = isEmbedded
            self.isAsymmetric = isAsymmetric
            self.properties = properties
        }
    }

    /// One property.
    public struct Property: Sendable, Hashable {
        /// The type of the value, or of the elements.
        public let kind: PropertyShape.Kind
        /// Whether there are several values.
        public let collection: PropertyShape.Collection
        /// Whether the value, or an element, may be null.
        public let isOptional: Bool
        /// The class of links or embedded objects; nil for other kinds.
        public let target: ExactText?

        /// Creates a property.
        public init(
            _ kind: PropertyShape.Kind,
            _ collection: PropertyShape.Collection = .none,
            isOptional: Bool = false,
            target: ExactText? = nil
        ) {
            self.kind = kind
            self.collection = collection
            self.isOptional = isOptional
            self.target = target
        }
    }

    /// The classes by their stored names.
    public let classes: [ExactText: Class]

    /// Creates a schema; of two classes with one name the later one counts.
    public init(_ classes: [Class] = []) {
        self.classes = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }
}

/// What one slot of a snapshot means.
public struct PropertyShape: Sendable {
    /// The type of a value, or of a collection's elements.
    @frozen
    public enum Kind: UInt8, Sendable, Hashable {
        case int
        case bool
        case float
        case double
        case string
        case data
        case date
        case objectId
        case uuid
        case decimal128
        case any
        case link
        case embedded
    }

    /// Whether the property holds one value or several.
    @frozen
    public enum Collection: UInt8, Sendable, Hashable {
        case none
        case list
        case set
        case dictionary
    }

    /// The name in the Swift class.
    public let name: String
    /// The name as stored; JSON uses this one.
    public let columnName: String
    /// The type of the value or of the elements.
    public let kind: Kind
    /// Whether there are several values.
    public let collection: Collection
    /// Whether the value, or an element, may be null.
    public let isOptional: Bool
    /// The class that links or embedded objects are of; nil for other kinds.
    public let targetClass: String?
    /// The shape of the embedded class; nil for other kinds.
    public let embeddedShape: ClassShape?

    /// Creates a shape.
    ///
    /// - Precondition: `kind == .embedded` exactly when `embeddedShape` is given.
    public init(
        name: String,
        columnName: String? = nil,
        kind: Kind,
        collection: Collection = .none,
        isOptional: Bool = false,
        targetClass: String? = nil,
        embeddedShape: ClassShape? = nil
    ) {
        precondition(
            (kind == .embedded) == (embeddedShape != nil),
            "The shape of property '\(name)' must name an embedded shape exactly when its kind is embedded."
        )
        self.name = name
        self.columnName = columnName ?? name
        self.kind = kind
        self.collection = collection
        self.isOptional = isOptional
        self.targetClass = targetClass ?? embeddedShape?.name
        self.embeddedShape = embeddedShape
    }

    /// Whether the slot points at a packed value instead of holding the value's own bits or bytes.
    ///
    /// True for collections, links, embedded objects and `any`.
    @inlinable
    public var isPacked: Bool {
        collection != .none || kind == .any || kind == .link || kind == .embedded
    }
}

public import EventModel

/// The classes that queries may name.
public struct QuerySchema: Sendable {
    /// A name for the objects whose links lead to an object.
    public struct Backlink: Sendable, Hashable {
        /// The class whose objects are linked to.
        public let className: String
        /// The name that paths use, on that class.
        public let name: String
        /// The class that has the links.
        public let origin: String
        /// Its property: a link, or a collection of links.
        public let property: String

        /// Creates a name.
        public init(className: String, name: String, origin: String, property: String) {
            self.className = className
            self.name = name
            self.origin = origin
            self.property = property
        }
    }

    private let shapes: [String: ClassShape]
    private let backlinks: [String: [Backlink]]
    private let indexes: [String: Set<String>]
    /// The classes whose tables have a column for a primary key that will be the row key: those that a migration is changing.
    private var separateKeys: Set<String> = []

    /// Creates a schema; of two shapes of the same name the later one counts.
    ///
    /// - Parameters:
    ///   - shapes: The classes.
    ///   - backlinks: The names for links to objects of a class.
    ///   - indexes: The names of the properties with an index, by the name of their class, besides primary keys.
    public init(
        _ shapes: some Sequence<ClassShape>,
        backlinks: [Backlink] = [],
        indexes: [String: Set<String>] = [:]
    ) {
        self.indexes = indexes
        self.shapes = Dictionary(shapes.map { ($0.name, $0) }) { _, later in later }
        self.backlinks = Dictionary(grouping: backlinks, by: \.className)
    }

    /// The same classes, some of which have a column for a primary key that is the row key elsewhere.
    package func separatingKeys(of classNames: Set<String>) -> QuerySchema {
        var copy = self
        copy.separateKeys = classNames
        return copy
    }

    /// The column of a single value of a class.
    func column(_ property: PropertyShape, of shape: ClassShape) -> String {
        separateKeys.contains(shape.name) ? StorageNames.column(property) : StorageNames.column(property, of: shape)
    }

    /// The shape of a class, or nil.
    public subscript(className: String) -> ClassShape? {
        shapes[className]
    }

    /// Whether an index leads from a value of a property to the objects of a class that have it.
    package func isIndexed(_ property: PropertyShape, of shape: ClassShape) -> Bool {
        if let slot = shape.primaryKeySlot, shape.properties[slot].name == property.name { return true }
        return property.kind == .link || indexes[shape.name]?.contains(property.name) == true
    }

    /// The names for links to objects of a class.
    func backlinks(of className: String) -> [Backlink] {
        backlinks[className] ?? []
    }

    func shape(_ className: String) throws(QueryError) -> ClassShape {
        guard let shape = shapes[className] else {
            throw .unknownClass(className, suggestion: className.closest(in: shapes.keys))
        }
        return shape
    }

    func target(of property: PropertyShape) throws(QueryError) -> ClassShape {
        if let embedded = property.embeddedShape { return embedded }
        return try shape(property.targetClass ?? "")
    }
}

extension QuerySchema: Equatable {
    /// Whether both have the very same classes, so that every query means the same.
    public static func == (left: QuerySchema, right: QuerySchema) -> Bool {
        left.shapes.count == right.shapes.count && left.backlinks == right.backlinks && left.indexes == right.indexes
            && left.separateKeys == right.separateKeys && left.shapes.allSatisfy { right.shapes[$0.key] === $0.value }
    }
}

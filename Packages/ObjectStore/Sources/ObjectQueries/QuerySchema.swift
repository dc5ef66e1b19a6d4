public import EventModel

/// The classes that queries may name.
public struct QuerySchema: Sendable {
    private let shapes: [String: ClassShape]

    /// Creates a schema; of two shapes of the same name the later one counts.
    public init(_ shapes: some Sequence<ClassShape>) {
        self.shapes = Dictionary(shapes.map { ($0.name, $0) }) { _, later in later }
    }

    /// The shape of a class, or nil.
    public subscript(className: String) -> ClassShape? {
        shapes[className]
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

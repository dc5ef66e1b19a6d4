/// What projections of all classes have in common; ``Projection`` is the only one.
public protocol ProjectionObservable: AnyObject, ThreadConfined, KeypathSortable {
    /// The class of the objects that are projected.
    associatedtype Root: ObjectBase & RealmCollectionValue
    /// The object that is projected.
    var rootObject: Root { get }
    /// Creates a projection of an object.
    init(projecting object: Root)
}

extension ProjectionObservable {
    /// A projection of an object that no realm knows; see ``RealmCollectionValue/standIn``.
    static var standIn: Self { Self(projecting: Root()) }

    /// The class with its projected single values, for a description.
    var text: String {
        let name = "\(type(of: self))"
        if isInvalidated { return "\(name) (deleted)" }
        let values = ProjectionSchema.of(type(of: self)).properties
            .map { property in
                guard property.isSingleValue else { return "\(property.name): ..." }
                let value = rootObject[keyPath: property.keyPath].flatMap { unwrapped($0) }
                return "\(property.name): \(value.map { "\(ShownValue(held: $0))" } ?? "nil")"
            }
        return "\(name) { \(values.joined(separator: ", ")) }"
    }
}

/// The object behind an element of a collection: the element itself, or what it projects; nil for values.
func rootObject(of element: Any) -> ObjectBase? {
    if let object = element as? ObjectBase { return object }
    return (element as? any ProjectionObservable)?.rootObject
}

extension RealmCollectionValue {
    /// The paths of stored properties that an observer of elements names; those of projections are of the projection.
    ///
    /// - Returns: nil for all of an object; of a projection, what all of its properties show.
    static func storedKeyPaths(_ keyPaths: [String]?) -> [String]? {
        guard let type = self as? any ProjectionObservable.Type else { return keyPaths }
        return ProjectionSchema.of(type).chosen(keyPaths, of: "\(type)").map(\.storedKeyPath)
    }
}

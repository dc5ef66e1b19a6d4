/// Marks a property of a projection as one that reads and writes what a key path of the object leads to.
///
/// ```swift
/// class DogProjection: Projection<Dog> {
///     @Projected(\Dog.name) var name
///     @Projected(\Dog.owner?.name) var ownerName
/// }
/// ```
/// A key path to a property of the object itself can be written, inside of a transaction; one that passes an optional link, or
/// computes something, is read-only.
@frozen
@propertyWrapper
public struct Projected<T: ObjectBase, Value> {
    @usableFromInline let keyPath: KeyPath<T, Value>

    /// Declares a property that shows what a key path of the object leads to.
    @inlinable
    public init(_ projectedKeyPath: KeyPath<T, Value>) {
        keyPath = projectedKeyPath
    }

    /// Unavailable: a projected property needs the projection around it.
    @available(*, unavailable, message: "@Projected can only be used in classes derived from Projection")
    public var wrappedValue: Value {
        get { misuse("A projected property was read without the projection that it belongs to.") }
        // swift-format-ignore: UseEarlyExits
        set { misuse("A projected property was written without the projection that it belongs to.") }
    }

    /// Reads and writes the property of a projection.
    ///
    /// - Precondition: To write, the key path can be written; a managed object is written inside of a transaction.
    @inlinable
    public static subscript<Enclosing: ProjectionObservable>(
        _enclosingInstance projection: Enclosing,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<Enclosing, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<Enclosing, Self>
    ) -> Value where Enclosing.Root == T {
        get { projection.rootObject[keyPath: projection[keyPath: storageKeyPath].keyPath] }
        set { projection[keyPath: storageKeyPath].write(newValue, to: projection.rootObject) }
    }

    @usableFromInline
    func write(_ value: Value, to object: T) {
        guard let keyPath = keyPath as? ReferenceWritableKeyPath<T, Value> else {
            misuse(
                """
                A projected property of '\(T.className())' was assigned to whose key path cannot be written: it passes an \
                optional link or computes something; assign to the property of 'rootObject' instead.
                """
            )
        }
        object[keyPath: keyPath] = value
    }
}

/// A projected property that the schema of a projection finds by reflection.
protocol AnyProjected {
    var anyKeyPath: AnyKeyPath { get }
}

extension Projected: AnyProjected {
    var anyKeyPath: AnyKeyPath { keyPath }
}

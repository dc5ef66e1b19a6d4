/// An object that lists of a user interface tell apart without a property of its own for it.
///
/// ```swift
/// class Item: Object, ObjectKeyIdentifiable {
///     @Persisted var name: String
/// }
/// ```
/// A class that declares an `id` keeps its own. Without one, its `id` is stable for as long as the
/// object exists, and the same in all instances of a realm; of an unmanaged object it is that of the Swift instance.
public protocol ObjectKeyIdentifiable: Identifiable {}

extension ObjectKeyIdentifiable where Self: ObjectBase {
    /// The stable identity of the object among those of its class.
    public var id: UInt64 { stableIdentity }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
    /// The stable identity of the object that is projected among those of its class.
    public var id: UInt64 { rootObject.stableIdentity }
}

extension ObjectBase {
    /// The number of the row, or of the Swift instance while unmanaged.
    fileprivate final var stableIdentity: UInt64 {
        guard let core = _core else { return UInt64(UInt(bitPattern: ObjectIdentifier(self))) }
        return UInt64(bitPattern: core.key)
    }
}

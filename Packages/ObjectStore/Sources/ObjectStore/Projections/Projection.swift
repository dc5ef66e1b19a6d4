import EventModel

/// A view of an object with properties of its own, which read and write those of the object or of what it links to.
///
/// ```swift
/// class PersonProjection: Projection<Person> {
///     @Projected(\Person.firstName) var name
///     @Projected(\Person.lastName.localizedUppercase) var capitals
///     @Projected(\Person.address?.city) var city
///     @Projected(\Person.friends.projectTo.firstName) var friendNames: ProjectedCollection<String>
/// }
/// let people = realm.objects(PersonProjection.self)
/// ```
/// A projection stores nothing: it refers to its ``rootObject``, and every read goes through that. So it is as live as the
/// object, belongs to the same executor, and an observer of reads is told of the object.
///
/// Results of projections are those of their objects: conditions and orders in texts name the properties of the root class, key
/// paths may name properties of either.
open class Projection<Root: ObjectBase & RealmCollectionValue>: RealmCollectionValue, ProjectionObservable,
    CustomStringConvertible
{
    /// The object that is projected.
    public let rootObject: Root

    /// Creates a projection of an object, which may be unmanaged.
    public required init(projecting object: Root) {
        rootObject = object
    }

    /// The realm that manages the object; nil while unmanaged and once deleted.
    public final var realm: Realm? { rootObject.realm }

    /// Whether the object was deleted, or its realm was invalidated or rolled back.
    public final var isInvalidated: Bool { rootObject.isInvalidated }

    /// Names the class and the projected properties of a single value.
    open var description: String { text }

    // MARK: Equality

    /// Whether both project the same object: the same row of one instance of a realm, or the same unmanaged object.
    public static func == (left: Projection, right: Projection) -> Bool { left._identity == right._identity }

    /// Feeds what ``==(_:_:)`` compares to the hasher.
    public final func hash(into hasher: inout Hasher) { hasher.combine(_identity) }

    /// The row of a managed object, the instance of an unmanaged one.
    public final var _identity: _ObjectIdentity { _ObjectIdentity(rootObject) }

    // MARK: Elements

    /// What the store keeps for the object.
    public static var _elementType: _PropertyType { Root._elementType }

    /// Traps: objects are made of rows.
    public static func _element(column: Int32, of statement: OpaquePointer, in owner: ObjectCore, _ slot: Int) -> Self {
        misuse("A collection of '\(Self.self)' holds objects.")
    }

    /// Makes the projection of an element.
    public static func _element(_ row: _ElementRow?, of owner: ObjectCore, _ slot: Int) -> Self {
        Self(projecting: Root._element(row, of: owner, slot))
    }

    /// Makes the projection of a row.
    public static func _object(_ core: ObjectCore) -> Self {
        Self(projecting: Root._object(core))
    }

    /// Traps: objects are stored by their row.
    public final func _bindElement(to statement: OpaquePointer, at index: Int32) {
        misuse("A collection of '\(Self.self)' holds objects.")
    }

    /// Accepts a projection of the class.
    public static func _convertedElement(_ value: Any) -> Self? { value as? Self }
}

extension Projection: RealmFetchable where Root: Object {}

extension Projection: KeypathSortable {
    /// Finds the names of the root's properties that a key path of the projection leads through.
    public static func _names(of keyPath: AnyKeyPath) -> [String] {
        KeyPathRecorder.path(of: keyPath, on: self) { self.init(projecting: $0.object(Root.self)) }
    }
}

extension Projection: ThreadConfined {
    /// Where another instance finds the object; nil while unmanaged.
    public final var _confinedLocation: _Location? { rootObject._confinedLocation }

    /// Finds the object in an instance; nil when it does not exist there.
    public static func _located(_ location: _Location, in realm: Realm) -> Self? {
        Root._located(location, in: realm).map { Self(projecting: $0) }
    }
}

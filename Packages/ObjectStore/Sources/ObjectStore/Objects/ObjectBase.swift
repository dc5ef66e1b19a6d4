/// The common root of the classes that a realm stores.
///
/// Derive from ``Object`` or ``EmbeddedObject``, not from this class. An object is unmanaged, plain memory, until it
/// is added to a realm; from then on its persisted properties are those of its row.
open class ObjectBase: Hashable, CustomStringConvertible {
    /// The row behind a managed object; nil while unmanaged. Reading through it needs no reference counting.
    // SAFETY: counted as one reference, which `_core` takes and gives back, and `deinit`.
    @exclusivity(unchecked)
    @usableFromInline
    final var _row: Unmanaged<ObjectCore>?

    /// The same as an ordinary reference.
    @usableFromInline
    final var _core: ObjectCore? {
        get { _row?.takeUnretainedValue() }
        set {
            let old = _row
            _row = newValue.map(Unmanaged.passRetained)
            old?.release()
            if let newValue, newValue.table.schema.isEncodable { markWrappers(newValue.table.schema) }
        }
    }

    /// Creates an unmanaged object whose properties have their default values.
    public required init() {}

    deinit {
        _row?.release()
    }

    /// Creates an unmanaged object from a dictionary by property name, an array in order of declaration, or an object.
    ///
    /// Keys that are not properties are ignored, absent ones keep their defaults, nested dictionaries and arrays make
    /// unmanaged objects.
    ///
    /// - Precondition: Every value has the type of its property; use ``Realm/create(_:value:update:)`` for values that
    ///   may not, which throws from `write`.
    public convenience init(value: Any) {
        self.init()
        do throws(Realm.Error) {
            try UnmanagedWriter().fill(self, from: value, depth: 0)
        } catch {
            misuse("'\(Self.className())' cannot be created from the value: \(error.message)")
        }
    }

    /// The name of the class as stored: the Swift name without the types around it.
    public class func className() -> String {
        _realmObjectName() ?? String(describing: self)
    }

    /// Returns another name for the class, when two classes would have the same one.
    open class func _realmObjectName() -> String? { nil }

    /// Whether realms without `objectTypes` manage the class.
    open class func shouldIncludeInDefaultSchema() -> Bool { true }

    /// The stored names of properties, by their Swift names; properties that are absent keep theirs.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// Names the primary key of a class that does not mark it with `@Persisted(primaryKey: true)`; nil otherwise.
    ///
    /// It is what a class says, not what comes of it: the key of any class is that of ``sharedSchema()``.
    open class func primaryKey() -> String? { nil }

    /// Names properties that have an index though they are not marked with `@Persisted(indexed: true)`.
    open class func indexedProperties() -> [String] { [] }

    /// Names properties that are not stored, which is true of every one without `@Persisted` anyway.
    ///
    /// A realm with a class that names a persisted one here cannot be opened.
    open class func ignoredProperties() -> [String] { [] }

    /// Describes the class as realms store it; nil when its declaration breaks a rule, which opening a realm tells of.
    public class func sharedSchema() -> ObjectSchema? {
        let schema = Result { () throws(Realm.Error) in try ClassSchema.of(self) }
        return (try? schema.get()).map(ObjectSchema.init)
    }

    /// The realm that manages the object; nil while unmanaged and once deleted.
    public final var realm: Realm? {
        guard let core = _core, core.isValid else { return nil }
        return core.realm.map(Realm.init(core:))
    }

    /// Whether the object was deleted, or its realm was invalidated or rolled back.
    open var isInvalidated: Bool {
        guard let core = _core else { return false }
        let isValid = core.isValid
        if core.table.schema.isObservable { core.realm?.notifications.didRead(SlotSet.lastPlace, core) }
        return !isValid
    }

    /// Reads or writes a property by its Swift name.
    ///
    /// - Precondition: The class has the property. A value of another type dooms the transaction of a managed object.
    open subscript(key: String) -> Any? {
        get { value(forKey: key) }
        set { setValue(newValue, forKey: key) }
    }

    /// Names the class and the properties of a single value.
    open var description: String { text }

    // MARK: Equality

    /// Whether the other value is this object: the same instance, or the same row of a class with a primary key.
    open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ObjectBase else { return false }
        if other === self { return true }
        guard let core = _core, let otherCore = other._core, core.table.schema.primaryKeySlot != nil || isFrozen else {
            return false
        }
        return core.isSameRow(as: otherCore)
    }

    /// A hash that equal objects share.
    open var hash: Int {
        guard let core = _core, core.table.schema.primaryKeySlot != nil || isFrozen else {
            return ObjectIdentifier(self).hashValue
        }
        return core.key.hashValue
    }

    /// Whether both are the same object; see ``isEqual(_:)``.
    public static func == (left: ObjectBase, right: ObjectBase) -> Bool { left.isEqual(right) }

    /// Feeds ``hash`` to the hasher.
    public final func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// Marks a property of a model class as stored.
///
/// ```swift
/// class Person: Object {
///     @Persisted(primaryKey: true) var id: ObjectId
///     @Persisted(indexed: true) var name: String
///     @Persisted var birthday: Date?
///     @Persisted var dogs: List<Dog>
/// }
/// ```
/// While the object is unmanaged the wrapper holds the value; of a managed object it reads and writes the row. A
/// managed read costs a thread check, a comparison of two counters and the decoding of one slot.
@frozen
@propertyWrapper
public struct Persisted<Value: _Persistable> {
    @usableFromInline var stored: Value?
    @usableFromInline var mark: PersistedMark

    /// Declares a property with the default value of its type.
    @inlinable
    public init() {
        stored = nil
        mark = PersistedMark([])
    }

    /// Declares a property with a default value.
    @inlinable
    public init(wrappedValue: Value) {
        stored = wrappedValue
        mark = PersistedMark([])
    }

    /// Unavailable: a persisted property needs the object around it.
    @available(*, unavailable, message: "@Persisted can only be used in classes derived from Object or EmbeddedObject")
    public var wrappedValue: Value {
        get { misuse("A persisted property was read without the object that it belongs to.") }
        // swift-format-ignore: UseEarlyExits
        set { misuse("A persisted property was written without the object that it belongs to.") }
    }

    /// Reads and writes the property of an object.
    @inlinable
    public static subscript<Enclosing: ObjectBase>(
        _enclosingInstance object: Enclosing,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<Enclosing, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<Enclosing, Self>
    ) -> Value {
        @inline(__always)
        get {
            if let row = object._row {
                let offset = offset(of: storageKeyPath, in: object)
                return row._withUnsafeGuaranteedRef { core in
                    let slot = core.slot(at: offset)
                    core.validate(slot)
                    return Value._read(core, slot)
                }
            }
            if let value = object[keyPath: storageKeyPath].stored { return value }
            let value = Value._defaultValue()
            if Value._keepsDefault { object[keyPath: storageKeyPath].stored = value }
            return value
        }
        @inline(__always)
        set {
            if let core = object._core {
                Value._assign(newValue, core, core.slot(at: offset(of: storageKeyPath, in: object)))
            } else {
                object[keyPath: storageKeyPath].assignUnmanaged(newValue)
            }
        }
    }

    /// How far the wrapper lies behind the start of its object, in bytes.
    ///
    /// The storage behind a wrapper is private to its class and so never overridden: the key path projects its real
    /// address, the same one that reflection reports.
    @inlinable
    @inline(__always)
    static func offset<Enclosing: ObjectBase>(
        of storage: ReferenceWritableKeyPath<Enclosing, Self>,
        in object: Enclosing
    ) -> Int {
        withUnsafeMutablePointer(to: &object[keyPath: storage]) { UnsafeRawPointer($0) }
            - UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    @inlinable
    @inline(__always)
    mutating func assignUnmanaged(_ value: Value) {
        Value._store(value, in: &stored)
    }
}

/// What a declaration says about its property beside the type.
@frozen
@usableFromInline
struct PersistedOptions: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @inlinable
    init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable static var primaryKey: PersistedOptions { PersistedOptions(rawValue: 1) }
    @inlinable static var indexed: PersistedOptions { PersistedOptions(rawValue: 2) }
}

// MARK: - Keys and indexes

extension Persisted where Value.PersistedType: _Indexable {
    /// Declares a property with the default value of its type and, if asked, an index.
    @inlinable
    public init(indexed: Bool) {
        stored = nil
        mark = PersistedMark(indexed ? .indexed : [])
    }

    /// Declares a property with a default value and, if asked, an index.
    @inlinable
    public init(wrappedValue: Value, indexed: Bool) {
        stored = wrappedValue
        mark = PersistedMark(indexed ? .indexed : [])
    }
}

extension Persisted where Value.PersistedType: _PrimaryKey {
    /// Declares the primary key of the class.
    @inlinable
    public init(primaryKey: Bool) {
        stored = nil
        mark = PersistedMark(primaryKey ? .primaryKey : [])
    }

    /// Declares the primary key of the class, with a default value.
    @inlinable
    public init(wrappedValue: Value, primaryKey: Bool) {
        stored = wrappedValue
        mark = PersistedMark(primaryKey ? .primaryKey : [])
    }
}

extension Persisted where Value: LinkingObjectsProtocol {
    /// Declares a property that shows the objects whose links lead to its object.
    ///
    /// - Parameter originProperty: The name of the property that links, in the class of those objects.
    @inlinable
    public init(originProperty: String) {
        stored = Value(_originProperty: originProperty)
        mark = PersistedMark([])
    }
}

// MARK: - Reflection

/// A stored property that the schema finds by reflection.
protocol PersistedField: SendableMetatype {
    static var valueType: any _Persistable.Type { get }
    /// Reads the options of the wrapper at an address.
    static func options(at address: UnsafeRawPointer) -> PersistedOptions
    /// Marks the wrapper at an address as the one of a slot of a managed object.
    static func mark(at address: UnsafeMutableRawPointer, object: ObjectBase, slot: Int)
    /// Whether the wrapper at an address of an unmanaged object has a value.
    static func hasValue(at address: UnsafeRawPointer) -> Bool
    /// Reads from the wrapper at an address which links the property shows; nil when it does not show links.
    static func originProperty(at address: UnsafeRawPointer) -> String?
}

extension Persisted: PersistedField {
    static var valueType: any _Persistable.Type { Value.self }

    static func options(at address: UnsafeRawPointer) -> PersistedOptions {
        address.assumingMemoryBound(to: Self.self).pointee.mark.options
    }

    static func mark(at address: UnsafeMutableRawPointer, object: ObjectBase, slot: Int) {
        address.assumingMemoryBound(to: Self.self).pointee.mark = PersistedMark(object: object, slot: slot)
    }

    static func hasValue(at address: UnsafeRawPointer) -> Bool {
        address.assumingMemoryBound(to: Self.self).pointee.stored != nil
    }

    static func originProperty(at address: UnsafeRawPointer) -> String? {
        (address.assumingMemoryBound(to: Self.self).pointee.stored as? any LinkingObjectsProtocol)?._originProperty
    }
}

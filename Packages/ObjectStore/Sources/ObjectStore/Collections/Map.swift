public import EventModel
import Foundation

/// A type that the keys of a ``Map`` may have: `String` only.
public protocol _MapKey: Hashable, Sendable, SendableMetatype {
    /// Creates a key from the stored text.
    init(_entryKey: String)
    /// The text to store.
    var _entryKey: String { get }
}

extension String: _MapKey {
    /// The text itself.
    public init(_entryKey: String) { self = _entryKey }
    /// The text itself.
    public var _entryKey: String { self }
}

/// A collection of a persisted property that finds its values by keys.
///
/// Any text may be a key; two keys are the same when their bytes are. Entries come in the order of their keys' bytes.
/// The map of an unmanaged object is plain memory; once the object is managed the same map reads and writes the realm.
/// Assigning to the property replaces the contents, the map itself stays.
///
/// Values that are objects must be optional, because deleting the object leaves an entry that is null:
/// ```swift
/// @Persisted var favouriteParks: Map<String, String>
/// @Persisted var dogs: Map<String, Dog?>
/// ```
public final class Map<Key: _MapKey, Value: RealmCollectionValue> {
    /// The entries while unmanaged.
    private var unmanaged = UnmanagedMap<Value>()
    /// The entries in the realm.
    private(set) var managed: ManagedMap<Value>?

    /// Creates an empty unmanaged map.
    public init() {}

    /// Creates the map of a managed object.
    public init(_core core: ObjectCore, _ slot: Int) {
        managed = ManagedMap(core, slot)
    }

    /// Creates a map that lies inside a value of any type.
    init(nested key: Int64, of core: ObjectCore, _ slot: Int) {
        managed = ManagedMap(core, slot, nested: key)
    }

    /// The realm that manages the map; nil while unmanaged.
    public var realm: Realm? { managed?.realm }

    /// Whether the object that the map belongs to was deleted.
    public var isInvalidated: Bool { managed?.isInvalidated ?? false }

    // MARK: Reading

    /// How many entries there are.
    public var count: Int { managed?.count ?? unmanaged.count }

    /// The keys, in the order of their bytes.
    public var keys: [Key] { texts.map(Key.init(_entryKey:)) }

    /// The values, in the order of their keys.
    public var values: [Value] { map(\.value) }

    /// Reads a value, adds or replaces one, or removes the entry by assigning nil.
    ///
    /// When values are optional, `.some(nil)` is a value and `nil` removes.
    public subscript(key: Key) -> Value? {
        get {
            guard let managed else { return unmanaged[key._entryKey] }
            return managed.value(of: key._entryKey)
        }
        set {
            if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
        }
    }

    /// The keys as texts, in order.
    private var texts: [String] { managed?.keys ?? unmanaged.keys() }

    // MARK: Changing

    /// Adds a value, or replaces the one of the key; an unmanaged object is added to the realm.
    public func updateValue(_ value: Value, forKey key: Key) {
        update(CollectionOfOne((key._entryKey, value)))
    }

    /// Removes an entry; nothing happens when there is none.
    public func removeObject(for key: Key) {
        if let managed {
            managed.remove(key._entryKey)
        } else {
            unmanaged[key._entryKey] = nil
        }
    }

    /// Removes all entries; embedded objects are deleted, others stay in the realm.
    public func removeAll() {
        if let managed {
            managed.removeAll()
        } else {
            unmanaged = UnmanagedMap()
        }
    }

    /// Adds the entries of a sequence such as a dictionary.
    ///
    /// - Parameters:
    ///   - sequence: The entries.
    ///   - combine: Chooses between the value that is there and the new one of the same key.
    /// - Throws: What the closure throws; entries before that are added.
    public func merge<S: Sequence>(_ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows
    where S.Element == (key: Key, value: Value) {
        for (key, value) in sequence {
            updateValue(try self[key].map { try combine($0, value) } ?? value, forKey: key)
        }
    }

    /// Adds the entries of another map.
    ///
    /// - Parameters:
    ///   - other: The entries.
    ///   - combine: Chooses between the value that is there and the new one of the same key.
    /// - Throws: What the closure throws; entries before that are added.
    public func merge(_ other: Map, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows {
        try merge(other.asKeyValueSequence(), uniquingKeysWith: combine)
    }

    private func update(_ entries: some Sequence<(key: String, value: Value)>) {
        if let managed {
            managed.set(entries)
        } else {
            for (key, value) in entries { unmanaged[key] = value }
        }
    }
}

// MARK: - Values of any type

extension Map {
    /// Adds or replaces a value, converting it as `create` does; nil removes the entry.
    ///
    /// - Precondition: A transaction is open if the map is managed. A value that cannot be converted dooms the
    ///   transaction of a managed map and traps for an unmanaged one.
    public func setValue(_ value: Any?, forKey key: String) {
        guard let value, unwrapped(value) != nil || value is NSNull else {
            return removeObject(for: Key(_entryKey: key))
        }
        if let managed { return managed.set(converting: value, for: key) }
        do throws(Realm.Error) {
            unmanaged[key] = try TakenValues.element(Value.self, from: value, at: "a map of '\(Value.self)'")
        } catch {
            misuse("The value cannot be stored: \(error.message)")
        }
    }

    /// Reads a value; nil when there is no entry or its value is null.
    public func value(forKey key: String) -> Any? {
        self[Key(_entryKey: key)].flatMap { unwrapped($0) }
    }

    /// Reads a value; nil when there is no entry, its value is null, or the key is no text.
    public func object(forKey key: Any) -> Any? {
        (key as? String).flatMap(value(forKey:))
    }
}

// MARK: - Property

extension Map: _CollectionProperty {
    /// A map.
    public static var _collection: PropertyShape.Collection { .dictionary }
    /// What the store keeps for a value: deleting an object leaves its entry with null, also where a type of the program hides that.
    public static var _valueType: _PropertyType {
        let type = Value._elementType
        guard type.kind == .embedded, Value.self is any FailableCustomPersistable.Type else { return type }
        return _PropertyType(kind: .embedded, isOptional: true, target: type.target)
    }
    /// Those that hand out the collection of an object, which reads and writes its own table.
    public static var _operations: _PropertyOperations { collectionOperations }
    /// Replaces the contents by those of another map; by those of the same map it changes nothing.
    public func _replaceContents(with other: Map) {
        guard !isSame(as: other) else { return }
        let entries = other.entries
        removeAll()
        update(entries)
    }

    /// The entries, without telling an observer.
    var entries: [(key: String, value: Value)] {
        guard let managed else { return unmanaged.keys().compactMap { key in unmanaged[key].map { (key, $0) } } }
        let contents = managed.current()
        return contents.labels.indices.map { (contents.labels[$0], managed.element(contents, $0)) }
    }
}

extension Map: PersistedCollection {
    var owner: (core: ObjectCore, slot: Int)? { managed.map { ($0.core, $0.slot) } }

    var nestedKey: NestedKey? { managed?.nestedKey }

    var isGone: Bool { isInvalidated }

    static func make(_ core: ObjectCore, _ slot: Int, nested: NestedKey?) -> Map {
        nested.map { Map(nested: $0.key, of: core, slot) } ?? Map(_core: core, slot)
    }

    /// Writes what the map holds as one inside a value of any type, and becomes that one unless it is copied.
    func write(nested key: Int64, in core: ObjectCore, _ slot: Int, _ writer: ObjectWriter) throws(Realm.Error) {
        let held = taken
        let map = ManagedMap<Value>(core, slot, nested: key)
        if managed == nil, !writer.copies {
            managed = map
            unmanaged = UnmanagedMap()
        }
        try map.insert(held, writer)
    }

    var taken: TakenValues { TakenValues(entries.map { TakenValues.Item(key: $0.key, value: $0.value) }) }

    func attach(to core: ObjectCore, _ slot: Int) -> TakenValues? {
        guard canAttach(to: core, slot) else { return nil }
        let held = taken
        managed = ManagedMap(core, slot)
        unmanaged = UnmanagedMap()
        return held
    }

    func insert(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        try managed?.insert(values, writer)
    }

    func assign(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        try managed?.assign(values, writer)
    }

    func fill(from values: TakenValues, at place: String, depth: Int) throws(Realm.Error) {
        let made = try values.made(Value.self, at: place, depth: depth)
        unmanaged = UnmanagedMap()
        for (key, value) in made { unmanaged[key] = value }
    }
}

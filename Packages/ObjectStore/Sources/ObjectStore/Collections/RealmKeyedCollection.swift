/// A collection of a realm whose values are found by keys; ``Map`` is the only one.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
    /// The type of the keys.
    associatedtype Key: _MapKey
    /// The type of the values.
    associatedtype Value: RealmCollectionValue
    /// How many entries there are.
    var count: Int { get }
    /// The keys.
    var keys: [Key] { get }
    /// The values.
    var values: [Value] { get }
    /// Reads, adds, replaces or removes a value.
    subscript(key: Key) -> Value? { get set }
    /// Whether an entry fulfils a condition.
    func contains(where predicate: (_ key: Key, _ value: Value) -> Bool) -> Bool
}

/// One entry of a ``Map``.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: Hashable {
    /// The key.
    public var key: Key
    /// The value.
    public var value: Value

    /// Creates an entry.
    public init(key: Key, value: Value) {
        self.key = key
        self.value = value
    }
}

/// The entries of a ``Map`` as pairs.
public struct KeyValueSequence<Key: _MapKey, Value: RealmCollectionValue>: Sequence {
    let map: Map<Key, Value>

    /// Iterates over the entries as they are now.
    public func makeIterator() -> AnyIterator<(key: Key, value: Value)> {
        let entries = map.makeIterator()
        return AnyIterator { entries.next().map { ($0.key, $0.value) } }
    }
}

extension Map: RealmKeyedCollection {
    /// Iterates over the entries as they are now: changes that are made meanwhile do not disturb it.
    public func makeIterator() -> AnyIterator<SingleMapEntry<Key, Value>> {
        if let managed {
            let contents = managed.current()
            var index = 0
            return AnyIterator {
                guard index < contents.labels.count else { return nil }
                defer { index += 1 }
                let key = Key(_entryKey: contents.labels[index])
                return SingleMapEntry(key: key, value: managed.read(contents, index))
            }
        }
        let entries = entries.makeIterator()
        var remaining = entries
        return AnyIterator {
            remaining.next().map { SingleMapEntry(key: Key(_entryKey: $0.key), value: $0.value) }
        }
    }

    /// Whether an entry fulfils a condition.
    public func contains(where predicate: (_ key: Key, _ value: Value) -> Bool) -> Bool {
        contains { entry in predicate(entry.key, entry.value) }
    }

    /// The entries as pairs, such as to make a dictionary.
    public func asKeyValueSequence() -> KeyValueSequence<Key, Value> { KeyValueSequence(map: self) }
}

extension Map: ExpressibleByDictionaryLiteral {
    /// Creates an unmanaged map; of two values of one key the later counts.
    public convenience init(dictionaryLiteral elements: (Key, Value)...) {
        self.init()
        for (key, value) in elements { updateValue(value, forKey: key) }
    }
}

extension Map: Hashable {
    /// Whether both are the same map of the same object, or two unmanaged maps of equal entries.
    ///
    /// - Complexity: O(*n*) for unmanaged ones.
    public static func == (left: Map, right: Map) -> Bool {
        left.isSame(as: right) || left.hasEqualContents(as: right)
    }

    /// Feeds the identity of the map to the hasher; unmanaged ones, whose contents may change, all have one hash.
    public func hash(into hasher: inout Hasher) { hashOwner(into: &hasher) }
}

extension Map: CustomStringConvertible {
    /// The entries, as a dictionary shows them.
    public var description: String {
        if isInvalidated { return "Map<\(Key.self), \(Value.self)> (deleted)" }
        let entries = map { "\"\($0.key)\": \(ShownValue($0.value))" }.joined(separator: ", ")
        return "Map<\(Key.self), \(Value.self)> [\(entries.isEmpty ? ":" : entries)]"
    }
}

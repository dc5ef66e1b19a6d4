/// The metadata of an event: string columns beside its own fields, sorted by key and encoded once.
///
/// Sharing one value among all events of a scope costs a reference each.
public struct EventMetadata: Sendable, Hashable {
    /// No metadata.
    public static let empty = EventMetadata(sorted: [])

    /// The columns that an event has by itself, which a key must not name.
    public static let reservedKeys: Set<String> = [
        "_id", "_partition", "timestamp", "activity", "event", "data", "daybook",
    ]

    /// The keys with their values, sorted by the bytes of the key.
    public let entries: [Entry]
    /// The canonical encoding: the count, then length and bytes of each key and value.
    package let encoded: [UInt8]

    /// One metadata column of an event.
    public struct Entry: Sendable, Hashable {
        /// The name of the column, 1 to 63 bytes.
        public let key: String
        /// The text, possibly empty.
        public let value: String
    }

    /// Checks the keys and encodes the metadata.
    ///
    /// - Throws: ``EventModelError/invalidMetadataKey(_:reason:)`` for a key that is empty, longer than 63 bytes,
    ///   has a control character or is one of ``reservedKeys``; nothing is kept of metadata that has such a key.
    public init(_ metadata: [String: String]) throws(EventModelError) {
        for key in metadata.keys.sorted() {
            guard (1...63).contains(key.utf8.count) else {
                throw .invalidMetadataKey(key, reason: "a key has 1 to 63 bytes, this one has \(key.utf8.count)")
            }
            guard !key.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw .invalidMetadataKey(key, reason: "a key has no control characters")
            }
            guard !Self.reservedKeys.contains(key) else {
                throw .invalidMetadataKey(key, reason: "the event has a property of this name")
            }
        }
        self.init(
            sorted: metadata.map(Entry.init).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        )
    }

    /// Builds metadata whose keys were checked where they were recorded.
    package init(sorted entries: [Entry]) {
        self.entries = entries
        var writer = EventWriter()
        writer.append(varint: UInt64(entries.count))
        for entry in entries {
            writer.append(text: entry.key)
            writer.append(text: entry.value)
        }
        encoded = writer.bytes
    }

    /// The value of a key, or nil.
    public subscript(key: String) -> String? {
        entries.first { $0.key == key }?.value
    }

    /// The entries as a dictionary.
    ///
    /// Of keys that differ in bytes and are equal as Swift strings, which only decoded metadata can have, the last counts.
    public var dictionary: [String: String] {
        Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
    }
}

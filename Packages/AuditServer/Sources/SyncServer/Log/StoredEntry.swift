/// One entry of a realm's log as it lies in the store and goes over the wire.
public struct StoredEntry: Sendable, Hashable {
    /// The number of the entry.
    public let number: Int
    /// The bytes, which nobody encodes again.
    public let bytes: [UInt8]

    /// Creates an entry from its bytes.
    public init(number: Int, bytes: [UInt8]) {
        self.number = number
        self.bytes = bytes
    }
}

/// Entries of a log that follow one another.
public struct EntryPage: Sendable, Hashable, HubPage {
    /// The entries, in order and without a gap.
    public let entries: [StoredEntry]
    /// The number of the newest entry of the realm when they were read.
    public let head: Int

    /// Creates a page.
    public init(entries: [StoredEntry], head: Int) {
        self.entries = entries
        self.head = head
    }

    /// Whether there are no entries.
    public var isEmpty: Bool { entries.isEmpty }
}

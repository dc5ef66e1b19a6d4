import EventModel

/// The whole snapshots that were captured lately, one by one, each good as long as the store stays as it is.
///
/// A program looks at the same few objects again and again, and each look is recorded: what was captured of an object costs no query
/// then, and is the same row in the memory of whoever keeps it.
struct WholeRows {
    /// How many snapshots are kept at most, a power of two; each keeps the memory of those that were captured around it.
    static let capacity = 128
    /// How large a snapshot may be that is kept, in bytes.
    private static let maximumRowBytes = 16_384

    private struct Entry {
        let row: ObjectSnapshot
        /// The generation of the store that it was captured at: what is in a whole row lies in the tables of several classes.
        let generation: UInt64
    }

    private var entries: [Entry?] = []

    /// The whole snapshot of a row that is read at a generation of the store, if it was captured at that.
    func whole(_ row: ObjectSnapshot, at generation: UInt64) -> ObjectSnapshot? {
        guard !entries.isEmpty, let entry = entries[Self.place(of: row.key)], entry.generation == generation,
            entry.row.key == row.key, entry.row.version == row.version
        else { return nil }
        return entry.row
    }

    /// Keeps a whole snapshot in place of the one that was there, unless it is large.
    mutating func keep(_ whole: ObjectSnapshot, at generation: UInt64) {
        guard whole.byteCount <= Self.maximumRowBytes else { return }
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.capacity) }
        entries[Self.place(of: whole.key)] = Entry(row: whole, generation: generation)
    }

    private static func place(of key: Int64) -> Int { Int(truncatingIfNeeded: key) & (capacity - 1) }
}

import EventModel

/// The rows that were found by a key lately, each good as long as it does not change.
///
/// Objects are often looked up again and again, such as the patient on the screen; a row that is here costs no query.
struct RecentRows {
    /// A row's own key, or a primary key of the types that rows are kept for.
    ///
    /// Text is none of them, because equal texts may differ in bytes.
    enum Key: Equatable {
        case int(Int)
        case objectId(ObjectId)

        /// Takes a key of any type; nil when it is another type, for which a query is made each time.
        @inline(__always)
        init?<Value>(_ value: Value) {
            // The types are the same where this is reached, and a cast between types that are the same is a load.
            if Value.self == Int.self {
                self = .int(unsafeBitCast(value, to: Int.self))
            } else if Value.self == ObjectId.self {
                self = .objectId(unsafeBitCast(value, to: ObjectId.self))
            } else {
                return nil
            }
        }

        /// Where the row of this key is kept; numbers that follow each other have places of their own.
        fileprivate func place(in capacity: Int) -> Int {
            switch self {
            case .int(let number): number & (capacity - 1)
            case .objectId(let id): id.hashValue & (capacity - 1)
            }
        }
    }

    /// How many rows are kept at most, a power of two; each keeps the memory of the rows that were read around it.
    private let capacity: Int

    private struct Entry {
        let key: Key
        /// The generation of the table that the row was read at.
        let generation: UInt64
        let row: ObjectSnapshot
    }

    /// How large a row may be that is kept, in bytes: a picture is better read again.
    private static let maximumRowBytes = 16_384

    private var entries: [Entry?] = []

    init(capacity: Int) { self.capacity = capacity }

    /// The row of a key, if it was found lately and did not change since.
    @inline(__always)
    func row(_ key: Key, _ changes: borrowing RowGenerations) -> ObjectSnapshot? {
        guard !entries.isEmpty, let entry = entries[key.place(in: capacity)], entry.key == key,
            changes.isUnchanged(entry.row.key, since: entry.generation)
        else { return nil }
        return entry.row
    }

    /// Keeps a row in place of the one that was there, unless it is large.
    mutating func keep(_ row: ObjectSnapshot, for key: Key, at generation: UInt64) {
        guard row.rowBytes.count <= Self.maximumRowBytes else { return }
        if entries.isEmpty { entries = Array(repeating: nil, count: capacity) }
        entries[key.place(in: capacity)] = Entry(key: key, generation: generation, row: row)
    }
}

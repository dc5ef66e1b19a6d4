import EventModel

/// The rows that were found by their primary keys lately, each good as long as it does not change.
///
/// Objects are often looked up again and again, such as the patient on the screen; a row that is here costs no query.
struct RecentRows {
    /// A primary key of the types that rows are kept for; text is none of them, because equal texts may differ in bytes.
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
        fileprivate var place: Int {
            switch self {
            case .int(let number): number & (capacity - 1)
            case .objectId(let id): id.hashValue & (capacity - 1)
            }
        }
    }

    /// How many rows are kept at most, a power of two.
    static let capacity = 128

    private struct Entry {
        let key: Key
        /// The generation of the table that the row was read at.
        let generation: UInt64
        let row: ObjectSnapshot
    }

    private var entries: [Entry?] = []

    /// The row of a key, if it was found lately and did not change since.
    @inline(__always)
    func row(_ key: Key, _ changes: borrowing RowGenerations) -> ObjectSnapshot? {
        guard !entries.isEmpty, let entry = entries[key.place], entry.key == key,
            changes.isUnchanged(entry.row.key, since: entry.generation)
        else { return nil }
        return entry.row
    }

    /// Keeps a row in place of the one that was there.
    mutating func keep(_ row: ObjectSnapshot, for key: Key, at generation: UInt64) {
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.capacity) }
        entries[key.place] = Entry(key: key, generation: generation, row: row)
    }
}

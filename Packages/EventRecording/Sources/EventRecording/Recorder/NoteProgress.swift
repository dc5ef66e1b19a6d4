/// Which notes in the realm's file are still needed.
///
/// A note is needed as long as one of the scopes that it names is not stored, and the write is in no journal that is on the
/// disk. Notes are released up to a key, as a whole.
struct NoteProgress: Sendable {
    /// So many bytes of notes are in the realm's file before the journal is synced, so that it keeps the writes instead: 64 KiB.
    static let maximumBytes = 64 << 10

    /// A note that is durable and not released.
    private struct Entry {
        let key: Int64
        /// The place of the note among those of this process, in the order of their transactions.
        let number: Int
        let byteCount: Int
        /// Where the write is in the log of captures.
        let position: Int
    }

    /// A note of which it is not known what became of its transaction.
    private struct Flight {
        let number: Int
        /// Gone when the transaction failed.
        weak var note: WriteNote?
    }

    /// The first note of each scope that is active or not stored yet.
    private var firstKeys: [Int: Int64] = [:]
    private var entries: [Entry] = []
    private var inFlight: [Flight] = []
    private var nextNumber = 0
    private var releasedKey: Int64 = 0
    /// The greatest key of a note whose write, with all before it, is in a journal on the disk.
    private var journaledKey: Int64 = 0
    /// How many bytes the notes have that are not released.
    private var byteCount = 0
    /// With more than so many, writes are moved to the journal.
    private var limit = Self.maximumBytes
    private var isMoving = false
    private var isFailing = false

    /// Whether no scope needs a note, and no transaction with one is going on.
    var isIdle: Bool { firstKeys.isEmpty && !inFlight.contains { $0.note != nil } }

    /// Notes that a note was made whose transaction comes after those of all before it.
    mutating func willKeep(_ note: WriteNote) {
        inFlight.removeAll { $0.note == nil }
        inFlight.append(Flight(number: nextNumber, note: note))
        nextNumber += 1
    }

    /// Notes that a note is durable.
    ///
    /// - Parameters:
    ///   - note: The note.
    ///   - key: Its key, greater than those of the transactions before it.
    ///   - position: Where its write is, or would be, in the log of captures.
    ///   - scopes: The scopes that it names and that are not over yet.
    /// - Returns: Whether writes must be moved to the journal now, so that the realm's file does not grow with them.
    mutating func didKeep(_ note: WriteNote, _ key: Int64, at position: Int, of scopes: some Sequence<Int>) -> Bool {
        guard let index = inFlight.firstIndex(where: { $0.note === note }) else { return false }
        let entry = Entry(
            key: key,
            number: inFlight.remove(at: index).number,
            byteCount: note.bytes.count,
            position: position
        )
        for scope in scopes { firstKeys[scope] = min(key, firstKeys[scope] ?? .max) }
        // Two threads may report their transactions in another order than that of the transactions.
        let place = (entries.lastIndex { $0.key < key } ?? -1) + 1
        entries.insert(entry, at: place)
        byteCount += entry.byteCount
        guard byteCount > limit, !isMoving else { return false }
        isMoving = true
        return true
    }

    /// Forgets a note whose transaction is durable without it.
    mutating func didFailToKeep(_ note: WriteNote) { inFlight.removeAll { $0.note === note } }

    /// Notes that scopes are over.
    mutating func didForget(_ scopes: some Sequence<Int>) {
        for scope in scopes { firstKeys[scope] = nil }
    }

    /// Notes how far the writes are in a journal that is on the disk.
    ///
    /// - Parameter position: The position behind the last capture that is.
    mutating func didSync(through position: Int) {
        for entry in entries {
            guard entry.position < position else { break }
            journaledKey = entry.key
        }
    }

    /// Notes that writes were moved as far as they can be.
    ///
    /// - Parameter isFailing: Whether the journal could not be synced.
    /// - Returns: Whether that is the first time since it could.
    mutating func didMove(isFailing: Bool) -> Bool {
        defer { self.isFailing = isFailing }
        isMoving = false
        // What could not be moved is tried again when as much was written once more, and not with every write.
        limit = byteCount + Self.maximumBytes
        return isFailing && !self.isFailing
    }

    /// Takes the key up to which nobody needs the notes any more; nil when that is none that was not taken before.
    mutating func takeReleasable() -> Int64? {
        // What is reported last may have come first; a note that is not reported is needed.
        let limit = inFlight.lazy.filter { $0.note != nil }.map(\.number).min() ?? .max
        let needed = firstKeys.values.min() ?? .max
        var count = 0
        while count < entries.count, entries[count].number < limit,
            entries[count].key < needed || entries[count].key <= journaledKey
        {
            byteCount -= entries[count].byteCount
            releasedKey = entries[count].key
            count += 1
        }
        entries.removeFirst(count)
        return count > 0 ? releasedKey : nil
    }
}

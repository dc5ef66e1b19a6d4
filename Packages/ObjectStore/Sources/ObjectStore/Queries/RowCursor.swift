import EventModel

/// Reads the rows of a query in batches while the program goes over them, so that a long result never lies in memory.
///
/// The cursor shows the rows as they were when it was made: before its connection releases the version, it reads all
/// that are left.
final class RowCursor {
    /// How many rows are read at once; a shorter result is read whole and kept by its ``ResultState``.
    static let batchCount = 256

    /// The rows of the current batch.
    private(set) var batch: [ObjectSnapshot] = []
    private let core: RealmCore
    private let reader: RowReader

    /// The properties that the rows of the batch have; see ``LoadedSlots``.
    private(set) var loaded = LoadedSlots.all

    /// Reads the first batch, whole.
    init(_ core: RealmCore, _ reader: RowReader) throws(Realm.Error) {
        self.core = core
        self.reader = reader
        batch.reserveCapacity(Self.batchCount)
        try reader.read(upTo: Self.batchCount, into: &batch, core)
        if reader.isReading { core.store.register(reader) }
    }

    deinit {
        // On any thread: the connection takes the statement back when it is used again.
        reader.abandon()
    }

    /// Whether every row was read.
    var isAtEnd: Bool { reader.isAtEnd }

    /// Replaces the batch with the next one.
    ///
    /// - Returns: False when there is none.
    func advance() -> Bool {
        core.checkThread()
        // The sweep of idle versions may be reading the rest.
        core.reading(or: ()) { () throws(Realm.Error) in
            try reader.read(upTo: Self.batchCount, into: &batch, core)
        }
        loaded = reader.loaded
        return !batch.isEmpty
    }
}

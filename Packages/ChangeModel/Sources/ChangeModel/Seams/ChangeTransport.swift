/// What the sync of a realm asks of a server, about one realm.
///
/// **Errors.** Every call throws ``ChangeModelError/failed(_:)``; after `unreachable` the server may have done what was
/// asked. Everything may be asked again: a change is known by its file and number, and is taken once.
///
/// **Cancellation.** A cancelled call ends soon and throws `unreachable` or `CancellationError`.
///
/// **Implementing.** Calls may be made at once: an upload while another call waits for entries.
/// `ChangeTransportConformance` checks the promises.
public protocol ChangeTransport: Sendable {
    /// Presents a file to the server, which gives a new one its number and salt.
    ///
    /// - Throws: With `historyChanged`, `fileInUse`, `invalidSchemaChange`, `forbidden` or `unauthorized`.
    func bind(_ request: BindRequest) async throws -> BindAnswer

    /// Sends changes.
    ///
    /// - Parameter batch: The bytes of a ``SignedBatch``.
    /// - Returns: What the server has for good, at least everything in the batch.
    /// - Throws: With `gap` when a change before them is missing, and `conflict` when the server has other bytes under one
    ///   of the numbers; nothing of the batch was taken then.
    func send(_ batch: [UInt8]) async throws -> SendAnswer

    /// Asks for entries, and waits for some where there are none.
    ///
    /// - Parameters:
    ///   - position: The number of the entry before the first one.
    ///   - history: The history that the file follows.
    ///   - wait: How long the server may wait for an entry; at most 50 s.
    ///   - bytes: How many bytes the entries may have together; one entry is returned also if it has more. A way may have a smallest
    ///     size of answers, of at most 4 KiB, which it takes for anything less.
    /// - Returns: The entries behind the position, in order and without gaps; none after the wait.
    /// - Throws: With `historyChanged`, and `tooOld` when the position is below the floor.
    func entries(after position: Int, history: HistoryID, wait: Duration, limit bytes: Int) async throws
        -> EntriesAnswer

    /// Asks for a page of a snapshot.
    ///
    /// Pages may be asked for minutes apart: each has its objects as they are then, see ``SnapshotObject/changed``.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of the page before; nil for the first one.
    ///   - history: The history that the file follows.
    ///   - bytes: How many bytes the objects may have together, as in ``entries(after:history:wait:limit:)``.
    /// - Returns: The objects behind the cursor, and the cursor of the next page.
    /// - Throws: With `historyChanged`.
    func objects(after cursor: SnapshotCursor?, history: HistoryID, limit bytes: Int) async throws -> SnapshotPage
}

public import EventModel

/// What the sync of a realm asks of the realm's file.
///
/// **Atomicity.** Each call that changes something is one transaction: after a throw, or a crash, the file is as before
/// it or as behind it. The position moves in the transaction that writes the data.
///
/// **Order and threads.** One sync uses a store, one call at a time. Apps commit to the file meanwhile, from any thread.
///
/// **Implementing.** A live one is a file of objects; calls block for as long as a transaction takes, so they are not made
/// on the thread of a user interface. Errors of the file are thrown as they are; what the caller did wrong is a
/// ``ChangeModelError`` that each requirement names. `SyncedStoreConformance` checks the promises.
public protocol SyncedStore: Sendable {
    /// Returns how far the file has come.
    func syncState() throws -> SyncState

    /// Keeps what the server knows the file by.
    ///
    /// The same binding again changes nothing.
    ///
    /// - Throws: ``ChangeModelError/failed(_:)`` with `historyChanged` when the file has a binding of another history, and
    ///   with `fileInUse` when it has another number or salt; the file is unchanged.
    func bind(_ binding: FileBinding) throws

    /// Returns changes that wait for their entries, in the order of their numbers and without gaps.
    ///
    /// - Parameters:
    ///   - number: The number of the change before the first one.
    ///   - bytes: How many bytes the bodies may have together; one change is returned also if it has more.
    /// - Returns: The changes; none where nothing behind the number is pending.
    /// - Throws: The errors of the file alone.
    func pendingChanges(after number: Int, limit bytes: Int) throws -> [PendingChange]

    /// Gives the pending changes that were never sent the times that the server's clock would have shown.
    ///
    /// A change that was sent keeps its bytes, as the server may have it. Times stay in the order of the numbers.
    func correctClocks(_ correction: StampCorrection) throws

    /// Notes, before they are sent, that changes up to a number are: their bytes stay as they are.
    ///
    /// A lower number than was noted changes nothing.
    ///
    /// - Throws: ``ChangeModelError/gap(expected:found:)`` when no commit has the number yet.
    func noteSent(through number: Int) throws

    /// Notes that the server has changes up to a number for good.
    ///
    /// They stay pending until their own entries are integrated. A lower number than was noted changes nothing.
    ///
    /// - Parameters:
    ///   - number: The number of the last one.
    ///   - chain: The head of the chain behind it.
    /// - Throws: ``ChangeModelError/gap(expected:found:)`` when no commit has the number yet.
    func acknowledge(through number: Int, chain: Digest) throws

    /// Integrates entries of the log, all of them or none.
    ///
    /// What a pending change touches is shown over what others wrote, by the greater stamp, until its own entry says
    /// what holds. Objects of a snapshot that are newer than an entry are passed over by it.
    ///
    /// - Parameter entries: The entries behind the position, in order.
    /// - Returns: The position, and the own writes that the server refused.
    /// - Throws: ``ChangeModelError/gap(expected:found:)`` when the numbers do not follow the position one by one, or an
    ///   entry is of an own change that was not acknowledged; the file is unchanged.
    func integrate(_ entries: [Entry]) throws -> Integrated

    /// Begins a snapshot, or one from its start where another one was under way.
    ///
    /// What is pending stays, and is shown when the snapshot ends. But for changes that are acknowledged now: their entries
    /// lie before the first page, which was asked for afterwards, so that they are in the pages and never come in the log.
    /// They are pending until the snapshot ends.
    ///
    /// - Parameters:
    ///   - history: The history that the pages are of.
    ///   - head: The realm's head at the first page.
    /// - Throws: The errors of the file alone.
    func beginBootstrap(history: HistoryID, head: Int) throws

    /// Takes the next page of a snapshot and keeps its cursor, from which an interrupted snapshot goes on.
    ///
    /// - Throws: ``ChangeModelError/noSnapshot`` when none is under way or all its pages are in.
    func integrate(_ page: SnapshotPage) throws

    /// Ends a snapshot: the file has what the pages had, with what is pending over it, and the position is the head.
    ///
    /// - Throws: ``ChangeModelError/noSnapshot`` when none is under way or pages are missing.
    func endBootstrap() throws

    /// Returns a stream with an element when changes were committed since the last one was taken.
    ///
    /// It keeps one element, so that nobody who listens late misses a commit or is told of one twice. The store finishes
    /// it when it is closed.
    func commits() -> AsyncStream<Void>
}

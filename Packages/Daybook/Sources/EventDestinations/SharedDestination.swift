import Dispatch
public import EventModel
import Synchronization

/// Where a realm's events go: the files of one user and prefix, and with a user the upload that empties them.
///
/// All realms of the process that record into the same folder share one, which lives as long as one of them. The upload is
/// the one task that this library starts by itself, because opening a realm is synchronous; it ends with the destination.
public final class SharedDestination<Files: EventFiles, Journals: ScopeJournalStore, Upload: EventUploader>: EventSink {
    /// What a destination is made of.
    package struct Parts: Sendable {
        let files: Files
        let journals: Journals
        let uploader: Upload?
        let logger: @Sendable (SyncLogLevel, String) -> Void

        /// Joins the parts.
        ///
        /// - Parameters:
        ///   - files: The event files, open.
        ///   - journals: What open scopes captured.
        ///   - uploader: The upload of the files, which does not run yet; nil without a user.
        ///   - logger: Is given a line when the files cannot be closed.
        package init(
            files: Files,
            journals: Journals,
            uploader: Upload?,
            logger: @escaping @Sendable (SyncLogLevel, String) -> Void
        ) {
            self.files = files
            self.journals = journals
            self.uploader = uploader
            self.logger = logger
        }
    }

    /// The event files, which every realm of the process that records into the folder appends to.
    public let files: Files
    /// What open scopes captured, beside the event files.
    public let journals: Journals
    /// The upload, which runs already; nil without a user.
    public let uploader: Upload?
    private let path: String
    private let logger: @Sendable (SyncLogLevel, String) -> Void
    private let uploading: Task<Void, Never>?
    private let written = Mutex<[PartitionID]>([])
    /// Left when the files are free for the next one.
    let closing = DispatchGroup()

    /// Joins the parts of the destination of a folder, and begins the upload.
    init(_ parts: Parts, at path: String) {
        files = parts.files
        journals = parts.journals
        uploader = parts.uploader
        logger = parts.logger
        self.path = path
        uploading = parts.uploader.map { uploader in
            let changes = parts.files.changes()
            return Task { await uploader.run(waking: changes) }
        }
        closing.enter()
    }

    deinit {
        defer { closing.leave() }
        guard let uploading else { return }
        uploading.cancel()
        // The upload may hold the files a moment longer; whoever opens the folder next is to find them free.
        do {
            try files.close()
        } catch {
            logger(.warn, "Events: the files of \(path) are closed by the next one that opens them. \(error)")
        }
    }

    /// The partitions that this process wrote, oldest first.
    public var partitionsWritten: [PartitionID] { written.withLock(\.self) }

    /// Enters losses in the ledger of the files.
    public func note(_ losses: [LossEntry]) { files.note(losses) }

    /// Enters in the ledger what was only counted so far.
    public func enterLosses() { files.enterLosses() }

    /// Finds events in the files, and among those that were deleted while that was noted.
    ///
    /// - Throws: What the files throw when the folder or a file cannot be read.
    public func storedEvents(among ids: [ClosedRange<ObjectId>]) throws -> Set<ObjectId> {
        try files.storedEvents(among: ids)
    }

    /// Begins a time in which the files note which events were in what is deleted.
    public func noteDeletions() -> DeletionNoting { files.noteDeletions() }

    /// Closes the partition that is written to, so that the device signs it now and an upload can bring it to an end.
    ///
    /// Blocks for some syncs. Does nothing when no event was appended since the last one was closed. What is recorded and not stored
    /// yet goes into the next one; see `Events.closePartition()`.
    ///
    /// - Throws: `PartitionError` when the seal cannot be written; the events are safe, and it is tried again.
    public func closePartition() throws { try files.seal() }

    /// Closes the partition that is written to, on another thread: syncs take milliseconds and more.
    ///
    /// - Returns: The error of ``closePartition()``, which the caller throws on its own actor.
    package func closingPartition() async -> Result<Void, any Error> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Result { try self.closePartition() }) }
        }
    }

    /// Appends events to the files, as durable when it returns as the configuration says.
    ///
    /// - Throws: `SyncTransportError.userRemoved` when nobody can be the user of the events any more: they would wait for
    ///   ever; else what the files throw.
    public func append(_ events: [AuditEvent]) throws -> AppendReceipt {
        try uploader?.requireUser()
        let receipt = try files.append(events)
        written.withLock { written in
            for place in receipt.places where written.last != place.partition { written.append(place.partition) }
        }
        return receipt
    }
}

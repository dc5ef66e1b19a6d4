import Dispatch
public import EventModel
public import EventPartitions
import EventRecording
import Foundation
public import SyncTransport
import Synchronization

/// Where a realm's events go: the files of one user and prefix, and with a user the upload that empties them.
///
/// All realms of the process that record into the same folder share one, which lives as long as one of them. The upload is
/// the one task that this library starts by itself, because opening a realm is synchronous; it ends with the destination.
public final class EventDestination: EventSink {
    private struct Known {
        weak let destination: EventDestination?
        /// Left when the destination has let go of its files.
        let closing: DispatchGroup
    }

    private static let open = Mutex<[ExactText: Known]>([:])

    /// The event files.
    public let files: PartitionedEventFiles
    /// What open scopes captured, beside the event files.
    public let journals: ScopeJournalFiles
    /// The upload, which runs already; nil without a user.
    public let uploader: Uploader?
    private let user: User?
    private let logger: @Sendable (SyncLogLevel, String) -> Void
    private let uploading: Task<Void, Never>?
    private let written = Mutex<[PartitionID]>([])
    private let closing = DispatchGroup()

    private init(_ folder: EventFolder, _ configuration: EventConfiguration, _ account: (any EventUser)?) throws {
        let logger = configuration.logger ?? EventLogger.standard
        let reporting = UploadReporting(errorHandler: configuration.errorHandler, logger: logger)
        let files = try PartitionedEventFiles(
            folder,
            limits: PartitionLimits(partitionBytes: configuration.partitionBytes),
            policy: StoragePolicy(
                quota: configuration.quota,
                // What waits for an upload goes when the server has proven to hold it, and not for its age.
                retention: account == nil ? configuration.retention : .everything,
                durability: configuration.durability,
                closing: account == nil ? nil : configuration.partitionDuration
            ),
            encryptionKey: configuration.encryptionKey,
            notices: { logger(.warn, "Events: \($0)") },
            errorHandler: configuration.errorHandler
        )
        let user = account as? User
        let uploader = user.map { Uploader(source: files, user: $0, reporting: reporting) }
        let changes = files.changes()
        self.files = files
        journals = ScopeJournalFiles(folder, encryptionKey: configuration.encryptionKey)
        self.uploader = uploader
        self.user = user
        self.logger = logger
        uploading = uploader.map { uploader in Task { await uploader.run(waking: changes) } }
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
            logger(
                .warn,
                "Events: the files of \(files.folder.path) are closed by the next one that opens them. \(error)"
            )
        }
    }

    /// Returns the destination for a realm; the first configuration of a folder decides how much is kept and who is told.
    static func shared(for configuration: EventConfiguration, user: User?, beside realm: String) throws
        -> EventDestination
    {
        let account = configuration.syncUser ?? user
        let beside = URL(fileURLWithPath: realm).deletingLastPathComponent().path
        let folder = try EventFolder(
            root: configuration.directory ?? (account as? User)?.appDirectory ?? beside,
            appID: account?.appID ?? "local",
            userID: account?.id ?? "local",
            prefix: configuration.partitionPrefix
        )
        forgetClosed()
        let place = ExactText(folder.path)
        // One that is ending on another thread is about to let go of the files.
        if let known = open.withLock({ $0[place] }), known.destination == nil { known.closing.wait() }
        // Opening a folder recovers what is in it; a second opener must wait for that, not repeat it.
        let (destination, isNew) = try open.withLock { open in
            if let destination = open[place]?.destination { return (destination, false) }
            let destination = try EventDestination(folder, configuration, account)
            open[place] = Known(destination: destination, closing: destination.closing)
            return (destination, true)
        }
        // Events in the clear, or under a key that this realm did not choose, would be no small matter.
        if !isNew { try destination.files.requireKey(configuration.encryptionKey) }
        return destination
    }

    /// Forgets the folders that nobody uses any more, once their files are free.
    private static func forgetClosed() {
        // Kept until the lock is given back: the last reference to a destination must not go while it is held.
        let alive = open.withLock { open in
            let alive = open.compactMapValues(\.destination)
            open = open.filter { alive[$0.key] != nil || $0.value.closing.wait(timeout: .now()) == .timedOut }
            return alive
        }
        withExtendedLifetime(alive) {}
    }

    /// How many folders the process remembers: those in use, and those that were since the last one was opened.
    static var rememberedFolderCount: Int { open.withLock(\.count) }

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

    /// Appends events to the files, as durable when it returns as the configuration says.
    ///
    /// - Throws: `SyncTransportError.userRemoved` when nobody can be the user of the events any more: they would wait for
    ///   ever; else what the files throw.
    public func append(_ events: [AuditEvent]) throws -> AppendReceipt {
        if let user, user.state == .removed { throw SyncTransportError.userRemoved(user: user.id) }
        let receipt = try files.append(events)
        written.withLock { written in
            for place in receipt.places where written.last != place.partition { written.append(place.partition) }
        }
        return receipt
    }
}

import Dispatch
public import EventModel
public import EventProofs
import Synchronization

/// The event files of one user and prefix: appends events durably, and gives them to the upload.
///
/// Every instance writes a file of its own, so several processes and several instances may use one folder at once.
/// Files that a dead process left are claimed, sealed and uploaded like its own.
///
/// ```swift
/// let folder = try EventFolder(root: "/data/ward", appID: "local", userID: "local", prefix: "ward")
/// let files = try PartitionedEventFiles(folder)
/// let receipt = try files.append([event])        // durable now
/// ```
///
/// ## Topics
///
/// ### Appending
/// - ``append(_:)``
/// - ``seal()``
/// - ``synchronize()``
/// - ``close()``
///
/// ### What is missing
/// - ``note(_:)``
/// - ``losses()``
///
/// ### Recovery
/// - ``storedEvents(among:)``
/// - ``noteDeletions()``
///
/// ### Uploading
/// - ``changes()``
/// - ``partitions()``
/// - ``read(_:from:maximumBytes:)``
/// - ``acknowledge(_:)``
/// - ``delete(_:)``
/// - ``quarantine(_:reason:)``
public final class PartitionedEventFiles: Sendable {
    struct State: Sendable {
        /// The partition that is written to; nil while a leader works with it.
        var writer: PartitionWriter?
        var current: PartitionID?
        /// How much of its file is reserved for later events.
        var reservedBytes: UInt64 = 0
        var held: [PartitionID: HeldPartition] = [:]
        /// Why files could not be recovered; tried again each time the partitions are listed.
        var unrecovered: [PartitionID: String] = [:]
        /// The lock that makes this instance the owner of the sealed files of the folder.
        var claims: (any OpenFile)?
        /// What is known to be on the disk of files that a call has failed on.
        var abandoned: [PartitionID: Abandoned] = [:]
        var hasLookedForStrays = false
        /// Whether what another program was refused has been offered again.
        var hasLookedForRefused = false
        /// What this process has deleted and could not enter in the index yet.
        var deleted: Set<PartitionID> = []
        /// What was found and not reported yet.
        var unreported: [PartitionFinding] = []
        /// Why the index could not be used the last time; reported once.
        var indexProblem: String?
        var persistedCount: UInt64 = 0
        var isClosed = false
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var listenerCount = 0
        var quota: QuotaAccount
        var unentered = UnenteredLosses()
        /// The room for what is lost while nothing can be written; nil before it could be made.
        var reserve: LedgerReserve?
        var isLedgerScheduled = false
        var syncs: SyncSchedule
        var retention: RetentionSchedule
        /// Which sealed files were looked through.
        var check = FrameCheck()
        /// When the partition that is written to got its first event; nil while it has none.
        var begun: ClockReading?
        var deletions = DeletionMemory()

        init(_ policy: StoragePolicy) {
            quota = QuotaAccount(policy.quota)
            syncs = SyncSchedule(policy.durability)
            retention = RetentionSchedule(policy.retention)
        }
    }

    /// How much of a file is known to be on the disk although a call has failed on it.
    struct Abandoned: Sendable {
        /// How many bytes.
        let byteCount: UInt64
        /// How many events they hold.
        let count: UInt64
    }

    /// Where the files are.
    public let folder: EventFolder
    /// How large partitions and events may become.
    public let limits: PartitionLimits
    /// How much is kept, for how long, and when it is synced.
    public let policy: StoragePolicy
    let key: DeviceKey
    /// What this device has sealed.
    let index: SealedIndex
    let encryptionKey: EventEncryptionKey?
    let fileSystem: any FileSystem
    let clock: any EventClock
    let ids: any ObjectIdSource
    let timer: any EventTimer
    /// Which program this is.
    let program: String
    /// Where syncs happen that no caller waits for, so that they hold up nobody else's timers.
    let syncing = DispatchQueue(label: "daybook.sync", qos: .utility)
    private let errorHandler: (@Sendable (any Error) -> Void)?
    private let notices: @Sendable (PartitionNotice) -> Void
    let state: Mutex<State>
    private let frames = FrameCache()
    private let commits = GroupCommit<AppendGroup.Request, AppendGroup.Outcome>()

    /// Opens the folder, and recovers what earlier processes left in it.
    ///
    /// Recovery reads every file that was not sealed: O(*n*) time, where *n* is their size in bytes. A file that cannot
    /// be recovered blocks nothing; ``partitions()`` names it with the reason.
    ///
    /// - Parameters:
    ///   - folder: Where the files are; made if it is missing.
    ///   - limits: How large partitions and events may become.
    ///   - policy: How much is kept, for how long, and when it is synced.
    ///   - key: The key that signs seals; nil takes the device's own, made at the first use.
    ///   - encryptionKey: The key that new files are encrypted with, and older ones are read with; nil writes plain files.
    ///   - fileSystem: Where files live.
    ///   - clock: Gives the time at which files were made and losses noticed.
    ///   - ids: Gives the ids of partitions.
    ///   - timer: Says when to sync what no append waits for.
    ///   - program: Which program this is: what a server refused of another one is offered again.
    ///   - notices: Notified of what somebody may want to know although nothing promised was lost, such as a file that was cut
    ///     off; called on any thread, before the call that noticed it returns. Does nothing by default.
    ///   - errorHandler: Is given what fails while no caller waits: such syncs, and the deletion of old partitions. Called on
    ///     any thread.
    /// - Throws: ``PartitionError`` when the folder or the key cannot be used, and `EventModelError.invalidParameter` when
    ///   a limit makes no sense.
    public init(
        _ folder: EventFolder,
        limits: PartitionLimits = PartitionLimits(),
        policy: StoragePolicy = StoragePolicy(),
        key: DeviceKey? = nil,
        encryptionKey: EventEncryptionKey? = nil,
        fileSystem: any FileSystem = POSIXFileSystem(),
        clock: any EventClock = SystemClock(),
        ids: any ObjectIdSource = ObjectIdGenerator.system,
        timer: any EventTimer = SystemTimer(),
        program: String = RunningProgram.identity,
        notices: @escaping @Sendable (PartitionNotice) -> Void = { _ in },
        errorHandler: (@Sendable (any Error) -> Void)? = nil
    ) throws {
        try limits.validate()
        try policy.durability.validate()
        try policy.retention.validate()
        try policy.validate()
        try folder.make(in: fileSystem)
        self.folder = folder
        self.encryptionKey = encryptionKey
        self.limits = limits.fitting(policy.quota)
        self.policy = policy
        self.timer = timer
        self.program = program
        self.errorHandler = errorHandler
        state = Mutex(State(policy))
        do throws(ProofError) {
            if let key {
                self.key = key
            } else {
                self.key = try DeviceKey.loadOrCreate(at: folder.keyPath, in: fileSystem)
            }
        } catch {
            throw PartitionError.proof(error)
        }
        index = SealedIndex(of: folder, key: self.key, fileSystem: fileSystem, clock: clock)
        self.fileSystem = fileSystem
        self.clock = clock
        self.ids = ids
        self.notices = notices
        attachIndex()
        try claimLeftovers()
        tidyIfDue()
    }

    deinit {
        syncBeforeTheEnd()
        for listener in state.withLock({ $0.listeners.values.map { $0 } }) { listener.finish() }
    }

    /// The key that signs the seals of these files, for whoever registers it with a server.
    public var deviceKey: DeviceKey { key }

    /// How many events were made durable through this instance: each is counted when its sync has returned.
    public var persistedCount: UInt64 { state.withLock { $0.persistedCount } }

    /// Returns a stream with an element after every change that the upload may want to act on.
    ///
    /// Elements that nobody has taken yet are folded into one. The stream ends with ``close()``, with this object, or
    /// when the reader goes; each call makes a stream of its own.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.listenerCount += 1
            state.listeners[state.listenerCount] = continuation
            return state.listenerCount
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Hands a request to the leader of the next group and waits for its outcome.
    @discardableResult
    func submit(_ request: AppendGroup.Request) throws -> AppendReceipt {
        let receipt =
            try commits.submit(request) { requests in
                let writer = self.state.withLock { state in
                    defer { state.writer = nil }
                    return state.writer
                }
                let (outcomes, remaining) = AppendGroup(files: self, writer: writer).run(requests)
                self.state.withLock { $0.writer = remaining }
                for listener in self.state.withLock({ Array($0.listeners.values) }) { listener.yield() }
                return outcomes
            }
            .get()
        reportFindings()
        if request.isAppend { tidyIfDue() }
        return receipt
    }

    /// Reports what failed while no caller waited.
    func report(_ error: any Error) {
        errorHandler?(error)
    }

    /// Passes a notice on to whoever opened the files.
    func notify(_ notice: PartitionNotice) { notices(notice) }

    /// Does something while no other process makes, claims, renames or removes files of the folder.
    func withFolderLocked<Result>(_ body: () throws -> Result) throws -> Result {
        try folder.withLock(in: fileSystem, body)
    }

    /// The path of a file that belongs to a partition.
    func path(_ id: ObjectId, _ ending: String) -> String { "\(folder.path)/\(id.stringValue)\(ending)" }

    /// Throws when the files were closed.
    func checkOpen() throws {
        if state.withLock({ $0.isClosed }) { throw PartitionError.closed }
    }

    /// Finds a partition that is held.
    func held(_ partition: PartitionID) throws -> HeldPartition {
        try checkOpen()
        guard var held = state.withLock({ $0.held[partition] }) else {
            throw PartitionError.unknownPartition(partition)
        }
        held.encryptionKey = encryptionKey
        held.frames = frames
        return held
    }
}

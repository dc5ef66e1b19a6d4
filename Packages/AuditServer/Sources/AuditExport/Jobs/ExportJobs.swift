package import AuditFormats
package import AuditModel
package import AuditVerifying
package import EventModel
import EventProofs
package import Logging
import Synchronization

/// Makes exports in the background, a few at a time, and keeps them for a while.
///
/// Whoever runs it cancels it at the end of the server; of what was not finished it then says that it was interrupted.
package final class ExportJobs: Sendable {
    /// What is exported when its turn comes, which no file keeps.
    package struct Task: Sendable {
        package let id: String
        package let filter: EventFilter
    }

    package struct State {
        // TEXT: ids of the server's own making, here and below.
        package var jobs: [String: ExportJob] = [:]
        /// The exports that were deleted while they were made.
        package var cancelled: Set<String> = []  // TEXT: ids of the server's own making.
        /// The exports that are begun anew, because events were erased while they were made.
        package var outdated: Set<String> = []  // TEXT: ids of the server's own making.
        package var isClosed = false
    }

    private let events: any EventReading
    private let proofs: any PartitionProving & SealLog
    private let collections: any EventCollections
    private let key: SigningKey
    /// The published log as it is now; nil of a server that publishes none.
    private let log: (@Sendable () -> PublishedLog)?
    /// What an authority of time has seen of it; nil likewise.
    private let stamps: (any StampedCheckpoints)?
    /// The keys of devices that are not believed from a time on, as they are now.
    private let revokedKeys: @Sendable () async throws -> [RevokedKey]
    private let clock: any EventClock
    private let ids: any ObjectIdSource
    package let folder: ExportFolder
    private let limits: ExportLimits
    private let logger: Logger
    let state: Mutex<State>
    private let queue: AsyncStream<Task>
    private let queueing: AsyncStream<Task>.Continuation

    /// Takes over the exports of earlier runs.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the folder cannot be read or cleaned.
    package init(
        events: any EventReading,
        proofs: any PartitionProving & SealLog,
        collections: any EventCollections,
        key: SigningKey,
        log: (@Sendable () -> PublishedLog)?,
        stamps: (any StampedCheckpoints)?,
        revokedKeys: @escaping @Sendable () async throws -> [RevokedKey],
        folder: ExportFolder,
        limits: ExportLimits,
        clock: any EventClock,
        ids: any ObjectIdSource,
        logger: Logger
    ) throws {
        self.events = events
        self.proofs = proofs
        self.collections = collections
        self.key = key
        self.log = log
        self.stamps = stamps
        self.revokedKeys = revokedKeys
        self.folder = folder
        self.limits = limits
        self.clock = clock
        self.ids = ids
        self.logger = logger
        var state = State()
        for job in try folder.load() { state.jobs[job.id] = job }
        self.state = Mutex(state)
        (queue, queueing) = AsyncStream.makeStream(of: Task.self)
    }

    /// Makes the exports that are asked for, until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, limits.concurrent) { group.addTask { await self.work() } }
        }
        state.withLock { $0.isClosed = true }
    }

    private func work() async {
        for await task in queue {
            if !Swift.Task.isCancelled { await make(task) }
        }
        // What another one of these makes at this moment it interrupts by itself.
        for job in state.withLock({ $0.jobs.values.filter { $0.state == .waiting } }) { interrupt(job.id) }
    }

    // MARK: - Asking

    /// Accepts an export, which is made when its turn comes.
    ///
    /// - Throws: `AuditServerError` with `rejected` when there are too many, and `inaccessible` when the folder fails.
    package func add(
        _ filter: EventFilter,
        // TEXT: names of parameters, see ExportOrder.
        named names: [String: String],
        as formats: [ExportFormat],
        by author: ExportManifest.Author,
        because reason: String?
    ) throws -> ExportJob {
        try removeExpired()
        let now = clock.now().wall
        let job = ExportJob(
            id: ids.next().stringValue,
            author: author,
            formats: formats,
            filter: names,
            reason: reason,
            created: now,
            expires: EventInstant(microseconds: now.microseconds + Int64(limits.hours) * 3_600_000_000)
        )
        try state.withLock { state in
            guard !state.isClosed else { throw AuditServerError.unavailable(reason: "the server is ending") }
            guard state.jobs.count < limits.jobs else {
                throw AuditServerError.rejected(
                    reason: "there are \(limits.jobs) exports already; delete some that nobody needs any more"
                )
            }
            state.jobs[job.id] = job
        }
        do {
            try folder.begin(job)
        } catch {
            state.withLock { _ = $0.jobs.removeValue(forKey: job.id) }
            throw error
        }
        queueing.yield(Task(id: job.id, filter: filter))
        return job
    }

    /// Returns the exports of somebody, the newest first.
    package func jobs(of author: ExportManifest.Author) throws -> [ExportJob] {
        try removeExpired()
        return state.withLock { $0.jobs.values.filter { $0.author == author } }
            .sorted { ($0.created, $0.id) > ($1.created, $1.id) }
    }

    /// Returns an export of somebody.
    ///
    /// - Throws: `AuditServerError.missing(what:)` when there is none, or it is of somebody else.
    package func job(_ id: String, of author: ExportManifest.Author) throws -> ExportJob {
        try removeExpired()
        guard let job = state.withLock({ $0.jobs[id] }), job.author == author else {
            throw AuditServerError.missing(what: "an export with this id, or it was removed")
        }
        return job
    }

    /// Removes an export and its files; one that is being made ends.
    ///
    /// - Throws: As ``job(_:of:)``, and `AuditServerError.inaccessible(path:reason:)` when a file cannot be removed.
    package func remove(_ id: String, of author: ExportManifest.Author) throws {
        try remove(job(id, of: author))
    }

    /// The path of a file of an export.
    package func path(of file: ExportManifest.File, in job: ExportJob) -> String {
        "\(folder.files(of: job.id))/\(file.name)"
    }

    private func remove(_ job: ExportJob) throws {
        let isRunning = state.withLock { state in
            guard state.jobs.removeValue(forKey: job.id)?.state == .running else { return false }
            state.cancelled.insert(job.id)
            return true
        }
        // Whoever makes it removes it as soon as it sees that.
        if !isRunning { try folder.remove(job.id) }
    }

    private func removeExpired() throws {
        let now = clock.now().wall
        for job in state.withLock({ $0.jobs.values.filter { $0.isOver && $0.expires <= now } }) { try remove(job) }
    }

    // MARK: - Making

    private func make(_ task: Task) async {
        // It may have been deleted while it waited.
        guard let job = change(task.id, { $0.state = .running }) else { return }
        do {
            try folder.write(job)
            let manifest = try await write(job, task.filter)
            let signature = try FileDigest("\(folder.files(of: job.id))/\(ExportSignature.fileName)")
            let own = try FileDigest("\(folder.files(of: job.id))/\(ExportManifest.fileName)")
            let files =
                manifest.files + [
                    .init(name: ExportManifest.fileName, format: nil, bytes: own.bytes, sha256: own.sha256),
                    .init(
                        name: ExportSignature.fileName,
                        format: nil,
                        bytes: signature.bytes,
                        sha256: signature.sha256
                    ),
                ]
            if let finished = try finish(job.id, files) { try folder.write(finished) }
        } catch is CancellationError {
            if state.withLock({ $0.outdated.remove(job.id) != nil && $0.jobs[job.id] != nil }) {
                return beginAnew(task)
            }
            if state.withLock({ !$0.cancelled.contains(job.id) }) { interrupt(job.id) }
        } catch {
            fail(job.id, error)
        }
        if state.withLock({ $0.cancelled.remove(job.id) }) != nil { attempt { try folder.remove(job.id) } }
    }

    private func write(_ job: ExportJob, _ filter: EventFilter) async throws -> ExportManifest {
        let published = log?()
        if let checkpoint = published?.checkpoint?.checkpoint { try await compare(checkpoint) }
        let order = ExportOrder(
            formats: Set(job.formats),
            filter: job.filter,
            columns: try await columns(filter),
            created: job.created,
            id: job.id,
            author: job.author,
            reason: job.reason,
            log: published,
            revokedKeys: try await revokedKeys(),
            key: key
        )
        let source = StoreExportSource(
            events: events,
            proofs: proofs,
            filter: filter,
            key: key,
            log: published,
            stamps: stamps,
            created: job.created
        )
        return try await ExportWriter(order, from: source, into: folder.files(of: job.id))
            .write { progress in try note(progress, of: job.id) }
    }

    /// Holds the log against what was published: an export of a database that was put back would prove what is not there.
    private func compare(_ checkpoint: Checkpoint) async throws {
        let root = try await proofs.withLog(durably: false) { tree in
            checkpoint.size <= tree.count ? try tree.root(at: checkpoint.size) : nil
        }
        guard root == checkpoint.root else {
            throw AuditServerError.unavailable(
                reason: "the database is not what was published; the server's log says more"
            )
        }
    }

    /// The metadata columns of the apps that the export can have events of.
    private func columns(_ filter: EventFilter) async throws -> [String] {
        var schemas: [EventSchema] = []
        for app in try await collections.collections() where filter.access.includes(app: app) {
            guard filter.app.map({ $0 == app }) ?? (app != TrailEvent.app) else { continue }
            schemas.append(EventSchema(app: app, metadataColumns: try await collections.metadataColumns(of: app) ?? []))
        }
        return EventSchema.allColumns(of: schemas)
    }

    /// Notes how far an export is, and ends it when it was deleted or there is no space left.
    private func note(_ progress: ExportProgress, of id: String) throws {
        let total = try state.withLock { state -> UInt64 in
            guard state.jobs[id] != nil, !state.outdated.contains(id) else { throw CancellationError() }
            state.jobs[id]?.progress = progress
            return state.jobs.values.reduce(0) { $0 + $1.progress.bytes }
        }
        if total > limits.bytes {
            throw AuditServerError.rejected(
                reason:
                    "all exports together have more than \(limits.bytes) bytes; delete some that nobody needs any more"
            )
        }
    }

    private func interrupt(_ id: String) {
        let job = change(id) { job in
            guard !job.isOver else { return }
            job.state = .interrupted
            job.problem = "The server ended before the export was made; ask for it again."
        }
        clean(job)
    }

    private func fail(_ id: String, _ error: any Error) {
        state.withLock { _ = $0.outdated.remove(id) }
        logger.warning("an export failed", metadata: ["error": "\(error)"])
        let job = change(id) { job in
            job.state = .failed
            job.problem = "\((error as? AuditServerError) ?? .unavailable(reason: "an unexpected error was logged"))"
        }
        clean(job)
    }

    /// Says that an export is made, unless events were erased meanwhile; nil when it was deleted.
    private func finish(_ id: String, _ files: [ExportManifest.File]) throws -> ExportJob? {
        try state.withLock { state in
            if state.outdated.contains(id) { throw CancellationError() }
            guard var job = state.jobs[id] else { return nil }
            job.state = .done
            job.files = files
            state.jobs[id] = job
            return job
        }
    }

    /// Makes an export from its beginning, when its turn comes again.
    private func beginAnew(_ task: Task) {
        let job = change(task.id) { job in
            job.state = .waiting
            job.progress = ExportProgress()
        }
        clean(job)
        queueing.yield(task)
    }

    private func clean(_ job: ExportJob?) {
        guard var job else { return }
        job.progress.bytes = 0
        state.withLock { $0.jobs[job.id]?.progress.bytes = 0 }
        attempt {
            try folder.empty(job.id)
            try folder.write(job)
        }
    }

    /// Changes what is known of an export; nil when it was deleted.
    package func change(_ id: String, _ change: (inout ExportJob) -> Void) -> ExportJob? {
        state.withLock { state in
            guard var job = state.jobs[id] else { return nil }
            change(&job)
            state.jobs[id] = job
            return job
        }
    }

    /// Does what nobody waits for; the next start of the server cleans up after what fails.
    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            logger.warning("an export cannot be cleaned up", metadata: ["error": "\(error)"])
        }
    }
}

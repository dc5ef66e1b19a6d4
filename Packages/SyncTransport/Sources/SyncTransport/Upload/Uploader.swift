public import EventModel
public import EventProofs
import Synchronization

/// Uploads partitions, oldest first, and deletes each when the server has proven to hold it as a whole.
///
/// An uploader does nothing until ``run(waking:)`` or ``uploadEverything()`` is called; both are structured and end with
/// their task. Safe to use from any thread.
///
/// ```swift
/// let uploader = Uploader(source: partitions, transport: HTTPEventTransport(user: user))
/// await uploader.run(waking: changes)
/// ```
public final class Uploader: EventUploader {
    struct State {
        /// Wakes the run; nil while there is none.
        var signal: AsyncStream<Void>.Continuation?
        /// Being uploaded, also those in a pause that every partition would need.
        var inFlight: Set<PartitionID> = []
        /// In a pause of their own, while others go on.
        var postponed: Set<PartitionID> = []
        /// Back from a pause of their own.
        var resumable: [PartitionID: PartitionUpload] = [:]
        /// Left alone until the next run, or until somebody asks for another attempt.
        var stopped: Set<PartitionID> = []
        /// Wait until the user signs in.
        var signedOut: Set<PartitionID> = []
        /// Asks the run for a look at the log; nil while there is none.
        var looks: AsyncStream<Void>.Continuation?
        /// How many uploads have ended since the last look at the log began.
        var endedSinceLook = 0
        /// Whether the server has said anything since then that its log is to bear out.
        var isLookDue = false
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    let state = Mutex(State())
    let source: any PartitionSource
    private let limits: UploadLimits
    let reporting: UploadReporting
    private let environment: UploadEnvironment
    private let transport: any EventTransport
    /// The transport, when its server may publish a log.
    let log: (any LogWatching)?
    private let ledger = UploadLedger()
    private let pauses = UploadPauses()
    /// Whose events they are; nil where the transport alone knows.
    private let user: User?
    private let signIns: SignInWatch?
    /// Registers the key of the device, once in each run that needs it; nil where no key is given.
    let registrar: DeviceRegistrar?

    /// Creates an uploader.
    ///
    /// - Parameters:
    ///   - source: Gives the partitions; blocks, so that its work runs in tasks of the global executor.
    ///   - transport: Carries stretches to the server.
    ///   - limits: The bounds of uploading.
    ///   - reporting: Who is notified of what uploads meet; without an error handler, fatal errors of the partition that is
    ///     written to end the process.
    ///   - environment: Pauses and randomness; the machine's when left out.
    public convenience init(
        source: any PartitionSource,
        transport: any EventTransport,
        limits: UploadLimits = UploadLimits(),
        reporting: UploadReporting = UploadReporting(),
        environment: UploadEnvironment = .live
    ) {
        self.init(source, transport, limits, reporting, environment, user: nil, signIns: nil, registrar: nil)
    }

    /// Creates an uploader for a user over HTTP, which goes on at once when the user signs in again.
    ///
    /// - Parameters:
    ///   - source: Gives the partitions; blocks, so that its work runs in tasks of the global executor.
    ///   - user: Whose partitions they are; may log out and in again.
    ///   - deviceKey: The key that seals them, which is registered with the server beside the uploads; nil registers none.
    ///   - limits: The bounds of uploading.
    ///   - reporting: Who is notified of what uploads meet.
    ///   - environment: Pauses, randomness and the network's returns; the machine's when left out.
    public convenience init(
        source: any PartitionSource,
        user: User,
        deviceKey: DeviceKey? = nil,
        limits: UploadLimits = UploadLimits(),
        reporting: UploadReporting = UploadReporting(),
        environment: UploadEnvironment = .live
    ) {
        let watch = SignInWatch(of: user.id, in: user.book)
        self.init(
            source,
            HTTPEventTransport(user: user),
            limits,
            reporting,
            environment,
            user: user,
            signIns: watch,
            registrar: deviceKey.map { DeviceRegistrar(key: $0, user: user, logger: reporting.logger) }
        )
        watch.begin { [weak self] isSignedIn in if isSignedIn { self?.retryNow() } }
    }

    private init(
        _ source: any PartitionSource,
        _ transport: any EventTransport,
        _ limits: UploadLimits,
        _ reporting: UploadReporting,
        _ environment: UploadEnvironment,
        user: User?,
        signIns: SignInWatch?,
        registrar: DeviceRegistrar?
    ) {
        self.source = source
        self.transport = transport
        log = transport as? any LogWatching
        self.limits = limits
        self.reporting = reporting
        self.environment = environment
        self.user = user
        self.signIns = signIns
        self.registrar = registrar
    }

    // MARK: - Watching

    /// What has been done since the uploader was created.
    public var statistics: UploadStatistics { ledger.progress.statistics }

    /// Returns a stream of the progress: the present one, then the newest after each change.
    ///
    /// Keeps only the newest for a watcher that is slow; ends with the uploader.
    public func progress() -> AsyncStream<UploadProgress> { ledger.watch() }

    // MARK: - Running

    /// Checks that somebody can still be the user whom the events belong to; without a user nothing is checked.
    ///
    /// - Throws: ``SyncTransportError/userRemoved(user:)`` when the user was removed: new events would wait for ever.
    public func requireUser() throws {
        if let user, user.state == .removed { throw SyncTransportError.userRemoved(user: user.id) }
    }

    /// Looks at the partitions soon, for example because events were recorded; nothing happens without a run.
    ///
    /// A pause after a failure is not cut short.
    public func wake() {
        state.withLock(\.signal)?.yield()
    }

    /// Tries again at once what waits for the network or for a sign-in, and what was stopped; nothing happens without a run.
    ///
    /// A pause that the server asked for is not cut short. A sign-in of the user does this by itself.
    public func retryNow() {
        state.withLock { $0.stopped = [] }
        endPauses()
    }

    private func endPauses() {
        // In this order: whoever finds out between the two that the user is signed out knows it from an older attempt.
        pauses.endAll()
        state.withLock { $0.signedOut = [] }
        wake()
    }

    /// Uploads until the task is cancelled: at once, at each change, when the network is back, and on a timer.
    ///
    /// Returns at once when the uploader runs already. Cancellation cancels the requests under way and forgets nothing:
    /// the next run resumes after the last accepted proof, and tries partitions again that were stopped.
    ///
    /// - Parameter changes: An element for each change of the partitions; may end early. One run consumes it.
    @concurrent
    public func run(waking changes: AsyncStream<Void>? = nil) async {
        guard let run = claimRun() else { return }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.lookAtLog(run.looks) }
            await serve(run, waking: changes)
            group.cancelAll()
        }
    }

    /// The signals of one run.
    struct Run: Sendable {
        let signals: AsyncStream<Void>
        let signal: AsyncStream<Void>.Continuation
        /// An element when a round is over and the log is to be looked at.
        let looks: AsyncStream<Void>
    }

    /// Starts a run, or returns nil when there is one; whoever gets it calls ``serve(_:waking:)``.
    func claimRun() -> Run? {
        // One signal is as good as many; the end of `serve` finishes the stream.
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (looks, look) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        return state.withLock { state in
            guard state.signal == nil else { return nil }
            state.signal = signal
            state.looks = look
            state.stopped = []
            state.postponed = []
            state.resumable = [:]
            state.signedOut = []
            return Run(signals: signals, signal: signal, looks: looks)
        }
    }

    /// Uploads until the task is cancelled.
    @concurrent
    func serve(_ run: Run, waking changes: AsyncStream<Void>?) async {
        let signal = run.signal
        signal.yield()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.relay(changes, to: signal) }
            group.addTask { await self.tick(signal) }
            group.addTask { for await _ in self.environment.networkReturns() { self.endPauses() } }
            for await _ in run.signals {
                for (summary, postponed) in self.claimPartitions() {
                    group.addTask { await self.upload(summary, resuming: postponed, signal) }
                }
            }
            group.cancelAll()
        }
        signal.finish()
        let abandoned = state.withLock { state in
            state.signal = nil
            state.looks?.finish()
            state.looks = nil
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in abandoned { continuation.resume(returning: .failure(SyncTransportError.uploaderEnded)) }
    }

    private func relay(_ changes: AsyncStream<Void>?, to signal: AsyncStream<Void>.Continuation) async {
        guard let changes else { return }
        for await _ in changes { signal.yield() }
    }

    private func tick(_ signal: AsyncStream<Void>.Continuation) async {
        while true {
            do {
                try await environment.sleep(limits.interval)
            } catch {
                // Cancelled: the run ends.
                return
            }
            signal.yield()
        }
    }

    private func upload(
        _ summary: PartitionSummary,
        resuming postponed: PartitionUpload?,
        _ signal: AsyncStream<Void>.Continuation
    ) async {
        let partition = summary.partition
        let ending = await worker(partition, signal).upload(summary, resuming: postponed)
        let looks = state.withLock { state in
            state.inFlight.remove(partition)
            state.signedOut.remove(partition)
            switch ending {
            case .rested: break
            case .stopped: state.stopped.insert(partition)
            case .postponed: state.postponed.insert(partition)
            }
            return state.didEndUpload()
        }
        looks?.yield()
        signal.yield()
        guard case .postponed(let machine, let pause) = ending else { return }
        do {
            try await environment.sleep(pause)
        } catch {
            // Cancelled: the next run begins anew.
            return
        }
        state.withLock { state in
            state.postponed.remove(partition)
            state.resumable[partition] = machine
        }
        signal.yield()
    }

    private func worker(_ partition: PartitionID, _ signal: AsyncStream<Void>.Continuation) -> PartitionWorker {
        PartitionWorker(
            source: source,
            transport: transport,
            limits: limits,
            reporting: reporting,
            environment: environment,
            ledger: ledger,
            pauses: pauses,
            objection: { [log] in log?.objection },
            didProve: { [self] in
                let isAwaited = state.withLock { state in
                    state.signedOut.remove(partition)
                    state.isLookDue = true
                    return !state.waiters.isEmpty
                }
                if isAwaited { signal.yield() }
            },
            needsSignIn: { [self] attempt in
                state.withLock { if pauses.attempt == attempt { $0.signedOut.insert(partition) } }
                signal.yield()
            }
        )
    }

    /// Looks at the partitions, answers those who wait, and claims what is to be uploaded now.
    private func claimPartitions() -> [(PartitionSummary, PartitionUpload?)] {
        // Whoever starts to wait after the listing is answered by the next one.
        let (asking, flying) = state.withLock { (Set($0.waiters.keys), $0.inFlight) }
        let partitions: [PartitionSummary]
        do {
            partitions = try source.partitions()
        } catch {
            // Whoever ends the run may close the files with it.
            if Task.isCancelled { return [] }
            let failure = SyncTransportError.partitionsUnavailable(reason: "\(error)")
            ledger.didFail("\(failure)")
            reporting.report(failure, isCurrent: false)
            for continuation in state.withLock({ $0.remove(asking) }) {
                continuation.resume(returning: .failure(failure))
            }
            return []
        }
        ledger.didList(partitions)
        let (claimed, answers) = state.withLock { state in
            (
                state.claim(partitions, besides: flying, atMost: limits.maximumPartitionsInFlight),
                state.answer(asking, partitions)
            )
        }
        for answer in answers { answer.resume() }
        return claimed
    }
}

extension Uploader.State {
    /// Takes the oldest partitions that have something to send, as many as there is room for.
    ///
    /// - Parameters:
    ///   - partitions: The listing.
    ///   - flying: What was in flight before it was made: such a partition may be listed as it was, and be deleted by now. The end
    ///     of its upload gives the signal for the next listing.
    ///   - limit: How many may be in flight.
    /// - Returns: The partitions, those that come back from a pause with their upload.
    mutating func claim(
        _ partitions: [PartitionSummary],
        besides flying: Set<PartitionID>,
        atMost limit: Int
    ) -> [(PartitionSummary, PartitionUpload?)] {
        let busy = inFlight.union(flying).union(stopped).union(postponed)
        let candidates = partitions.lazy.filter { $0.needsUpload && !busy.contains($0.partition) }
        let claimed = Array(candidates.prefix(max(0, limit - inFlight.count)))
            .map { ($0, resumable.removeValue(forKey: $0.partition)) }
        inFlight.formUnion(claimed.map(\.0.partition))
        return claimed
    }
}

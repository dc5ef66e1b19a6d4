public import EventModel
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
public final class Uploader: Sendable {
    struct State {
        /// Wakes the run; nil while there is none.
        var signal: AsyncStream<Void>.Continuation?
        var inFlight: Set<PartitionID> = []
        /// Left alone until the next run.
        var stopped: Set<PartitionID> = []
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    let state = Mutex(State())
    let source: any PartitionSource
    private let limits: UploadLimits
    let reporting: UploadReporting
    private let environment: UploadEnvironment
    private let transport: any EventTransport
    private let ledger = UploadLedger()

    /// Creates an uploader.
    ///
    /// - Parameters:
    ///   - source: Gives the partitions; blocks, so that its work runs in tasks of the global executor.
    ///   - transport: Carries stretches to the server.
    ///   - limits: The bounds of uploading.
    ///   - reporting: Who is told what uploads meet; without an error handler, fatal errors of the partition that is
    ///     written to end the process.
    ///   - environment: Pauses and randomness; the machine's when left out.
    public init(
        source: any PartitionSource,
        transport: any EventTransport,
        limits: UploadLimits = UploadLimits(),
        reporting: UploadReporting = UploadReporting(),
        environment: UploadEnvironment = .live
    ) {
        self.source = source
        self.transport = transport
        self.limits = limits
        self.reporting = reporting
        self.environment = environment
    }

    // MARK: - Watching

    /// What has been done since the uploader was created.
    public var statistics: UploadStatistics { ledger.progress.statistics }

    /// Returns a stream of the progress: the present one, then the newest after each change.
    ///
    /// Keeps only the newest for a watcher that is slow; ends with the uploader.
    public func progress() -> AsyncStream<UploadProgress> { ledger.watch() }

    // MARK: - Running

    /// Looks at the partitions soon, for example because the network is back; nothing happens without a run.
    ///
    /// A pause after a failure is not cut short.
    public func wake() {
        state.withLock(\.signal)?.yield()
    }

    /// Uploads until the task is cancelled: at once, at each change, and on a timer.
    ///
    /// Returns at once when the uploader runs already. Cancellation cancels the requests under way and forgets nothing:
    /// the next run resumes after the last accepted proof, and tries partitions again that were stopped.
    ///
    /// - Parameter changes: An element for each change of the partitions; may end early. One run consumes it.
    @concurrent
    public func run(waking changes: AsyncStream<Void>? = nil) async {
        guard let run = claimRun() else { return }
        await serve(run, waking: changes)
    }

    /// The signals of one run.
    struct Run: Sendable {
        let signals: AsyncStream<Void>
        let signal: AsyncStream<Void>.Continuation
    }

    /// Starts a run, or returns nil when there is one; whoever gets it calls ``serve(_:waking:)``.
    func claimRun() -> Run? {
        // One signal is as good as many; the end of `serve` finishes the stream.
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        return state.withLock { state in
            guard state.signal == nil else { return nil }
            state.signal = signal
            state.stopped = []
            return Run(signals: signals, signal: signal)
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
            for await _ in run.signals {
                for summary in self.claimPartitions() {
                    group.addTask { await self.upload(summary, signal) }
                }
            }
            group.cancelAll()
        }
        signal.finish()
        let abandoned = state.withLock { state in
            state.signal = nil
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in abandoned { continuation.resume(throwing: SyncTransportError.uploaderEnded) }
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

    private func upload(_ summary: PartitionSummary, _ signal: AsyncStream<Void>.Continuation) async {
        let worker = PartitionWorker(
            source: source,
            transport: transport,
            limits: limits,
            reporting: reporting,
            environment: environment,
            ledger: ledger,
            didProve: { [self] in if state.withLock({ !$0.waiters.isEmpty }) { signal.yield() } }
        )
        let ending = await worker.upload(summary)
        state.withLock { state in
            state.inFlight.remove(summary.partition)
            if ending == .stopped { state.stopped.insert(summary.partition) }
        }
        signal.yield()
    }

    /// Looks at the partitions, answers those who wait, and claims what is to be uploaded now.
    private func claimPartitions() -> [PartitionSummary] {
        // Whoever starts to wait after the listing is answered by the next one.
        let asking = state.withLock { Set($0.waiters.keys) }
        let partitions: [PartitionSummary]
        do {
            partitions = try source.partitions()
        } catch {
            let failure = SyncTransportError.partitionsUnavailable(reason: "\(error)")
            ledger.didFail("\(failure)")
            reporting.report(failure, isCurrent: false)
            for continuation in state.withLock({ $0.remove(asking) }) { continuation.resume(throwing: failure) }
            return []
        }
        ledger.didList(partitions)
        let (claimed, answers) = state.withLock { state in
            (state.claim(partitions, atMost: limits.maximumPartitionsInFlight), state.answer(asking, partitions))
        }
        for answer in answers { answer.resume() }
        return claimed
    }
}

extension Uploader.State {
    /// Takes the oldest partitions that have something to send, as many as there is room for.
    fileprivate mutating func claim(_ partitions: [PartitionSummary], atMost limit: Int) -> [PartitionSummary] {
        let candidates = partitions.lazy.filter { [inFlight, stopped] summary in
            summary.needsUpload && !inFlight.contains(summary.partition) && !stopped.contains(summary.partition)
        }
        let claimed = Array(candidates.prefix(max(0, limit - inFlight.count)))
        inFlight.formUnion(claimed.map(\.partition))
        return claimed
    }
}

public import EventModel
import Synchronization

/// A server in memory: stores stretches honestly, unless a script says otherwise.
///
/// It trusts the roots that stretches bring, so it works with any tree. Each call takes the next step of the script;
/// when the script is used up, calls are answered honestly.
public final class FakeTransport: EventTransport {
    /// How one call is answered.
    public enum Step: Sendable {
        /// Stores the stretch and proves it.
        case honest
        /// Stores nothing and fails.
        case fail(TransportError)
        /// Stores the stretch and fails: the answer is lost on its way.
        case storeThenFail(TransportError)
        /// Stores the stretch and answers with what the closure makes of the honest proof.
        case answer(@Sendable (DurabilityProof) -> DurabilityProof)
        /// Stores nothing and suspends until the task is cancelled, then fails as unreachable.
        case hang
    }

    fileprivate struct Stored {
        var events: [[UInt8]] = []
        var roots: [UInt64: Digest] = [0: SampleRoot.empty]
        var seal: PartitionSeal?
    }

    fileprivate struct State {
        var script: [Step]
        var calls: [PartitionStretch] = []
        var partitions: [PartitionID: Stored] = [:]
        var inFlight = 0
        var mostInFlight = 0
        var byteLimit: Int?
    }

    private let state: Mutex<State>
    private let arrivals: AsyncStream<PartitionStretch>
    private let arrived: AsyncStream<PartitionStretch>.Continuation

    /// Creates a server that holds nothing.
    ///
    /// - Parameters:
    ///   - script: The answers to the first calls.
    ///   - byteLimit: The encoded bytes above which a stretch is refused as too large; nil for no limit.
    public init(script: [Step] = [], byteLimit: Int? = nil) {
        state = Mutex(State(script: script, byteLimit: byteLimit))
        // Unbounded: a test that counts arrivals must see each; it ends with the fake.
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    deinit {
        arrived.finish()
    }

    /// Every stretch that was sent, in order of arrival, also those that failed.
    public var calls: [PartitionStretch] { state.withLock(\.calls) }

    /// The most calls that were under way at once.
    public var mostInFlight: Int { state.withLock(\.mostInFlight) }

    /// The encodings that the server holds of a partition, in sequence order.
    public func events(of partition: PartitionID) -> [[UInt8]] {
        state.withLock { $0.partitions[partition]?.events ?? [] }
    }

    /// The seal that the server holds of a partition, or nil.
    public func seal(of partition: PartitionID) -> PartitionSeal? {
        state.withLock { $0.partitions[partition]?.seal }
    }

    /// Adds steps behind those that are left.
    public func append(_ steps: [Step]) {
        state.withLock { $0.script.append(contentsOf: steps) }
    }

    /// Forgets the events of a partition above a sequence, as a server that was restored from a backup does.
    public func forget(_ partition: PartitionID, after sequence: UInt64) {
        state.withLock { state in
            guard var stored = state.partitions[partition], stored.events.count > sequence else { return }
            stored.events.removeLast(stored.events.count - Int(sequence))
            stored.roots = stored.roots.filter { $0.key <= sequence }
            stored.seal = nil
            state.partitions[partition] = stored
        }
    }

    /// Waits for the next call that has not been waited for; one waiter at a time.
    ///
    /// - Returns: The stretch, or nil when the task is cancelled.
    public func nextCall() async -> PartitionStretch? {
        await arrivals.first { _ in true }
    }

    /// Takes the next step of the script.
    public func send(_ stretch: PartitionStretch) async throws(TransportError) -> DurabilityProof {
        let step = state.withLock { state in
            state.calls.append(stretch)
            state.inFlight += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight)
            return state.script.isEmpty ? .honest : state.script.removeFirst()
        }
        defer { state.withLock { $0.inFlight -= 1 } }
        arrived.yield(stretch)
        switch step {
        case .honest:
            return try store(stretch)
        case .fail(let error):
            throw error
        case .storeThenFail(let error):
            _ = try store(stretch)
            throw error
        case .answer(let change):
            return change(try store(stretch))
        case .hang:
            // The stream has no elements and nobody ends it: only cancellation does.
            let (never, continuation) = AsyncStream<Never>.makeStream()
            for await _ in never {}
            continuation.finish()
            throw TransportError(.unreachable, message: "The request was cancelled.")
        }
    }

    private func store(_ stretch: PartitionStretch) throws(TransportError) -> DurabilityProof {
        try state.withLock { state -> Result<DurabilityProof, TransportError> in
            if let limit = state.byteLimit, stretch.events.bytes.count > limit {
                return .failure(TransportError(.tooLarge, message: "The stretch is larger than \(limit) bytes."))
            }
            var stored = state.partitions[stretch.partition] ?? Stored()
            guard stored.take(stretch) else {
                return .failure(TransportError(.conflict, message: "The partition holds other events there."))
            }
            state.partitions[stretch.partition] = stored
            return .success(stored.proof(of: stretch.partition))
        }
        .get()
    }
}

extension FakeTransport.Stored {
    /// Takes what is new of a stretch; a stretch behind a gap changes nothing.
    ///
    /// - Returns: Whether the events agree with those that are held.
    mutating func take(_ stretch: PartitionStretch) -> Bool {
        guard stretch.firstSequence <= UInt64(events.count) + 1 else { return true }
        var merged = events
        var sequence = Int(stretch.firstSequence)
        var agrees = true
        stretch.events.withEachEvent { event in
            if sequence <= merged.count {
                agrees = agrees && merged[sequence - 1].elementsEqual(event)
            } else {
                merged.append(Array(event))
            }
            sequence += 1
        }
        if let known = roots[stretch.lastSequence], known != stretch.root { agrees = false }
        guard agrees else { return false }
        events = merged
        roots[stretch.lastSequence] = stretch.root
        if let new = stretch.seal, new.count == UInt64(events.count) { seal = new }
        return true
    }

    func proof(of partition: PartitionID) -> DurabilityProof {
        let through = UInt64(events.count)
        return DurabilityProof(
            partition: partition,
            durableThrough: through,
            root: roots[through] ?? SampleRoot.empty,
            isSealed: seal != nil
        )
        .receipted
    }
}

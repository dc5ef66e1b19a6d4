public import EventModel
import Synchronization

/// Partitions in memory, with ``SampleRoot`` in place of Merkle roots.
///
/// It keeps the promises of the seam: a proof with another root is refused, and only a sealed partition that is wholly
/// acknowledged is deleted. A test may let the next calls fail.
public final class FakePartitionSource: PartitionSource {
    /// Why a call failed.
    public enum Failure: Error, Equatable {
        case unknownPartition
        case noSuchSequence(UInt64)
        case rootMismatch
        case notProven
        case scripted(String)
    }

    /// The calls that a test can let fail.
    public enum Operation: Sendable, Hashable {
        case list
        case read
        case acknowledge
        case delete
        case quarantine
    }

    fileprivate struct Stored {
        var events: [[UInt8]] = []
        var acknowledged: UInt64 = 0
        var isSealed = false
        var sealIsAcknowledged = false
        var quarantineReason: String?
    }

    fileprivate struct State {
        var partitions: [PartitionID: Stored] = [:]
        var failures: [Operation: [String]] = [:]
    }

    private let state = Mutex(State())

    /// Creates a source without partitions.
    public init() {}

    /// Creates a source with one open partition that holds these events.
    public init(holding events: [AuditEvent], of partition: PartitionID) {
        state.withLock { $0.partitions[partition] = Stored(events: events.map(\.encoded)) }
    }

    /// Appends one event to a partition, which exists from then on.
    ///
    /// - Precondition: The partition is not sealed.
    public func append(_ event: [UInt8], to partition: PartitionID) {
        state.withLock { state in
            precondition(state.partitions[partition]?.isSealed != true, "A sealed partition takes no more events.")
            state.partitions[partition, default: Stored()].events.append(event)
        }
    }

    /// Closes a partition for good.
    public func seal(_ partition: PartitionID) {
        state.withLock { $0.partitions[partition, default: Stored()].isSealed = true }
    }

    /// Lets the next call of an operation throw ``Failure/scripted(_:)``.
    public func failNext(_ operation: Operation, _ reason: String) {
        state.withLock { $0.failures[operation, default: []].append(reason) }
    }

    /// What is known of a partition; nil when it was deleted or never existed.
    public func summary(_ partition: PartitionID) -> PartitionSummary? {
        state.withLock { state in state.partitions[partition].map { $0.summary(partition) } }
    }

    /// Lists the partitions, oldest first.
    public func partitions() throws -> [PartitionSummary] {
        try state.withLock { state in
            try state.fail(.list)
            return state.partitions.sorted { ($1.value.isSealed ? 1 : 0, $0.key) < ($0.value.isSealed ? 1 : 0, $1.key) }
                .map { $0.value.summary($0.key) }
        }
    }

    /// Reads events from a sequence on.
    public func read(
        _ partition: PartitionID,
        from sequence: UInt64,
        maximumBytes: Int
    ) throws -> PartitionStretch {
        try state.withLock { state in
            try state.fail(.read)
            guard let stored = state.partitions[partition] else { throw Failure.unknownPartition }
            guard sequence >= 1, sequence <= UInt64(stored.events.count) + 1 else {
                throw Failure.noSuchSequence(sequence)
            }
            var events = EncodedEvents()
            var last = Int(sequence) - 1
            while last < stored.events.count {
                let next = stored.events[last]
                guard events.isEmpty || events.bytes.count + next.count <= maximumBytes else { break }
                events.append(encoded: next)
                last += 1
            }
            let root = SampleRoot.of(stored.events[..<last])
            let isWhole = stored.isSealed && last == stored.events.count
            return PartitionStretch(
                partition: partition,
                firstSequence: sequence,
                events: events,
                root: root,
                seal: isWhole ? EventTransportConformance.sampleSeal(partition, UInt64(last), root) : nil
            )
        }
    }

    /// Notes how far the server holds a partition.
    public func acknowledge(_ proof: DurabilityProof) throws {
        try state.withLock { state in
            try state.fail(.acknowledge)
            guard var stored = state.partitions[proof.partition] else { throw Failure.unknownPartition }
            guard proof.durableThrough <= stored.events.count,
                SampleRoot.of(stored.events[..<Int(proof.durableThrough)]) == proof.root
            else { throw Failure.rootMismatch }
            stored.acknowledged = proof.durableThrough
            stored.sealIsAcknowledged = proof.isSealed && stored.isSealed
            state.partitions[proof.partition] = stored
        }
    }

    /// Deletes a partition that is sealed and wholly acknowledged.
    public func delete(_ partition: PartitionID) throws {
        try state.withLock { state in
            try state.fail(.delete)
            guard let stored = state.partitions[partition] else { throw Failure.unknownPartition }
            guard stored.isSealed, stored.sealIsAcknowledged, stored.acknowledged == stored.events.count,
                stored.quarantineReason == nil
            else {
                throw Failure.notProven
            }
            state.partitions[partition] = nil
        }
    }

    /// Keeps a partition aside.
    public func quarantine(_ partition: PartitionID, reason: String) throws {
        try state.withLock { state in
            try state.fail(.quarantine)
            guard state.partitions[partition] != nil else { throw Failure.unknownPartition }
            state.partitions[partition]?.quarantineReason = reason
        }
    }

    /// Offers a partition again that was kept aside, as a source may do by itself.
    public func release(_ partition: PartitionID) {
        state.withLock { state in
            state.partitions[partition]?.quarantineReason = nil
            state.partitions[partition]?.acknowledged = 0
        }
    }
}

extension FakePartitionSource.State {
    mutating func fail(_ operation: FakePartitionSource.Operation) throws {
        guard let reason = failures[operation]?.first else { return }
        failures[operation]?.removeFirst()
        throw FakePartitionSource.Failure.scripted(reason)
    }
}

extension FakePartitionSource.Stored {
    func summary(_ partition: PartitionID) -> PartitionSummary {
        PartitionSummary(
            partition: partition,
            count: UInt64(events.count),
            isSealed: isSealed,
            acknowledgedThrough: acknowledged,
            byteCount: UInt64(events.reduce(0) { $0 + $1.count }),
            quarantineReason: quarantineReason,
            isSealAcknowledged: sealIsAcknowledged
        )
    }
}

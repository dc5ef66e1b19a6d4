public import EventModel
import EventPartitions
import EventProofs
import Synchronization

extension InMemoryPartitions: PartitionSource {
    /// Lists the partitions, oldest first.
    public func partitions() throws -> [PartitionSummary] {
        try state.withLock { state in
            try checkOpen(state)
            // The upload must not be given events that a power cut may still take away.
            state.synchronize()
            return state.partitions.map { partition in
                PartitionSummary(
                    partition: partition.id,
                    count: partition.tree.count,
                    isSealed: partition.seal != nil,
                    acknowledgedThrough: partition.acknowledgedThrough,
                    byteCount: UInt64(partition.byteCount),
                    quarantineReason: partition.quarantineReason,
                    isSealAcknowledged: partition.isSealAcknowledged
                )
            }
        }
    }

    /// Reads events from a sequence on.
    public func read(
        _ partition: PartitionID,
        from sequence: UInt64,
        maximumBytes: Int
    ) throws -> PartitionStretch {
        try withPartition(partition) { stored in
            let count = stored.tree.count
            guard sequence >= 1, sequence <= count + 1 else {
                throw PartitionError.sequenceOutOfRange(partition, sequence: sequence, count: count)
            }
            var events = EncodedEvents()
            for event in stored.events[Int(sequence - 1)...] {
                guard events.isEmpty || events.bytes.count + event.count <= maximumBytes else { break }
                events.append(encoded: event)
            }
            let end = sequence - 1 + UInt64(events.count)
            return PartitionStretch(
                partition: partition,
                firstSequence: sequence,
                events: events,
                root: stored.tree.root(at: end),
                seal: end == count ? stored.seal : nil
            )
        }
    }

    /// Notes how far the server holds a partition, after comparing roots.
    public func acknowledge(_ proof: DurabilityProof) throws {
        try withPartition(proof.partition) { stored in
            let count = stored.tree.count
            guard proof.durableThrough <= count else {
                throw PartitionError.proofBeyondEnd(
                    proof.partition,
                    durableThrough: proof.durableThrough,
                    count: count
                )
            }
            let own = stored.tree.root(at: proof.durableThrough)
            guard own == proof.root else {
                throw PartitionError.rootMismatch(
                    proof.partition,
                    sequence: proof.durableThrough,
                    own: own,
                    proven: proof.root
                )
            }
            stored.acknowledgedThrough = proof.durableThrough
            stored.isSealAcknowledged = proof.isSealed && stored.seal != nil && proof.durableThrough == count
        }
    }

    /// Forgets a partition that is sealed and wholly acknowledged with its seal.
    public func delete(_ partition: PartitionID) throws {
        try withPartition(partition) { stored in
            guard stored.seal != nil else {
                throw PartitionError.notDeletable(partition, reason: "it is not sealed")
            }
            guard stored.acknowledgedThrough == stored.tree.count, stored.isSealAcknowledged else {
                throw PartitionError.notDeletable(partition, reason: "the server has not proven to hold all of it")
            }
        }
        state.withLock { $0.remove(partition) }
    }

    /// Keeps a partition aside.
    public func quarantine(_ partition: PartitionID, reason: String) throws {
        try withPartition(partition) { $0.quarantineReason = reason }
    }

    private func withPartition<Result>(
        _ partition: PartitionID,
        _ body: (inout Partition) throws -> Result
    ) throws -> Result {
        // The result may be built from the state alone, so it leaves the lock in a box of its own type.
        var result: Result?
        try state.withLock { state in
            try checkOpen(state)
            guard
                let index = state.partitions.firstIndex(where: { $0.id == partition && $0.quarantineReason == nil })
            else { throw PartitionError.unknownPartition(partition) }
            result = try body(&state.partitions[index])
        }
        guard let result else { preconditionFailure("The lock runs its body once.") }
        return result
    }
}

public import EventModel
public import EventProofs

/// The hashes that were stored when events arrived, of which proofs are made.
///
/// `PartitionProvingConformance` in AuditServerTesting checks a store against this contract.
public protocol PartitionProving: Sendable {
    /// Returns the stored leaf hashes of a partition, in order.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - sequences: Which ones; those that are not stored are left out.
    /// - Returns: The hashes.
    /// - Throws: `unavailable` when the storage fails, or a hash is damaged.
    func leaves(of partition: PartitionID, _ sequences: ClosedRange<UInt64>) async throws -> [Digest]

    /// Returns the stored hashes of complete subtrees of a partition's tree, in the order of the nodes.
    ///
    /// - Parameters:
    ///   - nodes: Subtrees of events that are stored.
    ///   - partition: The partition.
    /// - Returns: The hashes.
    /// - Throws: `unavailable` when the storage fails, or a hash is missing or damaged.
    /// - Complexity: O(log *m*) for each, however many events *m* the partition has.
    func hashes(of nodes: [MerkleNode], in partition: PartitionID) async throws -> [Digest]

    /// Finds the event that ends the stretch of an event: the first one from there on that has a mark of its own.
    ///
    /// - Parameter address: The event.
    /// - Returns: Where it is and its mark; nil when there is none.
    /// - Throws: `unavailable` when the storage fails.
    func stretchEnd(of address: EventAddress) async throws -> StretchEnd?
}

extension PartitionProving where Self: EventReading {
    /// Reads the events of the stretch; a store that can do better has its own.
    public func stretchEnd(of address: EventAddress) async throws -> StretchEnd? {
        var cursor: EventCursor? = EventCursor(partition: address.partition, sequence: max(1, address.sequence) - 1)
        while let after = cursor {
            let filter = EventFilter(partition: address.partition, includesRepeated: true)
            let page = try await events(filter, after: after, limit: 1000, maximumBytes: 8_388_608)
            if let end = page.events.first(where: { $0.mark != .inside }) {
                return StretchEnd(sequence: end.sequence, mark: end.mark)
            }
            cursor = page.next
        }
        return nil
    }

    /// Reads the leaves with their events; a store that can do better has its own.
    public func leaves(of partition: PartitionID, _ sequences: ClosedRange<UInt64>) async throws -> [Digest] {
        var found: [Digest] = []
        var cursor: EventCursor? = EventCursor(partition: partition, sequence: max(1, sequences.lowerBound) - 1)
        while let after = cursor {
            let page = try await events(
                EventFilter(partition: partition, includesRepeated: true),
                after: after,
                limit: 1000,
                maximumBytes: 8_388_608
            )
            for event in page.events {
                guard event.sequence <= sequences.upperBound else { return found }
                guard let leaf = event.leaf else {
                    throw AuditServerError.unavailable(reason: "the leaf hash of an event is damaged")
                }
                found.append(leaf)
            }
            cursor = page.next
        }
        return found
    }
}

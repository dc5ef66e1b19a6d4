import AuditModel
package import EventModel
package import EventProofs

extension PartitionProving {
    /// Proves where an event is in its partition, by the hashes that were stored when events arrived.
    ///
    /// - Parameters:
    ///   - sequence: The place of the event.
    ///   - partition: The partition.
    ///   - count: The number of events of the tree that the proof is for.
    /// - Returns: The hashes beside the way to the root; nil when there is no such event.
    /// - Throws: `unavailable` when the storage fails, or a hash is missing or damaged.
    /// - Complexity: O(log² *n*) hashes are read.
    package func inclusionProof(
        of sequence: UInt64,
        in partition: PartitionID,
        count: UInt64
    ) async throws -> InclusionProof? {
        guard sequence > 0, sequence <= count else { return nil }
        let nodes = MerkleNode.inclusion(of: sequence - 1, in: count)
        let hashes = try await hashes(of: nodes, in: partition)
        guard hashes.count == nodes.count else { return nil }
        let known = Dictionary(zip(nodes, hashes)) { first, _ in first }
        let tree = StoredMerkleTree<Never>(count: count) { level, index in
            guard let hash = known[MerkleNode(level: level, index: index)] else {
                preconditionFailure("What a proof needs was looked up before.")
            }
            return hash
        }
        return tree.inclusionProof(of: sequence - 1, in: count)
    }
}

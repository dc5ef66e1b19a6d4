package import EventModel
package import EventProofs

/// What a store writes down when a partition is sealed: the entry, and the hashes that later proofs are made of.
package struct PartitionLogRow: Sendable {
    /// The entry.
    package let entry: PartitionLogEntry
    /// The hashes of the complete subtrees that end with the entry, its own first: 32 bytes each.
    package let nodes: [UInt8]
    /// The root by which a later seal names this partition as the one before it.
    ///
    /// Nil for a partition without events: all of them have the same root, so it names none.
    package let name: Digest?

    /// Makes the next row and extends the tree.
    package init(
        sealing seal: PartitionSeal,
        of owner: EventOwner,
        received: EventInstant,
        frontier: inout MerkleFrontier
    ) {
        entry = PartitionLogEntry(
            index: frontier.count,
            app: owner.app,
            user: owner.user,
            received: received,
            seal: seal
        )
        nodes = frontier.completing(entry.leaf).flatMap(\.bytes)
        name = seal.count > 0 ? seal.root : nil
    }

    /// Returns the place of the row that holds the hash of a complete subtree: that of its last leaf.
    package static func index(level: Int, _ index: UInt64) -> UInt64 {
        ((index + 1) << UInt64(level)) - 1
    }

    /// Reads the hash of a level out of ``nodes``; nil when it is not there.
    package static func node(_ level: Int, in nodes: [UInt8]) -> Digest? {
        let start = level * Digest.byteCount
        guard nodes.count >= start + Digest.byteCount else { return nil }
        return Digest(nodes[start..<start + Digest.byteCount])
    }
}

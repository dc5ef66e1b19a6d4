package import EventModel
package import EventProofs

/// The hashes of the inner nodes that a few leaves complete: a row that a store keeps beside the events of a partition.
///
/// ```
/// leaves   1   2   3   4   5   6   7   8
/// nodes       (1)     (1)     (1)     (1)        a row from leaf 3 on: 3-4, 1-4, 5-6, …
///                     (2)             (2)
///                                     (3)
/// ```
/// With them the root at every place is made of some twenty hashes, however long the partition is and however much of it is sent
/// again. The leaves are with the events.
package struct PartitionNodes: Sendable, Equatable {
    /// The most leaves of one row: it has a kilobyte, which both databases keep in place.
    package static let maximumLeaves = 32

    /// The sequence of the first of the leaves.
    package let first: UInt64
    /// The hashes in the order in which their subtrees were completed, 32 bytes each.
    package private(set) var hashes: [UInt8] = []

    /// Appends leaves to a tree.
    ///
    /// - Returns: The rows to store; leaves that complete nothing have none.
    /// - Complexity: O(*n*) hashes.
    package static func append(_ leaves: some Sequence<Digest>, to frontier: inout MerkleFrontier) -> [PartitionNodes] {
        var rows: [PartitionNodes] = []
        var row = PartitionNodes(first: frontier.count + 1)
        for leaf in leaves {
            if frontier.count + 1 - row.first == maximumLeaves {
                rows.append(row)
                row = PartitionNodes(first: frontier.count + 1)
            }
            frontier.append(leaf) { node in node.withUnsafeBytes { row.hashes.append(contentsOf: $0) } }
        }
        rows.append(row)
        return rows.filter { !$0.hashes.isEmpty }
    }

    /// Returns where the hash of an inner node begins in the row that starts at a sequence, in bytes.
    ///
    /// The row is the last one that starts at or before the node's end.
    ///
    /// - Precondition: The node is no leaf, and its end is not before the row.
    package static func offset(of node: MerkleNode, from first: UInt64) -> Int {
        precondition(node.level > 0 && node.end >= first, "A row has the inner nodes that its own leaves complete.")
        return (count(through: node.end - 1) + node.level - 1 - count(through: first - 1)) * Digest.byteCount
    }

    /// How many inner nodes so many leaves complete.
    private static func count(through leaves: UInt64) -> Int { Int(leaves) - leaves.nonzeroBitCount }

    /// Reads the hash of a node out of a row; nil when it is not there.
    package static func hash(of node: MerkleNode, in hashes: [UInt8], from first: UInt64) -> Digest? {
        guard node.end >= first else { return nil }
        let start = offset(of: node, from: first)
        guard hashes.count >= start + Digest.byteCount else { return nil }
        return Digest(hashes[start..<start + Digest.byteCount])
    }
}

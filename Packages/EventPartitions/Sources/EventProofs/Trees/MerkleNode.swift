/// Names a complete subtree: the one over `1 << level` leaves from `index << level` on.
///
/// What a tree holds of its complete subtrees never changes when it grows, so that whoever stores their hashes once can make
/// every root and every proof later.
public struct MerkleNode: Sendable, Hashable {
    /// How high it stands; a leaf has 0.
    public let level: Int
    /// Which one of its level it is, from 0.
    public let index: UInt64

    /// Names a subtree.
    public init(level: Int, index: UInt64) {
        self.level = level
        self.index = index
    }

    /// How many leaves the tree has when the subtree is complete.
    public var end: UInt64 { (index + 1) << UInt64(level) }

    /// The subtrees that a tree is made of, the largest first: one for each bit that is set in the number of its leaves.
    ///
    /// Their hashes are what ``MerkleFrontier/init(count:peaks:)`` takes.
    public static func peaks(of count: UInt64) -> [MerkleNode] {
        var peaks: [MerkleNode] = []
        var start: UInt64 = 0
        while start < count {
            let level = UInt64.bitWidth - 1 - (count - start).leadingZeroBitCount
            peaks.append(MerkleNode(level: level, index: start >> UInt64(level)))
            start += 1 << UInt64(level)
        }
        return peaks
    }

    /// The subtrees whose hashes an inclusion proof is made of, so that all can be looked up at once.
    ///
    /// - Parameters:
    ///   - index: The leaf, from 0.
    ///   - count: The number of leaves of the tree that the proof is for.
    /// - Returns: The subtrees, in the order in which a proof asks for them.
    /// - Precondition: `index < count`.
    public static func inclusion(of index: UInt64, in count: UInt64) -> [MerkleNode] {
        asked(of: count) { _ = $0.inclusionProof(of: index, in: count) }
    }

    /// The subtrees whose hashes a consistency proof is made of, so that all can be looked up at once.
    ///
    /// - Parameters:
    ///   - first: The number of leaves of the smaller tree.
    ///   - second: The number of leaves of the larger one.
    /// - Returns: The subtrees, in the order in which a proof asks for them.
    /// - Precondition: `first <= second`.
    public static func consistency(from first: UInt64, to second: UInt64) -> [MerkleNode] {
        asked(of: second) { _ = $0.consistencyProof(from: first, to: second) }
    }

    /// The subtrees whose hashes a proof asks a tree for.
    private static func asked(of count: UInt64, _ prove: (StoredMerkleTree<Never>) -> Void) -> [MerkleNode] {
        var nodes: [MerkleNode] = []
        prove(
            StoredMerkleTree(count: count) { level, index in
                nodes.append(MerkleNode(level: level, index: index))
                return MerkleHash.empty
            }
        )
        return nodes
    }
}

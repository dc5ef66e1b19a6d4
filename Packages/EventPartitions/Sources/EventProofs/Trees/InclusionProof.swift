public import EventModel

/// Proof that a leaf is in a tree: the hashes beside the way from the leaf to the root.
public struct InclusionProof: Sendable, Hashable, Codable {
    /// The leaf, counted from 0.
    public let index: UInt64
    /// The number of leaves of the tree.
    public let count: UInt64
    /// The hashes, the one beside the leaf first.
    public let path: [Digest]

    /// Creates a proof that somebody else made.
    public init(index: UInt64, count: UInt64, path: [Digest]) {
        self.index = index
        self.count = count
        self.path = path
    }

    /// Returns whether the leaf is in the tree with this root: RFC 9162, section 2.1.3.2.
    ///
    /// - Complexity: O(log *n*) hashes, where *n* is the number of leaves.
    public func verify(leaf: Digest, root: Digest) -> Bool {
        guard index < count else { return false }
        var position = index
        var last = count - 1
        var hash = leaf
        for sibling in path {
            guard last > 0 else { return false }
            if position & 1 == 1 || position == last {
                hash = MerkleHash.node(sibling, hash)
                while position & 1 == 0 && position != 0 {
                    position >>= 1
                    last >>= 1
                }
            } else {
                hash = MerkleHash.node(hash, sibling)
            }
            position >>= 1
            last >>= 1
        }
        return last == 0 && hash == root
    }
}

public import EventModel

/// A tree that keeps every hash, so that it can prove what it holds: RFC 6962, section 2.1.
///
/// ``MerkleFrontier`` gives the same roots in a few hundred bytes; use this one where proofs are asked for, and
/// ``StoredMerkleTree`` where the hashes do not fit into memory.
public struct MerkleTree: Sendable, Hashable {
    /// The hashes of the complete subtrees: `levels[k][i]` covers the leaves from `i << k` on, `1 << k` of them.
    private var levels: [[Digest]]

    /// Creates the tree without leaves.
    public init() {
        levels = [[]]
    }

    /// Creates a tree over leaf hashes.
    ///
    /// - Complexity: O(*n*) hashes, where *n* is the number of leaves.
    public init(leaves: some Sequence<Digest>) {
        self.init()
        for leaf in leaves { append(leaf) }
    }

    /// How many leaves there are.
    public var count: UInt64 { UInt64(levels[0].count) }

    /// Appends the hash of a leaf.
    ///
    /// - Complexity: O(log *n*) hashes, amortized one.
    public mutating func append(_ leaf: Digest) {
        var hash = leaf
        var level = 0
        while true {
            levels[level].append(hash)
            let count = levels[level].count
            guard count.isMultiple(of: 2) else { return }
            hash = MerkleHash.node(levels[level][count - 2], hash)
            level += 1
            if level == levels.count { levels.append([]) }
        }
    }

    /// The root over all leaves.
    public var root: Digest { root(at: count) }

    /// Returns the root over the first leaves.
    ///
    /// - Precondition: The count is at most ``count``.
    /// - Complexity: O(log *n*) hashes.
    public func root(at count: UInt64) -> Digest { stored.root(at: count) }

    /// Returns the hash of a complete subtree.
    ///
    /// - Precondition: The node's end is at most ``count``.
    public func hash(of node: MerkleNode) -> Digest {
        precondition(node.end <= count, "A tree has the hashes of the subtrees that it completed.")
        return levels[node.level][Int(node.index)]
    }

    /// Proves that a leaf is in the tree.
    ///
    /// - Parameters:
    ///   - index: The leaf, counted from 0; the event with sequence *s* is leaf *s* - 1.
    ///   - count: The number of leaves of the tree that the proof is for.
    /// - Returns: The hashes beside the way from the leaf to the root.
    /// - Precondition: `index < count <= self.count`.
    /// - Complexity: O(log² *n*).
    public func inclusionProof(of index: UInt64, in count: UInt64) -> InclusionProof {
        stored.inclusionProof(of: index, in: count)
    }

    /// Proves that a smaller tree is the beginning of a larger one.
    ///
    /// - Precondition: `first <= second <= self.count`.
    /// - Complexity: O(log² *n*).
    public func consistencyProof(from first: UInt64, to second: UInt64) -> ConsistencyProof {
        stored.consistencyProof(from: first, to: second)
    }

    private var stored: StoredMerkleTree<Never> {
        StoredMerkleTree(count: count) { level, index in levels[level][Int(index)] }
    }
}

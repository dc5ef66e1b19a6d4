public import EventModel

/// A tree that keeps every hash, so that it can prove what it holds: RFC 6962, section 2.1.
///
/// ``MerkleFrontier`` gives the same roots in a few hundred bytes; use this one where proofs are asked for.
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
    public var root: Digest { hash(of: 0..<levels[0].count) }

    /// Returns the root over the first leaves.
    ///
    /// - Precondition: The count is at most ``count``.
    /// - Complexity: O(log *n*) hashes.
    public func root(at count: UInt64) -> Digest {
        precondition(count <= self.count, "A tree has no root for more leaves than it holds.")
        return hash(of: 0..<Int(count))
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
        precondition(index < count && count <= self.count, "A leaf can be proven only in a tree that holds it.")
        var path: [Digest] = []
        var range = 0..<Int(count)
        while range.count > 1 {
            let middle = range.lowerBound + Self.split(range.count)
            if Int(index) < middle {
                path.append(hash(of: middle..<range.upperBound))
                range = range.lowerBound..<middle
            } else {
                path.append(hash(of: range.lowerBound..<middle))
                range = middle..<range.upperBound
            }
        }
        return InclusionProof(index: index, count: count, path: path.reversed())
    }

    /// Proves that a smaller tree is the beginning of a larger one.
    ///
    /// - Precondition: `first <= second <= self.count`.
    /// - Complexity: O(log² *n*).
    public func consistencyProof(from first: UInt64, to second: UInt64) -> ConsistencyProof {
        precondition(first <= second && second <= count, "Only trees that existed can be compared.")
        guard first > 0, first < second else {
            return ConsistencyProof(first: first, second: second, path: [])
        }
        var path: [Digest] = []
        var range = 0..<Int(second)
        let end = Int(first)
        // The verifier knows the hash of the old tree itself, so it is left out as long as the walk stays on it.
        var isKnown = true
        while range.upperBound != end {
            let middle = range.lowerBound + Self.split(range.count)
            if end <= middle {
                path.append(hash(of: middle..<range.upperBound))
                range = range.lowerBound..<middle
            } else {
                path.append(hash(of: range.lowerBound..<middle))
                range = middle..<range.upperBound
                isKnown = false
            }
        }
        if !isKnown { path.append(hash(of: range)) }
        return ConsistencyProof(first: first, second: second, path: path.reversed())
    }

    /// The largest power of two below a count greater than one: where RFC 6962 splits a tree.
    private static func split(_ count: Int) -> Int {
        1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount)
    }

    /// Hashes a range that RFC 6962 arrives at by splitting; complete subtrees are looked up.
    private func hash(of range: Range<Int>) -> Digest {
        guard !range.isEmpty else { return MerkleHash.empty }
        let level = range.count.trailingZeroBitCount
        if range.count == 1 << level {
            return levels[level][range.lowerBound >> level]
        }
        let middle = range.lowerBound + Self.split(range.count)
        return MerkleHash.node(hash(of: range.lowerBound..<middle), hash(of: middle..<range.upperBound))
    }
}

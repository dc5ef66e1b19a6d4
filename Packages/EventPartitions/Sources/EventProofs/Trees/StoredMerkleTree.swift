public import EventModel

/// A tree whose hashes lie elsewhere, such as in a database: a root or a proof looks up a few of them.
///
/// ``MerkleFrontier/completing(_:)`` says which hashes to store with each leaf.
public struct StoredMerkleTree<Failure: Error> {
    /// Looks up the hash of a complete subtree: the one over `1 << level` leaves from `index << level` on.
    public typealias Lookup = (_ level: Int, _ index: UInt64) throws(Failure) -> Digest

    /// How many leaves there are.
    public let count: UInt64
    private let lookup: Lookup

    /// Describes a tree.
    ///
    /// - Parameters:
    ///   - count: The number of its leaves.
    ///   - lookup: Looks up the hash of a complete subtree; asked for none that reaches beyond the count.
    public init(count: UInt64, lookup: @escaping Lookup) {
        self.count = count
        self.lookup = lookup
    }

    /// Returns the root over the first leaves.
    ///
    /// - Precondition: The count is at most ``count``.
    /// - Complexity: O(log *n*) hashes.
    public func root(at count: UInt64) throws(Failure) -> Digest {
        precondition(count <= self.count, "A tree has no root for more leaves than it holds.")
        return try hash(of: 0..<count)
    }

    /// Proves that a leaf is in the tree.
    ///
    /// - Parameters:
    ///   - index: The leaf, counted from 0; the event with sequence *s* is leaf *s* - 1.
    ///   - count: The number of leaves of the tree that the proof is for.
    /// - Returns: The hashes beside the way from the leaf to the root.
    /// - Throws: What the look-up throws.
    /// - Precondition: `index < count <= self.count`.
    /// - Complexity: O(log² *n*).
    public func inclusionProof(of index: UInt64, in count: UInt64) throws(Failure) -> InclusionProof {
        precondition(index < count && count <= self.count, "A leaf can be proven only in a tree that holds it.")
        var path: [Digest] = []
        var range = 0..<count
        while range.upperBound - range.lowerBound > 1 {
            let middle = range.lowerBound + SubtreeHashes.split(range.upperBound - range.lowerBound)
            if index < middle {
                path.append(try hash(of: middle..<range.upperBound))
                range = range.lowerBound..<middle
            } else {
                path.append(try hash(of: range.lowerBound..<middle))
                range = middle..<range.upperBound
            }
        }
        return InclusionProof(index: index, count: count, path: path.reversed())
    }

    /// Proves that a smaller tree is the beginning of a larger one.
    ///
    /// - Precondition: `first <= second <= self.count`.
    /// - Complexity: O(log² *n*).
    public func consistencyProof(from first: UInt64, to second: UInt64) throws(Failure) -> ConsistencyProof {
        precondition(first <= second && second <= count, "Only trees that existed can be compared.")
        guard first > 0, first < second else {
            return ConsistencyProof(first: first, second: second, path: [])
        }
        var path: [Digest] = []
        var range = 0..<second
        // The verifier knows the hash of the old tree itself, so it is left out as long as the walk stays on it.
        var isKnown = true
        while range.upperBound != first {
            let middle = range.lowerBound + SubtreeHashes.split(range.upperBound - range.lowerBound)
            if first <= middle {
                path.append(try hash(of: middle..<range.upperBound))
                range = range.lowerBound..<middle
            } else {
                path.append(try hash(of: range.lowerBound..<middle))
                range = middle..<range.upperBound
                isKnown = false
            }
        }
        if !isKnown { path.append(try hash(of: range)) }
        return ConsistencyProof(first: first, second: second, path: path.reversed())
    }

    /// Hashes a range that RFC 6962 arrives at by splitting; complete subtrees are looked up.
    private func hash(of range: Range<UInt64>) throws(Failure) -> Digest {
        guard range.lowerBound < range.upperBound else { return MerkleHash.empty }
        let size = range.upperBound - range.lowerBound
        let level = size.trailingZeroBitCount
        if size == 1 << UInt64(level) { return try lookup(level, range.lowerBound >> UInt64(level)) }
        let middle = range.lowerBound + SubtreeHashes.split(size)
        return MerkleHash.node(try hash(of: range.lowerBound..<middle), try hash(of: middle..<range.upperBound))
    }
}

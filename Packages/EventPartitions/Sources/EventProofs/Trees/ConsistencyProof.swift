public import EventModel

/// Proof that one tree is the beginning of another: nothing before the end of the first was changed or removed.
public struct ConsistencyProof: Sendable, Hashable, Codable {
    /// The number of leaves of the older tree.
    public let first: UInt64
    /// The number of leaves of the newer tree.
    public let second: UInt64
    /// The hashes, in the order of RFC 9162.
    public let path: [Digest]

    /// Creates a proof that somebody else made.
    public init(first: UInt64, second: UInt64, path: [Digest]) {
        self.first = first
        self.second = second
        self.path = path
    }

    /// Returns whether the trees with these roots fit each other: RFC 9162, section 2.1.4.2.
    ///
    /// The tree without leaves is the beginning of every tree, so its root must be the one that it always has.
    ///
    /// - Complexity: O(log *n*) hashes, where *n* is the number of leaves.
    public func verify(firstRoot: Digest, secondRoot: Digest) -> Bool {
        if first == second { return path.isEmpty && firstRoot == secondRoot }
        if first == 0 { return path.isEmpty && firstRoot == MerkleHash.empty }
        guard first < second else { return false }
        var rest = path[...]
        var position = first - 1
        var last = second - 1
        while position & 1 == 1 {
            position >>= 1
            last >>= 1
        }
        // A complete older tree is a node of the newer one, so the proof starts at a hash that is known already.
        guard let start = first.nonzeroBitCount == 1 ? firstRoot : rest.popFirst() else { return false }
        var older = start
        var newer = start
        for sibling in rest {
            guard last > 0 else { return false }
            if position & 1 == 1 || position == last {
                older = MerkleHash.node(sibling, older)
                newer = MerkleHash.node(sibling, newer)
                while position & 1 == 0 && position != 0 {
                    position >>= 1
                    last >>= 1
                }
            } else {
                newer = MerkleHash.node(newer, sibling)
            }
            position >>= 1
            last >>= 1
        }
        return last == 0 && older == firstRoot && newer == secondRoot
    }
}

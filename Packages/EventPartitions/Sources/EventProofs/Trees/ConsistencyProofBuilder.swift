public import EventModel

/// Makes the consistency proof of two trees while the leaves come by, in memory for a path alone.
public struct ConsistencyProofBuilder: Sendable {
    private let first: UInt64
    private let second: UInt64
    /// The parts of the larger tree that the proof names, the largest first.
    private let parts: [Range<UInt64>]
    private var hashes: SubtreeHashes

    /// Begins a proof.
    ///
    /// - Parameters:
    ///   - first: The number of leaves of the smaller tree.
    ///   - second: The number of leaves of the larger one.
    /// - Precondition: `first <= second`.
    public init(from first: UInt64, to second: UInt64) {
        precondition(first <= second, "A tree is the beginning of a larger one only.")
        self.first = first
        self.second = second
        var parts: [Range<UInt64>] = []
        if first > 0, first < second {
            var range = 0..<second
            // The verifier knows the hash of the old tree itself, so it is left out as long as the walk stays on it.
            var isKnown = true
            while range.upperBound != first {
                let middle = range.lowerBound + SubtreeHashes.split(range.upperBound - range.lowerBound)
                if first <= middle {
                    parts.append(middle..<range.upperBound)
                    range = range.lowerBound..<middle
                } else {
                    parts.append(range.lowerBound..<middle)
                    range = middle..<range.upperBound
                    isKnown = false
                }
            }
            if !isKnown { parts.append(range) }
        }
        self.parts = parts
        hashes = SubtreeHashes(of: parts)
    }

    /// Takes the next leaf; those behind the last of the larger tree are left out.
    public mutating func append(_ leaf: Digest) {
        hashes.append(leaf)
    }

    /// The proof; nil as long as not all leaves of the larger tree have come by.
    public var proof: ConsistencyProof? {
        let path = parts.reversed().compactMap { hashes[$0] }
        guard path.count == parts.count, hashes.count >= second else { return nil }
        return ConsistencyProof(first: first, second: second, path: path)
    }
}

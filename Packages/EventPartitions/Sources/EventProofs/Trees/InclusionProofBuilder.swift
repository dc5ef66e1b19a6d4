public import EventModel

/// Makes the inclusion proof of one leaf while all leaves come by, in memory for a path alone.
///
/// ```swift
/// var builder = InclusionProofBuilder(index: 4, count: 7)
/// for leaf in leaves { builder.append(leaf) }
/// let proof = builder.proof     // the same as that of a MerkleTree
/// ```
public struct InclusionProofBuilder: Sendable {
    private let index: UInt64
    private let count: UInt64
    /// The parts of the tree beside the way from the root to the leaf, the largest first.
    private let siblings: [Range<UInt64>]
    private var hashes: SubtreeHashes

    /// Begins a proof.
    ///
    /// - Parameters:
    ///   - index: The leaf, counted from 0; the event with sequence *s* is leaf *s* - 1.
    ///   - count: The number of leaves of the tree that the proof is for.
    /// - Precondition: `index < count`.
    public init(index: UInt64, count: UInt64) {
        precondition(index < count, "A leaf can be proven only in a tree that holds it.")
        self.index = index
        self.count = count
        var siblings: [Range<UInt64>] = []
        var range = 0..<count
        while range.upperBound - range.lowerBound > 1 {
            let middle = range.lowerBound + SubtreeHashes.split(range.upperBound - range.lowerBound)
            if index < middle {
                siblings.append(middle..<range.upperBound)
                range = range.lowerBound..<middle
            } else {
                siblings.append(range.lowerBound..<middle)
                range = middle..<range.upperBound
            }
        }
        self.siblings = siblings
        hashes = SubtreeHashes(of: siblings)
    }

    /// Takes the next leaf; those behind the last of the tree are left out.
    public mutating func append(_ leaf: Digest) {
        hashes.append(leaf)
    }

    /// The proof; nil as long as not all leaves have come by.
    public var proof: InclusionProof? {
        let path = siblings.reversed().compactMap { hashes[$0] }
        guard path.count == siblings.count, hashes.count >= count else { return nil }
        return InclusionProof(index: index, count: count, path: path)
    }
}

public import EventModel

/// A tree that only grows: it keeps one hash for each complete subtree, which is enough for the root.
///
/// A writer keeps one of these instead of every leaf; a million events need twenty hashes.
///
/// ```swift
/// var frontier = MerkleFrontier()
/// frontier.append(MerkleHash.leaf(event.encoded))
/// let root = frontier.root
/// ```
public struct MerkleFrontier: Sendable, Hashable {
    /// How many leaves were appended.
    public private(set) var count: UInt64
    /// The roots of the complete subtrees, the largest and oldest first; one for each bit that is set in ``count``.
    private var peaks: [Digest]

    /// Creates the tree without leaves.
    public init() {
        count = 0
        peaks = []
    }

    /// Takes up a tree where it ended; nil when the number of hashes does not fit the count.
    ///
    /// - Parameters:
    ///   - count: How many leaves it has.
    ///   - peaks: The hashes of its ``MerkleNode/peaks(of:)``.
    public init?(count: UInt64, peaks: [Digest]) {
        guard peaks.count == count.nonzeroBitCount else { return nil }
        self.count = count
        self.peaks = peaks
    }

    /// Appends the hash of a leaf.
    ///
    /// - Complexity: O(log *n*) hashes, amortized one.
    public mutating func append(_ leaf: Digest) {
        append(leaf) { _ in }
    }

    /// Appends the hash of a leaf, and reports each inner node that it completes, the lowest first.
    ///
    /// - Complexity: O(log *n*) hashes, amortized one.
    public mutating func append(_ leaf: Digest, completing: (Digest) -> Void) {
        var hash = leaf
        var rest = count
        while rest & 1 == 1 {
            hash = MerkleHash.node(peaks.removeLast(), hash)
            completing(hash)
            rest >>= 1
        }
        peaks.append(hash)
        count += 1
    }

    /// Appends the hash of a leaf and returns the hashes of the complete subtrees that end with it, its own first.
    ///
    /// Whoever stores them with the leaf can make every proof later, by ``StoredMerkleTree``: the hash of level *k* is the
    /// *k*-th of the last leaf of the subtree.
    ///
    /// - Complexity: O(log *n*) hashes, amortized one.
    public mutating func completing(_ leaf: Digest) -> [Digest] {
        var completed = [leaf]
        append(leaf) { completed.append($0) }
        return completed
    }

    /// The root of the tree over all leaves.
    ///
    /// - Complexity: O(log *n*) hashes.
    public var root: Digest {
        guard var hash = peaks.last else { return MerkleHash.empty }
        for peak in peaks.dropLast().reversed() {
            hash = MerkleHash.node(peak, hash)
        }
        return hash
    }
}

// MARK: - Bytes

extension MerkleFrontier {
    /// The form in which a frontier is stored: the count in eight bytes, little-endian, then 32 bytes for each peak.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + peaks.count * Digest.byteCount)
        withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
        for peak in peaks {
            peak.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Reads the stored form.
    ///
    /// - Returns: nil when the number of bytes does not fit the count.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count >= 8 else { return nil }
        let count = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var rest = bytes.dropFirst(8)
        guard rest.count == count.nonzeroBitCount * Digest.byteCount else { return nil }
        var peaks: [Digest] = []
        while !rest.isEmpty {
            guard let peak = Digest(rest.prefix(Digest.byteCount)) else { return nil }
            peaks.append(peak)
            rest = rest.dropFirst(Digest.byteCount)
        }
        self.init(count: count, peaks: peaks)
    }
}

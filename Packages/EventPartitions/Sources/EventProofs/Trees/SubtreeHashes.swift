import EventModel

/// The hashes of parts of a tree, made while its leaves come by, so that nobody has to keep the leaves.
struct SubtreeHashes: Sendable {
    /// The parts, each one that RFC 6962 arrives at by splitting, in the order of their leaves.
    private let ranges: [Range<UInt64>]
    private var hashes: [Range<UInt64>: Digest] = [:]
    private var current = 0
    private var frontier = MerkleFrontier()
    /// How many leaves have come by.
    private(set) var count: UInt64 = 0

    /// Begins with parts that do not overlap.
    init(of ranges: [Range<UInt64>]) {
        self.ranges = ranges.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Takes the next leaf.
    mutating func append(_ leaf: Digest) {
        defer { count += 1 }
        guard current < ranges.count, ranges[current].lowerBound <= count else { return }
        frontier.append(leaf)
        guard count + 1 == ranges[current].upperBound else { return }
        hashes[ranges[current]] = frontier.root
        frontier = MerkleFrontier()
        current += 1
    }

    /// The hash of a part; nil as long as not all of its leaves have come by.
    subscript(range: Range<UInt64>) -> Digest? { hashes[range] }

    /// The largest power of two below a count greater than one: where RFC 6962 splits a tree.
    static func split(_ count: UInt64) -> UInt64 {
        1 << UInt64(UInt64.bitWidth - 1 - (count - 1).leadingZeroBitCount)
    }
}

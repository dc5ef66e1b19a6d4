import EventModel
import EventProofs

/// The events of one call, encoded and hashed on the caller's thread so that the leader of a group only copies.
struct LeafBatch: Sendable {
    /// What is kept of one event beside its bytes.
    struct Leaf: Sendable {
        let range: Range<Int>
        let hash: Digest
        let instant: EventInstant
    }

    /// The encodings, one behind the other.
    private(set) var bytes: [UInt8] = []
    private(set) var leaves: [Leaf] = []
    /// Events that were left out, as the receipt names them.
    private(set) var rejections: [AppendReceipt.Rejection] = []
    /// What the ledger is told.
    private(set) var losses: [LossEntry]

    /// Creates a batch that only tells the ledger something.
    init(losses: [LossEntry] = []) {
        self.losses = losses
    }

    /// Encodes events and leaves out those that are larger than the limit.
    init(_ recorded: [AuditEvent], limit: Int, clock: any EventClock) {
        self.init()
        leaves.reserveCapacity(recorded.count)
        for (index, event) in recorded.enumerated() {
            let start = bytes.count
            event.encode(into: &bytes)
            let count = bytes.count - start
            if count > limit {
                bytes.removeLast(count)
                rejections.append(.init(index: index, byteCount: count, limit: limit))
            } else {
                append(start..<bytes.count, at: event.timestamp)
            }
        }
        if !rejections.isEmpty {
            let instants = rejections.map { recorded[$0.index].timestamp }
            losses = [
                LossEntry(
                    reason: .tooLarge,
                    count: UInt64(rejections.count),
                    noticed: clock.now().wall,
                    first: instants.min(),
                    last: instants.max()
                )
            ]
        }
    }

    /// What the events take on the disk at most, about, with the frames around them.
    var byteCount: UInt64 { UInt64(bytes.count) + UInt64(leaves.count) * 8 + 64 }

    /// How many events from the first on take no more than so many bytes, as ``byteCount`` counts.
    func prefixCount(within limit: UInt64) -> Int {
        var sum: UInt64 = 64
        return leaves.firstIndex { leaf in
            sum += UInt64(leaf.range.count) + 8
            return sum > limit
        } ?? leaves.count
    }

    /// What a receipt says of the events behind the first ones, when there is no room for them.
    func refusals(from first: Int, usedBytes: UInt64, quota: UInt64) -> [AppendReceipt.Rejection] {
        let rejected = Set(rejections.map(\.index))
        let indices = (0..<(leaves.count + rejected.count)).filter { !rejected.contains($0) }
        return zip(leaves, indices).dropFirst(first)
            .map { leaf, index in
                .init(index: index, byteCount: leaf.range.count, usedBytes: usedBytes, quota: quota)
            }
    }

    /// Whether there is nothing to write.
    var isEmpty: Bool { leaves.isEmpty && losses.isEmpty }

    /// Takes over an encoding that was read from a file.
    mutating func append(encoded event: UnsafeRawBufferPointer, at instant: EventInstant) {
        let start = bytes.count
        bytes.append(contentsOf: event)
        append(start..<bytes.count, at: instant)
    }

    private mutating func append(_ range: Range<Int>, at instant: EventInstant) {
        let hash = bytes.withUnsafeBytes { MerkleHash.leaf(UnsafeRawBufferPointer(rebasing: $0[range])) }
        leaves.append(Leaf(range: range, hash: hash, instant: instant))
    }
}

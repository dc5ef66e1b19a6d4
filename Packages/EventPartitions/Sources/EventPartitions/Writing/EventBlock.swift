import EventModel
import EventProofs

/// Consecutive events of one call that go into the same frame, hashed and, when there are enough of them, packed.
struct EventBlock: Sendable {
    /// What is kept of one event beside its bytes.
    struct Leaf: Sendable {
        /// The size of its encoding.
        let byteCount: Int
        /// Its hash in the partition's tree.
        let hash: Digest
        /// When it happened.
        let instant: EventInstant
    }

    /// Smaller blocks wait for others that share their frame, and are packed with them.
    private static let packedBytes = 1 << 15

    /// The events; empty once they were packed.
    private(set) var framed: FramedEvents
    /// What the frame holds; nil when the block is to share one.
    private(set) var content: FrameContent?
    /// What is known of each event.
    private(set) var leaves: [Leaf] = []

    /// Creates an empty block with room for some bytes.
    init(capacity: Int = 0) {
        framed = FramedEvents(capacity: capacity)
    }

    /// The size that the events have in the file at most, in bytes.
    var byteCount: Int { content?.bytes.count ?? framed.payload.count }

    /// Takes over an encoding that was read from a file.
    mutating func append(encoded event: UnsafeRawBufferPointer, at instant: EventInstant) {
        note(framed.append(event), at: instant)
    }

    /// Encodes events, hashes them, and packs them when they are enough for a frame of their own.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - sizes: The size of the encoding of each of them.
    ///   - capacity: How many bytes they take.
    init(_ events: ArraySlice<AuditEvent>, sizes: [Int], capacity: Int) {
        self.init(capacity: capacity)
        leaves.reserveCapacity(sizes.count)
        for (event, size) in zip(events, sizes) {
            note(framed.append(event, byteCount: size), at: event.timestamp)
        }
        guard framed.payload.count >= Self.packedBytes else { return }
        hold(FrameContent(packing: framed.payload))
    }

    /// Encodes an event that is a frame by itself, and hashes and packs it at the same time.
    init(large event: AuditEvent) {
        let size = event.encodedByteCount
        self.init(capacity: size + 8)
        let range = framed.append(event, byteCount: size)
        let payload = framed.payload
        let (hash, content) = Parallel.both(
            { Self.hash(payload, range) },
            { FrameContent(packing: payload) }
        )
        leaves = [Leaf(byteCount: range.count, hash: hash, instant: event.timestamp)]
        hold(content)
    }

    /// Returns a block of the first events, which is not packed.
    func prefix(_ count: Int) -> EventBlock {
        var prefix = EventBlock()
        prefix.leaves = Array(leaves.prefix(count))
        guard let payload = content == nil ? framed.payload : content?.plain,
            let ranges = FramedEvents.ranges(in: payload, count: leaves.count)
        else { preconditionFailure("What was just packed can be unpacked.") }
        payload.withUnsafeBytes { bytes in
            for range in ranges.prefix(count) { prefix.framed.append(UnsafeRawBufferPointer(rebasing: bytes[range])) }
        }
        return prefix
    }

    private mutating func hold(_ content: FrameContent) {
        self.content = content
        framed = FramedEvents()
    }

    private mutating func note(_ range: Range<Int>, at instant: EventInstant) {
        leaves.append(Leaf(byteCount: range.count, hash: framed.leafHash(range), instant: instant))
    }

    private static func hash(_ payload: [UInt8], _ range: Range<Int>) -> Digest {
        payload.withUnsafeBytes { MerkleHash.leaf(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

import EventModel
import EventProofs

/// A place between two events of a partition, with the tree over everything before it.
struct PartitionCursor: Sendable, Hashable {
    /// Where the frame of the next event begins, or a frame in front of it.
    private(set) var offset = UInt64(PartitionPreamble.byteCount)
    /// How many events of that frame lie before this place.
    private(set) var skipped = 0
    /// The tree over the events before this place.
    private(set) var frontier = MerkleFrontier()

    /// The front of a partition.
    init() {}

    /// Restores a place that was stored.
    init(offset: UInt64, skipped: Int, frontier: MerkleFrontier) {
        self.offset = offset
        self.skipped = skipped
        self.frontier = frontier
    }

    /// How many events lie before this place.
    var count: UInt64 { frontier.count }

    /// Moves behind an event, hashing all on the way.
    ///
    /// - Parameters:
    ///   - sequence: The last event to move behind; not before this place.
    ///   - partition: What is read.
    ///   - visit: Called with each event and its sequence; false stops in front of it.
    /// - Throws: ``PartitionError/damaged(path:bytes:reason:)`` when an event is not as it was written.
    mutating func advance(
        through sequence: UInt64,
        of partition: HeldPartition,
        visit: (UnsafeRawBufferPointer, UInt64) -> Bool = { _, _ in true }
    ) throws(PartitionError) {
        var opener = FrameOpener(partition: partition.id.id, path: partition.path, key: partition.encryptionKey)
        if count < sequence, let frame = partition.frames?.frame(of: partition.id.id, at: offset) {
            guard try take(frame, through: sequence, of: partition, visit: visit) else { return }
        }
        var scanner = FrameScanner(
            partition.file,
            partition: partition.id.id,
            from: offset,
            to: partition.byteCount
        )
        while count < sequence {
            guard let frame = try nextFrame(&scanner, &opener, of: partition) else { continue }
            let isWanted = try take(frame, through: sequence, of: partition, visit: visit)
            // The rest of it is likely to be read next.
            if frame.bytes.contains(offset) { partition.frames?.insert(frame) }
            guard isWanted else { return }
        }
    }

    /// Returns the next frame of events, and nil after stepping over another one.
    private mutating func nextFrame(
        _ scanner: inout FrameScanner,
        _ opener: inout FrameOpener,
        of partition: HeldPartition
    ) throws(PartitionError) -> EventFrame? {
        switch try scanner.nextFinding() {
        case .frame(let frame) where frame.header.kind == .events:
            guard let events = try opener.open(frame) else { throw unexpected(frame.offset..<frame.end, of: partition) }
            return events
        case .frame(let frame):
            offset = frame.end
            return nil
        case .damage(let range, _):
            throw .damaged(path: partition.path, bytes: range, reason: "a checksum is wrong")
        case .tornTail, .reserved, nil:
            let rest = offset..<max(offset, partition.byteCount)
            throw .damaged(path: partition.path, bytes: rest, reason: "events that were stored are missing")
        }
    }

    /// Moves over events of a frame; false when the visitor wants to stop.
    private mutating func take(
        _ frame: EventFrame,
        through sequence: UInt64,
        of partition: HeldPartition,
        visit: (UnsafeRawBufferPointer, UInt64) -> Bool
    ) throws(PartitionError) -> Bool {
        guard frame.firstSequence &+ UInt64(skipped) == count + 1 else { throw unexpected(frame.bytes, of: partition) }
        offset = frame.bytes.lowerBound
        return frame.payload.withUnsafeBytes { payload in
            while skipped < frame.ranges.count {
                guard count < sequence else { return true }
                let event = UnsafeRawBufferPointer(rebasing: payload[frame.ranges[skipped]])
                guard visit(event, count + 1) else { return false }
                frontier.append(MerkleHash.leaf(event))
                skipped += 1
            }
            offset = frame.bytes.upperBound
            skipped = 0
            return true
        }
    }

    private func unexpected(_ bytes: Range<UInt64>, of partition: HeldPartition) -> PartitionError {
        .damaged(path: partition.path, bytes: bytes, reason: "it does not hold the events that come next")
    }
}

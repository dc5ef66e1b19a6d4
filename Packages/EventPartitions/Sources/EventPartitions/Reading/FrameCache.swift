import EventModel
import Synchronization

/// The frames that were read in part, so that the next part does not unpack them again.
final class FrameCache: Sendable {
    /// As many as partitions are uploaded at once.
    private static let capacity = 4
    /// Larger frames, which hold single large events, are not kept: nothing of them is left to read.
    private static let maximumBytes = 1 << 20

    private let frames = Mutex<[EventFrame]>([])

    /// Finds a frame by its place.
    func frame(of partition: ObjectId, at offset: UInt64) -> EventFrame? {
        frames.withLock { $0.first { $0.partition == partition && $0.bytes.lowerBound == offset } }
    }

    /// Keeps a frame, and releases the one that was kept first.
    func insert(_ frame: EventFrame) {
        guard frame.payload.count <= Self.maximumBytes else { return }
        frames.withLock { frames in
            frames.removeAll { $0.partition == frame.partition }
            if frames.count == Self.capacity { frames.removeFirst() }
            frames.append(frame)
        }
    }
}

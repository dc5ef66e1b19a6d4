import EventModel
import EventProofs

/// The content of a checkpoint: what a writer knows of all events in front of it, so that recovery need not hash them again.
///
/// It is evidence for nobody but the device itself: whoever verifies a file hashes every event.
struct PartitionCheckpoint: Sendable, Hashable {
    /// A checkpoint is written when so many bytes of the file lie behind the one before.
    static let interval: UInt64 = 1 << 20

    /// The tree over the events.
    let frontier: MerkleFrontier
    /// When the first event happened.
    let first: EventInstant
    /// When the last event happened.
    let last: EventInstant

    /// Describes what is in front of it.
    init(frontier: MerkleFrontier, first: EventInstant, last: EventInstant) {
        self.frontier = frontier
        self.first = first
        self.last = last
    }

    /// The form in which it is stored: the times in microseconds since 1970, eight bytes each, and the tree.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        withUnsafeBytes(of: first.microseconds.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: last.microseconds.littleEndian) { bytes.append(contentsOf: $0) }
        return bytes + frontier.bytes
    }

    /// Reads the stored form; nil when it is another one.
    init?(bytes: [UInt8]) {
        guard bytes.count >= 16, let frontier = MerkleFrontier(bytes: bytes[16...]) else { return nil }
        func instant(_ range: Range<Int>) -> EventInstant {
            let bits = bytes[range].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return EventInstant(microseconds: Int64(bitPattern: bits))
        }
        self.init(frontier: frontier, first: instant(0..<8), last: instant(8..<16))
    }
}

import EventModel
import EventProofs

/// Counts what can be read of a damaged partition, and what cannot.
struct PartitionSalvage {
    /// What the partition's own ledger says, as far as it can be read.
    var ledger: [LossEntry] = []
    /// How many events are missing, by what the file itself says.
    var lossCount: UInt64 = 0

    private let held: HeldPartition
    /// How many events were sealed, and the root over them; nil when nothing was sealed.
    private let sealed: (count: UInt64, root: Digest)?
    /// Whether the seal is not in the file any more, so that nobody knows whether the ledger is whole.
    private let hasLostSeal: Bool
    /// How many events the server has proven to hold.
    private let proven: UInt64
    /// The tree over the sealed events that were read.
    private var frontier = MerkleFrontier()
    private var copied: UInt64 = 0

    /// Begins with a partition.
    ///
    /// - Parameters:
    ///   - held: The partition.
    ///   - sealed: What the index says of its seal, when the file does not hold that any more.
    init(of held: HeldPartition, sealed: IndexedSeal?) {
        self.held = held
        self.sealed = sealed.map { ($0.count, $0.root) } ?? held.seal.map { ($0.count, $0.root) }
        hasLostSeal = sealed != nil
        proven = held.acknowledgement.cursor.count
    }

    /// Which events of a frame are to be kept: those that were sealed, if that is known, and that no server holds.
    func range(of frame: EventFrame) -> Range<Int> {
        let (first, count) = (frame.firstSequence, UInt64(frame.ranges.count))
        let start = min(proven >= first ? proven - first + 1 : 0, count)
        let last = sealed?.count ?? .max
        let end = last >= first ? min(last - first + 1, count) : 0
        return Int(start)..<Int(max(start, end))
    }

    /// Takes over a frame.
    mutating func add(_ frame: EventFrame) {
        copied += UInt64(range(of: frame).count)
        let last = sealed?.count ?? .max
        for index in frame.ranges.indices where frame.firstSequence + UInt64(index) <= last {
            frame.withEvent(index) { frontier.append(MerkleHash.leaf($0)) }
        }
    }

    /// Whether every sealed event is there by its place, and they are not the ones that were sealed.
    var isForged: Bool { sealed.map { frontier.count == $0.count && frontier.root != $0.root } ?? false }

    /// The entries of the ledger that a copy begins with: those of the partition, and what is lost of it.
    func losses(noticed: EventInstant) -> [LossEntry] {
        let unproven = sealed.map { $0.count - min(proven, $0.count) } ?? 0
        // An entry of the ledger that is lost with its seal counts as one.
        let least: UInt64 = hasLostSeal ? 1 : 0
        let lost = isForged ? unproven : max(lossCount, unproven - min(copied, unproven), least)
        guard lost > 0 else { return ledger }
        let loss = LossEntry(
            reason: .damaged,
            count: lost,
            noticed: noticed,
            first: held.seal?.first,
            last: held.seal?.last,
            partition: held.id,
            root: sealed?.root
        )
        return ledger + [loss]
    }
}

import EventModel
import EventProofs

/// What a linear walk over a file found: enough to seal it, or to say what is wrong.
struct PartitionContents {
    private(set) var start: PartitionStart?
    private(set) var frontier = MerkleFrontier()
    private(set) var first: EventInstant?
    private(set) var last: EventInstant?
    private(set) var losses: [LossEntry] = []
    private(set) var damages: [PartitionError] = []
    /// How many events are missing, as far as it can be known.
    private(set) var lossCount: UInt64 = 0
    /// Where the frames end that a seal speaks of.
    private(set) var contentEnd: UInt64 = 0
    /// The bytes of a last frame that was not completely written.
    private(set) var tornTail: Range<UInt64>?

    /// Whether there is nothing that a seal could speak of.
    var isEmpty: Bool { frontier.count == 0 && losses.isEmpty && damages.isEmpty }

    /// Whether no byte looks as if a writer of event files had made it: neither the first ones nor any frame.
    var isForeign: Bool {
        !damages.isEmpty && contentEnd <= UInt64(PartitionPreamble.byteCount) && start == nil && !mayBeOurs
    }

    private let mayBeOurs: Bool

    /// Reads a whole file.
    ///
    /// Of a file that is whole, only the events behind its last checkpoint are hashed, if checkpoints are trusted; what is in
    /// front of it is compared with its checksums.
    ///
    /// - Complexity: O(*n*) time, where *n* is the size of the file; the memory of the largest frame.
    init(
        _ file: any OpenFile,
        partition: ObjectId,
        path: String,
        key: EventEncryptionKey?,
        to end: UInt64,
        trustsCheckpoints: Bool = true
    ) throws(PartitionError) {
        let scan: CheckpointScan?
        do throws(FileSystemError) {
            scan = !trustsCheckpoints ? nil : try CheckpointScan(file, partition: partition, to: end)
        } catch {
            throw .fileSystem(error)
        }
        var walk = try PartitionWalk(file, partition: partition, path: path, key: key, to: end)
        mayBeOurs = walk.hasPreamble || walk.isReserved
        if let scan {
            start = scan.start
            losses = scan.losses
            frontier = scan.checkpoint.frontier
            first = scan.checkpoint.first
            last = scan.checkpoint.last
            walk.skip(to: scan.checkpointEnd, sequence: frontier.count + 1)
        }
        while let item = try walk.next() {
            switch item {
            case .start(let start): self.start = start
            case .events(let events): add(events, path: path)
            case .loss(let loss): losses.append(loss)
            case .damage(let range, let reason):
                damages.append(.damaged(path: path, bytes: range, reason: reason))
            case .tornTail(let range): tornTail = range
            case .seal, .end, .reserved: break
            }
        }
        lossCount = walk.lossCount
        contentEnd = walk.contentEnd
    }

    private mutating func add(_ events: EventFrame, path: String) {
        for index in events.ranges.indices {
            events.withEvent(index) { bytes in
                frontier.append(MerkleHash.leaf(bytes))
                guard index == 0 || index == events.ranges.count - 1 else { return }
                // The bytes were checked; only a newer version of the encoding cannot be read, and has no known time.
                guard let instant = try? AuditEvent(encoded: bytes).timestamp else { return }
                if first == nil { first = instant }
                last = instant
            }
        }
    }
}

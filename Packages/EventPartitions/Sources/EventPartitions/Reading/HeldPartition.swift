import EventModel
import EventProofs

/// A partition whose file this process has locked.
struct HeldPartition: Sendable {
    let id: PartitionID
    let path: String
    /// The file; one that is written has its lock, which goes when the last copy of this value goes.
    let file: any OpenFile
    /// How many events are durable.
    var count: UInt64
    /// How many bytes of the file are durable.
    var byteCount: UInt64
    /// What its ledger names.
    var losses: [LossEntry] = []
    /// The seal, once the partition is closed for good.
    var seal: PartitionSeal?
    /// How far the server has proven to hold it.
    var acknowledgement = Acknowledgement()
    /// Where the last read ended.
    var cursor = PartitionCursor()
    /// The journals that were there when the file was taken over; their scopes may not know of its events.
    var journals: Set<ObjectId> = []

    /// What encrypted events are read with; set when the partition is looked up.
    var encryptionKey: EventEncryptionKey?
    /// The frames that were opened last; set when the partition is looked up.
    var frames: FrameCache?

    /// Creates a partition that needs no descriptor any more from one that was sealed.
    init(sealed other: HeldPartition, in fileSystem: any FileSystem) {
        self.init(
            id: other.id,
            path: other.path,
            file: ClosedFile(other.path, in: fileSystem),
            count: other.count,
            byteCount: other.byteCount
        )
        losses = other.losses
        seal = other.seal
        acknowledgement = other.acknowledgement
        cursor = other.cursor
        journals = other.journals
    }

    init(id: PartitionID, path: String, file: any OpenFile, count: UInt64, byteCount: UInt64) {
        self.id = id
        self.path = path
        self.file = file
        self.count = count
        self.byteCount = byteCount
    }

    /// What the upload gets to know.
    var summary: PartitionSummary {
        PartitionSummary(
            partition: id,
            count: count,
            isSealed: seal != nil,
            acknowledgedThrough: acknowledgement.cursor.count,
            byteCount: byteCount,
            isSealAcknowledged: acknowledgement.includesSeal
        )
    }

    /// Compares the tree at the end with the one that was sealed.
    ///
    /// - Throws: ``PartitionError/damaged(path:bytes:reason:)`` when the events are not the sealed ones, although every
    ///   checksum is right.
    func check(_ cursor: PartitionCursor) throws(PartitionError) {
        guard let seal, cursor.count == seal.count, cursor.frontier.root != seal.root else { return }
        throw .damaged(path: path, bytes: 0..<byteCount, reason: "its events are not those that its seal speaks of")
    }

    /// The known place that is nearest in front of an event.
    func cursor(before sequence: UInt64) -> PartitionCursor {
        [cursor, acknowledgement.cursor].filter { $0.count < sequence }.max { $0.count < $1.count } ?? PartitionCursor()
    }
}

extension HeldPartition {
    /// Whether the server has proven to hold every event and the seal.
    var isWhollyProven: Bool {
        seal != nil && acknowledgement.includesSeal && acknowledgement.cursor.count == count
    }
}

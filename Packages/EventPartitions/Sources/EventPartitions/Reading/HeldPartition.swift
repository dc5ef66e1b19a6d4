import EventModel
import EventProofs

/// A partition whose file this process has locked.
struct HeldPartition: Sendable {
    let id: PartitionID
    let path: String
    /// The file with its lock, which goes when the last copy of this value goes.
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

    /// What the upload is told.
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

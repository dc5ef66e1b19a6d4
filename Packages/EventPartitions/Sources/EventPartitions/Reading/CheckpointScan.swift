import EventModel

/// A first look at a file without a seal, which shows from where on its events have to be hashed.
///
/// Every checksum is compared, but only the content of frames without events is read.
struct CheckpointScan {
    private(set) var start: PartitionStart?
    /// The losses in front of the last checkpoint.
    private(set) var losses: [LossEntry] = []
    /// What the last checkpoint says.
    let checkpoint: PartitionCheckpoint
    /// Where the frames behind the last checkpoint begin.
    let checkpointEnd: UInt64

    /// Looks at a file; nil when there is no checkpoint, or anything is not as a living writer leaves it.
    ///
    /// Without a result, only a walk over all events can find what is there.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - partition: The id by the name of the file.
    ///   - end: How much of the file to look at.
    /// - Throws: ``FileSystemError`` when the file cannot be read.
    init?(_ file: any OpenFile, partition: ObjectId, to end: UInt64) throws(FileSystemError) {
        guard end > PartitionCheckpoint.interval else { return nil }
        let preamble = try file.bytes(at: 0, count: PartitionPreamble.byteCount)
        guard preamble.withUnsafeBytes({ PartitionPreamble.partition(in: $0) }) == partition else { return nil }
        let first = UInt64(PartitionPreamble.byteCount)
        var scanner = FrameScanner(file, partition: partition, from: first, to: end)
        var recentLosses: [LossEntry] = []
        var nextSequence: UInt64 = 1
        var found: (checkpoint: PartitionCheckpoint, end: UInt64)?
        while let finding = try scanner.next() {
            guard case .frame(let frame) = finding else {
                if case .damage = finding { return nil }
                break
            }
            let header = frame.header
            guard header.firstSequence == nextSequence else { return nil }
            switch header.kind {
            case .start:
                guard let start = FrameJSON.decode(PartitionStart.self, from: frame.payload) else { return nil }
                self.start = start
            case .events:
                nextSequence &+= UInt64(header.eventCount)
            case .loss:
                guard let loss = FrameJSON.decode(LossEntry.self, from: frame.payload) else { return nil }
                recentLosses.append(loss)
            case .checkpoint:
                guard let checkpoint = PartitionCheckpoint(bytes: frame.payload),
                    checkpoint.frontier.count == nextSequence - 1
                else { return nil }
                found = (checkpoint, frame.end)
                losses += recentLosses
                recentLosses = []
            case .seal, .end, .block, .erased, .record:
                return nil
            }
        }
        guard let found else { return nil }
        (checkpoint, checkpointEnd) = found
    }
}

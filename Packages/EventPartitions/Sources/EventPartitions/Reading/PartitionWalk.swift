import EventModel

/// Walks over a whole file and says what its frames mean, in order.
struct PartitionWalk {
    /// What a frame, or the bytes in its place, mean.
    enum Item {
        case start(PartitionStart)
        case events(EventFrame)
        case loss(LossEntry)
        case seal(PartitionSeal)
        case end
        case damage(Range<UInt64>, reason: String)
        case tornTail(Range<UInt64>)
    }

    /// Consecutive events.
    struct EventFrame {
        let firstSequence: UInt64
        /// Where the frame lies in the file.
        let bytes: Range<UInt64>
        let payload: [UInt8]
        /// Where each event lies in the payload.
        let ranges: [Range<Int>]

        /// Calls the closure with the bytes of an event.
        func withEvent<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try payload.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[ranges[index]])) }
        }
    }

    /// Whether the first bytes are those of this partition's file.
    let hasPreamble: Bool
    private var scanner: FrameScanner
    private var preambleDamage: Range<UInt64>?
    /// Events that come after a gap which is reported first.
    private var waiting: EventFrame?
    /// What the damaged frames since the last intact events may have held.
    private var suspectedLosses: UInt64 = 0
    private var confirmedLosses: UInt64 = 0
    /// The sequence that the next event has when nothing is missing.
    private(set) var nextSequence: UInt64 = 1
    /// Where the last intact frame in front of a seal ends.
    private(set) var contentEnd: UInt64

    /// Starts at the front of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - partition: The id by the name of the file; a preamble that says otherwise is damage.
    ///   - end: How much of the file to look at.
    /// - Throws: ``FileSystemError`` when the file cannot be read.
    init(_ file: any OpenFile, partition: ObjectId, to end: UInt64) throws(FileSystemError) {
        let count = UInt64(PartitionPreamble.byteCount)
        let preamble = try file.bytes(at: 0, count: PartitionPreamble.byteCount)
        let named = preamble.withUnsafeBytes { PartitionPreamble.partition(in: $0) }
        hasPreamble = named == partition
        if end >= count, !hasPreamble { preambleDamage = 0..<count }
        contentEnd = min(count, end)
        scanner = FrameScanner(file, partition: partition, from: contentEnd, to: end)
    }

    /// How many events are missing, as far as it can be known.
    ///
    /// Sequences tell, or the headers of damaged frames; a frame without a readable header counts as one event.
    var lossCount: UInt64 { confirmedLosses.addingUpTo(suspectedLosses) }

    /// Finds the next item; nil at the end.
    mutating func next() throws(FileSystemError) -> Item? {
        if let range = preambleDamage {
            preambleDamage = nil
            return .damage(range, reason: "it does not start as a partition file of this name and version does")
        }
        if let events = waiting {
            waiting = nil
            return .events(events)
        }
        switch try scanner.next() {
        case nil:
            return nil
        case .tornTail(let range):
            return .tornTail(range)
        case .damage(let range, let events):
            suspectedLosses = suspectedLosses.addingUpTo(events.map { UInt64($0) } ?? 1)
            return .damage(range, reason: "a checksum is wrong")
        case .frame(let frame):
            return item(of: frame)
        }
    }

    private mutating func item(of frame: FrameScanner.Frame) -> Item {
        func unreadable() -> Item {
            .damage(frame.offset..<frame.end, reason: "the content is not what its frame should hold")
        }
        switch frame.header.kind {
        case .start:
            contentEnd = frame.end
            return FrameJSON.decode(PartitionStart.self, from: frame.payload).map { .start($0) } ?? unreadable()
        case .events:
            contentEnd = frame.end
            return events(in: frame) ?? unreadable()
        case .loss:
            contentEnd = frame.end
            return FrameJSON.decode(LossEntry.self, from: frame.payload).map { .loss($0) } ?? unreadable()
        case .seal:
            guard let seal = FrameJSON.decode(PartitionSeal.self, from: frame.payload) else { return unreadable() }
            if seal.count >= nextSequence {
                confirmedLosses = confirmedLosses.addingUpTo(seal.count - (nextSequence - 1))
                suspectedLosses = 0
            }
            return .seal(seal)
        case .end:
            return .end
        case .block, .erased:
            return unreadable()
        }
    }

    /// Takes the events of a frame; nil when they cannot be where they are.
    private mutating func events(in frame: FrameScanner.Frame) -> Item? {
        guard frame.header.firstSequence >= nextSequence,
            let ranges = EventBatch.ranges(in: frame.payload, count: frame.header.eventCount)
        else { return nil }
        let events = EventFrame(
            firstSequence: frame.header.firstSequence,
            bytes: frame.offset..<frame.end,
            payload: frame.payload,
            ranges: ranges
        )
        let missing = events.firstSequence - nextSequence
        let isExplained = suspectedLosses > 0
        let (next, isOverflow) = events.firstSequence.addingReportingOverflow(UInt64(ranges.count))
        guard !isOverflow else { return nil }
        confirmedLosses = confirmedLosses.addingUpTo(missing)
        suspectedLosses = 0
        nextSequence = next
        guard missing > 0, !isExplained else { return .events(events) }
        waiting = events
        return .damage(frame.offset..<frame.offset, reason: "\(missing) events are missing in front of it")
    }
}

extension UInt64 {
    /// Adds, and stays at the greatest number: what a file claims has no bound.
    fileprivate func addingUpTo(_ other: UInt64) -> UInt64 {
        let (sum, isOverflow) = addingReportingOverflow(other)
        return isOverflow ? .max : sum
    }
}

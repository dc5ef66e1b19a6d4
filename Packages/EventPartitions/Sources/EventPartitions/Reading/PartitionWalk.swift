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

    /// Whether the first bytes are those of this partition's file.
    let hasPreamble: Bool
    private var scanner: FrameScanner
    private var opener: FrameOpener
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
    ///   - path: How errors name the file.
    ///   - key: What encrypted events are read with, or nil.
    ///   - end: How much of the file to look at.
    /// - Throws: ``PartitionError/fileSystem(_:)`` when the file cannot be read, and
    ///   ``PartitionError/newerVersion(path:found:known:)`` when only a newer program can.
    init(
        _ file: any OpenFile,
        partition: ObjectId,
        path: String,
        key: EventEncryptionKey?,
        to end: UInt64
    ) throws(PartitionError) {
        let count = UInt64(PartitionPreamble.byteCount)
        let preamble: [UInt8]
        do throws(FileSystemError) {
            preamble = try file.bytes(at: 0, count: PartitionPreamble.byteCount)
        } catch {
            throw .fileSystem(error)
        }
        if let found = preamble.withUnsafeBytes({ PartitionPreamble.newerVersion(in: $0) }) {
            throw .newerVersion(path: path, found: found, known: PartitionPreamble.version)
        }
        opener = FrameOpener(partition: partition, path: path, key: key)
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
    ///
    /// - Throws: ``PartitionError/fileSystem(_:)`` when the file cannot be read, ``PartitionError/encrypted(path:)`` and
    ///   ``PartitionError/wrongKey(path:)`` in the place of events that only another key gives.
    mutating func next() throws(PartitionError) -> Item? {
        if let range = preambleDamage {
            preambleDamage = nil
            return .damage(range, reason: "it does not start as a partition file of this name and version does")
        }
        if let events = waiting {
            waiting = nil
            return .events(events)
        }
        let finding: FrameScanner.Finding?
        do throws(FileSystemError) {
            finding = try scanner.next()
        } catch {
            throw .fileSystem(error)
        }
        switch finding {
        case nil:
            return nil
        case .tornTail(let range):
            return .tornTail(range)
        case .damage(let range, let events):
            suspectedLosses = suspectedLosses.addingUpTo(events.map { UInt64($0) } ?? 1)
            return .damage(range, reason: "a checksum is wrong")
        case .frame(let frame):
            return try item(of: frame)
        }
    }

    private mutating func item(of frame: FrameScanner.Frame) throws(PartitionError) -> Item {
        func unreadable() -> Item {
            .damage(frame.offset..<frame.end, reason: "the content is not what its frame should hold")
        }
        switch frame.header.kind {
        case .start:
            contentEnd = frame.end
            return FrameJSON.decode(PartitionStart.self, from: frame.payload).map { .start($0) } ?? unreadable()
        case .events:
            contentEnd = frame.end
            return try events(in: frame) ?? unreadable()
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
    private mutating func events(in frame: FrameScanner.Frame) throws(PartitionError) -> Item? {
        guard frame.header.firstSequence >= nextSequence, let events = try opener.open(frame) else { return nil }
        let missing = events.firstSequence - nextSequence
        let isExplained = suspectedLosses > 0
        let (next, isOverflow) = events.firstSequence.addingReportingOverflow(UInt64(events.ranges.count))
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

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
        case reserved(Range<UInt64>)
    }

    /// Whether the first bytes are those of this partition's file.
    let hasPreamble: Bool
    /// Whether the first bytes are zeros: space that a power cut left without what was to be written there.
    let isReserved: Bool
    private var scanner: FrameScanner
    private var opener: FrameOpener
    private var preambleDamage: Range<UInt64>?
    /// Events that come after a gap which is reported first.
    private var waiting: EventFrame?
    /// What the damaged frames since the last intact events may have held.
    private var suspectedLosses: UInt64 = 0
    private var confirmedLosses: UInt64 = 0
    /// Damaged frames without a readable header, which may have held events or an entry of the ledger.
    private var suspectedEntries: UInt64 = 0
    /// Entries of the ledger that cannot be read; a seal names them again.
    private var lostEntries: UInt64 = 0
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
        isReserved = preamble.withUnsafeBytes(\.isZero)
        if end >= count, !hasPreamble { preambleDamage = 0..<count }
        contentEnd = min(count, end)
        scanner = FrameScanner(file, partition: partition, from: contentEnd, to: end)
    }

    /// Goes on behind frames that are known to be whole.
    ///
    /// - Parameters:
    ///   - offset: Where the next frame begins.
    ///   - sequence: The sequence that the next event has.
    mutating func skip(to offset: UInt64, sequence: UInt64) {
        scanner.skip(to: offset)
        contentEnd = offset
        nextSequence = sequence
    }

    /// How many events are missing, as far as it can be known.
    ///
    /// Sequences show it, or the headers of damaged frames. A frame without a readable header counts as one event, and so does
    /// an entry of the ledger that cannot be read.
    var lossCount: UInt64 { confirmedLosses.addingUpTo(suspectedLosses).addingUpTo(lostEntries) }

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
        switch try scanner.nextFinding() {
        case nil:
            return nil
        case .tornTail(let range):
            return .tornTail(range)
        case .reserved(let range):
            return .reserved(range)
        case .damage(let range, let header):
            note(header, at: range.lowerBound)
            return .damage(range, reason: "a checksum is wrong")
        case .frame(let frame) where frame.header.kind == .checkpoint:
            contentEnd = frame.end
            return try next()
        case .frame(let frame):
            return try item(of: frame)
        }
    }

    /// Counts what a damaged frame may have held.
    private mutating func note(_ header: FrameHeader?, at offset: UInt64) {
        switch header?.kind {
        case .loss: lostEntries = lostEntries.addingUpTo(1)
        case nil where offset <= UInt64(PartitionPreamble.byteCount): break
        case nil:
            suspectedLosses = suspectedLosses.addingUpTo(1)
            suspectedEntries += 1
        default: suspectedLosses = suspectedLosses.addingUpTo(UInt64(header?.eventCount ?? 0))
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
            }
            // The seal says exactly how many events there were, and repeats the ledger.
            (suspectedLosses, suspectedEntries, lostEntries) = (0, 0, 0)
            return .seal(seal)
        case .end:
            return .end
        case .block, .erased, .checkpoint, .record:
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
        // What was damaged in between held no event, so it may have been an entry of the ledger.
        if missing == 0 { lostEntries = lostEntries.addingUpTo(suspectedEntries) }
        (suspectedLosses, suspectedEntries) = (0, 0)
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

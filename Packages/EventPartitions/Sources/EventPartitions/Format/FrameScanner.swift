import EventModel

/// Walks over the frames of a file from a given place on, in bounded memory, and never trusts a byte unchecked.
struct FrameScanner {
    /// A frame whose checksums are right.
    struct Frame {
        let header: FrameHeader
        /// Where the header lies in the file.
        let offset: UInt64
        let payload: [UInt8]

        /// Where the next frame begins.
        var end: UInt64 { offset + UInt64(header.frameCount) }
    }

    /// What was found.
    enum Finding {
        case frame(Frame)
        /// Bytes that were a frame once; what they held is known when their header is intact.
        case damage(Range<UInt64>, FrameHeader?)
        /// A frame that was being written when the file ended, or when the power went.
        case tornTail(Range<UInt64>)
        /// Zeros up to the end: space that was reserved for later frames.
        case reserved(Range<UInt64>)
    }

    /// How much is looked at at once where no frame is.
    private static let stepBytes: UInt64 = 4096

    private let file: any OpenFile
    private let partition: ObjectId
    /// Where the walk ends: what is behind it is not looked at.
    private let end: UInt64
    /// Where the next frame is expected.
    private(set) var offset: UInt64
    private var window = ByteWindow()

    /// Creates a scanner.
    init(_ file: any OpenFile, partition: ObjectId, from offset: UInt64, to end: UInt64) {
        self.file = file
        self.partition = partition
        self.offset = offset
        self.end = end
    }

    /// Goes on with the frame that begins at an offset.
    mutating func skip(to offset: UInt64) { self.offset = offset }

    /// Finds the next frame, or what is there instead of it; nil at the end.
    mutating func next() throws(FileSystemError) -> Finding? {
        guard offset < end else { return nil }
        guard end - offset >= UInt64(FrameHeader.byteCount) else {
            return try isZero(offset..<end) ? reserved() : tornTail()
        }
        guard let header = try header(at: offset) else { return try damagedHeader() }
        guard end - offset >= UInt64(header.frameCount) else { return tornTail() }
        let start = offset
        offset += UInt64(header.frameCount)
        guard let payload = try payload(of: header, at: start) else {
            return try isTorn(start..<offset) ? tornTail(from: start) : .damage(start..<offset, header)
        }
        return .frame(Frame(header: header, offset: start, payload: payload))
    }

    /// Finds the next frame, or what is there instead of it; nil at the end.
    mutating func nextFinding() throws(PartitionError) -> Finding? {
        do throws(FileSystemError) {
            return try next()
        } catch {
            throw .fileSystem(error)
        }
    }

    private mutating func tornTail(from start: UInt64? = nil) -> Finding {
        defer { offset = end }
        return .tornTail((start ?? offset)..<end)
    }

    private mutating func reserved() -> Finding {
        defer { offset = end }
        return .reserved(offset..<end)
    }

    /// Looks for the next intact frame.
    private mutating func damagedHeader() throws(FileSystemError) -> Finding {
        let start = offset
        // Most often it is reserved space, in which no place needs to be looked at by itself.
        if try isZero(start..<end) { return reserved() }
        offset += 1
        while let candidate = try nextCandidate() {
            offset = candidate
            if let header = try header(at: offset), end - offset >= UInt64(header.frameCount),
                try payload(of: header, at: offset) != nil
            {
                return .damage(start..<offset, nil)
            }
            offset += 1
        }
        offset = end
        // A frame in reserved space is the only one of its sync, so nothing but zeros was behind it.
        guard end - start <= ReservedSpace.largestTail,
            try hasUnwrittenSector(start..<start + UInt64(FrameHeader.byteCount))
        else { return .damage(start..<end, nil) }
        return .tornTail(start..<end)
    }

    /// Finds the next place from ``offset`` on where a header may lie.
    private mutating func nextCandidate() throws(FileSystemError) -> UInt64? {
        var place = offset
        while end > place, end - place >= UInt64(FrameHeader.byteCount) {
            let count = Int(min(end - place, Self.stepBytes))
            let bytes = try window.bytes(place, count, from: file)
            let candidate = bytes.withUnsafeBytes { FrameHeader.firstCandidate(in: $0) }
            if let candidate { return place + UInt64(candidate) }
            guard bytes.count >= FrameHeader.byteCount else { return nil }
            place += UInt64(bytes.count - FrameHeader.byteCount + 1)
        }
        return nil
    }

    /// Whether a frame whose content is wrong was being written when the power went: a part of it is still reserved space.
    private mutating func isTorn(_ frame: Range<UInt64>) throws(FileSystemError) -> Bool {
        guard frame.count <= ReservedSpace.largestWrite, end - frame.lowerBound <= ReservedSpace.largestTail else {
            return false
        }
        guard try hasUnwrittenSector(frame) else { return false }
        return try isZero(frame.upperBound..<end)
    }

    /// Whether a whole sector of a range, or all that the range has of it, is zeros: a disk writes whole sectors.
    private mutating func hasUnwrittenSector(_ range: Range<UInt64>) throws(FileSystemError) -> Bool {
        var start = range.lowerBound
        while start < range.upperBound {
            let next = min((start / ReservedSpace.sectorBytes + 1) * ReservedSpace.sectorBytes, range.upperBound)
            if try isZero(start..<next) { return true }
            start = next
        }
        return false
    }

    private mutating func isZero(_ range: Range<UInt64>) throws(FileSystemError) -> Bool {
        var place = range.lowerBound
        while place < range.upperBound {
            let count = Int(min(range.upperBound - place, Self.stepBytes))
            let bytes = try window.bytes(place, count, from: file)
            guard bytes.count == count, bytes.withUnsafeBytes(\.isZero) else { return false }
            place += UInt64(count)
        }
        return true
    }

    private mutating func header(at offset: UInt64) throws(FileSystemError) -> FrameHeader? {
        let bytes = try window.bytes(offset, FrameHeader.byteCount, from: file)
        return bytes.withUnsafeBytes { FrameHeader($0, at: offset, of: partition) }
    }

    private mutating func payload(of header: FrameHeader, at offset: UInt64) throws(FileSystemError) -> [UInt8]? {
        let start = offset + UInt64(FrameHeader.byteCount)
        let bytes = try window.bytes(start, header.payloadCount, from: file)
        guard bytes.count == header.payloadCount else { return nil }
        let checksum = bytes.withUnsafeBytes { CRC32C.checksum($0) }
        return checksum == header.payloadChecksum ? Array(bytes) : nil
    }
}

/// A stretch of a file in memory, read in large pieces.
private struct ByteWindow {
    private static let readAhead = 1 << 18

    private var start: UInt64 = 0
    private var buffer: [UInt8] = []

    /// Returns bytes of the file; fewer when the file ends before.
    mutating func bytes(_ offset: UInt64, _ count: Int, from file: any OpenFile) throws(FileSystemError) -> ArraySlice<
        UInt8
    > {
        if offset < start || offset + UInt64(count) > start + UInt64(buffer.count) {
            buffer = try file.bytes(at: offset, count: max(count, Self.readAhead))
            start = offset
        }
        let first = Int(offset - start)
        return buffer[min(first, buffer.count)..<min(first + count, buffer.count)]
    }
}

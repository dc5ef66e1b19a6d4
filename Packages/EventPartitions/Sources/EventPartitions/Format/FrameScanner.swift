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
        /// A frame that was being written when the file ended.
        case tornTail(Range<UInt64>)
    }

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
        guard end - offset >= UInt64(FrameHeader.byteCount) else { return tornTail() }
        guard let header = try header(at: offset) else { return try damagedHeader() }
        guard end - offset >= UInt64(header.frameCount) else { return tornTail() }
        let start = offset
        offset += UInt64(header.frameCount)
        guard let payload = try payload(of: header, at: start) else {
            return .damage(start..<offset, header)
        }
        return .frame(Frame(header: header, offset: start, payload: payload))
    }

    private mutating func tornTail() -> Finding {
        defer { offset = end }
        return .tornTail(offset..<end)
    }

    /// Looks for the next intact frame; zeros up to the end are space that was reserved and not written.
    private mutating func damagedHeader() throws(FileSystemError) -> Finding {
        let start = offset
        var isZero = true
        while end - offset >= UInt64(FrameHeader.byteCount) {
            if isZero { isZero = try window.bytes(offset, 1, from: file).first == 0 }
            offset += 1
            guard end - offset >= UInt64(FrameHeader.byteCount), let header = try header(at: offset),
                end - offset >= UInt64(header.frameCount), try payload(of: header, at: offset) != nil
            else { continue }
            return .damage(start..<offset, nil)
        }
        if isZero { isZero = try window.bytes(offset, Int(end - offset), from: file).allSatisfy { $0 == 0 } }
        offset = end
        return isZero ? .tornTail(start..<end) : .damage(start..<end, nil)
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

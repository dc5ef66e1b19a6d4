import EventModel
import Synchronization

/// One journal: a preamble, and a frame for each block.
final class ScopeJournalFile: ScopeJournal {
    let id: ObjectId
    private let path: String
    /// The file with its lock, which goes with this object.
    private let file: any OpenFile
    private let fileSystem: any FileSystem
    /// Where the next frame will lie.
    private let end: Mutex<UInt64>

    /// Starts a journal in an empty file.
    init(creating id: ObjectId, path: String, file: any OpenFile, fileSystem: any FileSystem) throws(FileSystemError) {
        self.id = id
        self.path = path
        self.file = file
        self.fileSystem = fileSystem
        var preamble: [UInt8] = []
        PartitionPreamble.append(id, .journal, to: &preamble)
        try file.writeAll(preamble, at: 0)
        end = Mutex(UInt64(preamble.count))
    }

    /// Goes on where a dead process stopped; nil when the file is not a journal of this version.
    ///
    /// A torn tail is cut off.
    init?(continuing id: ObjectId, path: String, file: any OpenFile, fileSystem: any FileSystem) throws(FileSystemError)
    {
        let preamble = try file.bytes(at: 0, count: PartitionPreamble.byteCount)
        guard preamble.withUnsafeBytes({ PartitionPreamble.partition(in: $0, .journal) }) == id else { return nil }
        let size = try file.size()
        var end = size
        var scanner = FrameScanner(file, partition: id, from: UInt64(PartitionPreamble.byteCount), to: size)
        while let finding = try scanner.next() {
            if case .tornTail(let range) = finding { end = range.lowerBound }
        }
        if end < size { try file.truncate(to: end) }
        self.id = id
        self.path = path
        self.file = file
        self.fileSystem = fileSystem
        self.end = Mutex(end)
    }

    func append(_ block: [UInt8]) throws -> ScopeJournalBlock {
        let offset = end.withLock(\.self)
        var frame: [UInt8] = []
        frame.reserveCapacity(FrameHeader.byteCount + block.count)
        Self.append(.block, block, at: offset, of: id, to: &frame)
        // A write that fails halfway leaves a torn frame, which the next append overwrites.
        try naming { () throws(FileSystemError) in try file.writeAll(frame, at: offset) }
        end.withLock { $0 = offset + UInt64(frame.count) }
        return ScopeJournalBlock(offset: offset, byteCount: block.count)
    }

    func blocks() throws -> [ScopeJournalBlock] {
        let end = end.withLock(\.self)
        return try naming { () throws(FileSystemError) in
            var scanner = FrameScanner(file, partition: id, from: UInt64(PartitionPreamble.byteCount), to: end)
            var blocks: [ScopeJournalBlock] = []
            while let finding = try scanner.next() {
                guard case .frame(let frame) = finding, frame.header.kind == .block else { continue }
                blocks.append(ScopeJournalBlock(offset: frame.offset, byteCount: frame.header.payloadCount))
            }
            return blocks
        }
    }

    func read(_ block: ScopeJournalBlock) throws -> [UInt8] {
        let range = block.offset..<(block.offset + UInt64(FrameHeader.byteCount + block.byteCount))
        let bytes = try naming { () throws(FileSystemError) in
            try file.bytes(at: block.offset, count: FrameHeader.byteCount + block.byteCount)
        }
        let content = bytes.withUnsafeBytes { buffer -> UnsafeRawBufferPointer? in
            guard let header = FrameHeader(buffer, at: block.offset, of: id), header.kind == .block,
                header.payloadCount == block.byteCount, buffer.count == header.frameCount
            else { return nil }
            let content = UnsafeRawBufferPointer(rebasing: buffer[FrameHeader.byteCount...])
            return CRC32C.checksum(content) == header.payloadChecksum ? content : nil
        }
        guard content != nil else {
            throw PartitionError.damaged(path: path, bytes: range, reason: "it is not the block that was written there")
        }
        return Array(bytes[FrameHeader.byteCount...])
    }

    func erase(_ block: ScopeJournalBlock) throws {
        var frame: [UInt8] = []
        Self.append(.erased, [UInt8](repeating: 0, count: block.byteCount), at: block.offset, of: id, to: &frame)
        try naming { () throws(FileSystemError) in try file.writeAll(frame, at: block.offset) }
    }

    func remove() throws {
        try naming { () throws(FileSystemError) in try fileSystem.remove(path) }
    }

    private static func append(
        _ kind: FrameHeader.Kind,
        _ content: [UInt8],
        at offset: UInt64,
        of id: ObjectId,
        to bytes: inout [UInt8]
    ) {
        content.withUnsafeBytes { buffer in
            FrameHeader(kind: kind, payload: buffer, firstSequence: 0, eventCount: 0)
                .append(to: &bytes, at: offset, of: id)
        }
        bytes.append(contentsOf: content)
    }

    private func naming<Result>(_ body: () throws(FileSystemError) -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw PartitionError.fileSystem(error)
        }
    }
}

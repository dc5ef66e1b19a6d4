import EventModel
import Synchronization

/// One journal: a preamble, and a frame for each block.
final class ScopeJournalFile: ScopeJournal {
    private struct State {
        /// Where the next frame will lie.
        var end: UInt64
        var frames: JournalFrames
    }

    let id: ObjectId
    private let path: String
    /// The file with its lock, which goes with this object.
    private let file: any OpenFile
    private let fileSystem: any FileSystem
    private let state: Mutex<State>

    /// Starts a journal in an empty file.
    init(
        creating id: ObjectId,
        path: String,
        file: any OpenFile,
        fileSystem: any FileSystem,
        key: EventEncryptionKey?
    ) throws(FileSystemError) {
        self.id = id
        self.path = path
        self.file = file
        self.fileSystem = fileSystem
        var preamble: [UInt8] = []
        PartitionPreamble.append(id, .journal, to: &preamble)
        try file.writeAll(preamble, at: 0)
        let frames = JournalFrames(id: id, path: path, key: key)
        state = Mutex(State(end: UInt64(preamble.count), frames: frames))
    }

    /// Goes on where a dead process stopped; a torn tail, or a damaged one in which no block is left, is cut off.
    ///
    /// - Throws: ``PartitionError/newerVersion(path:found:known:)``, ``PartitionError/encrypted(path:)``,
    ///   ``PartitionError/wrongKey(path:)`` or ``PartitionError/damaged(path:bytes:reason:)`` when the file must be left as it
    ///   is, and ``FileSystemError`` when a call fails.
    init(
        continuing id: ObjectId,
        path: String,
        file: any OpenFile,
        fileSystem: any FileSystem,
        key: EventEncryptionKey?
    ) throws {
        let preamble = try file.bytes(at: 0, count: PartitionPreamble.byteCount)
        try Self.check(preamble, of: id, path: path)
        var frames = JournalFrames(id: id, path: path, key: key)
        let size = try file.size()
        var end = size
        var isKnown = false
        var scanner = FrameScanner(file, partition: id, from: UInt64(PartitionPreamble.byteCount), to: size)
        while let finding = try scanner.next() {
            switch finding {
            case .frame(let frame) where frame.header.kind == .block && !isKnown:
                // All blocks have the same key; the first one shows whether it is ours.
                _ = try frames.block(in: frame.payload, frame.header, at: frame.offset)
                isKnown = true
            case .tornTail(let range), .reserved(let range): end = range.lowerBound
            // Nothing there can be read, and behind it the first bytes of a block could complete a frame that was cut off.
            case .damage(let range, nil) where range.upperBound == size: end = range.lowerBound
            case .frame, .damage: break
            }
        }
        if end < size { try file.truncate(to: end) }
        self.id = id
        self.path = path
        self.file = file
        self.fileSystem = fileSystem
        state = Mutex(State(end: end, frames: frames))
    }

    /// Reads the first block of a file that somebody else may have; nil when none is whole.
    static func firstBlock(
        of id: ObjectId,
        path: String,
        file: any OpenFile,
        key: EventEncryptionKey?
    ) throws -> [UInt8]? {
        try check(try file.bytes(at: 0, count: PartitionPreamble.byteCount), of: id, path: path)
        var frames = JournalFrames(id: id, path: path, key: key)
        var scanner = FrameScanner(file, partition: id, from: UInt64(PartitionPreamble.byteCount), to: try file.size())
        while let finding = try scanner.next() {
            guard case .frame(let frame) = finding, frame.header.kind == .block else { continue }
            return try frames.block(in: frame.payload, frame.header, at: frame.offset)
        }
        return nil
    }

    func append(_ block: [UInt8]) throws -> ScopeJournalBlock {
        let (offset, frame) = try state.withLock { state in
            (state.end, try state.frames.frame(block, at: state.end))
        }
        do {
            // A write that fails halfway leaves a torn frame, which the next append overwrites.
            try naming { () throws(FileSystemError) in try file.writeAll(frame, at: offset) }
        } catch {
            state.withLock { $0.frames.didFail() }
            throw error
        }
        state.withLock { $0.end = offset + UInt64(frame.count) }
        return ScopeJournalBlock(offset: offset, byteCount: block.count)
    }

    func blocks() throws -> [ScopeJournalBlock] {
        let end = state.withLock(\.end)
        return try naming { () throws(FileSystemError) in
            var scanner = FrameScanner(file, partition: id, from: UInt64(PartitionPreamble.byteCount), to: end)
            var blocks: [ScopeJournalBlock] = []
            while let finding = try scanner.next() {
                guard case .frame(let frame) = finding, frame.header.kind == .block else { continue }
                let count = JournalFrames.blockCount(of: frame.header)
                blocks.append(ScopeJournalBlock(offset: frame.offset, byteCount: count))
            }
            return blocks
        }
    }

    func read(_ block: ScopeJournalBlock) throws -> [UInt8] {
        let end = state.withLock(\.end)
        let finding = try naming { () throws(FileSystemError) in
            var scanner = FrameScanner(file, partition: id, from: block.offset, to: end)
            return try scanner.next()
        }
        guard case .frame(let frame) = finding, frame.offset == block.offset, frame.header.kind == .block,
            JournalFrames.blockCount(of: frame.header) == block.byteCount,
            let content = try state.withLock({ state throws(PartitionError) in
                try state.frames.block(in: frame.payload, frame.header, at: frame.offset)
            })
        else {
            let range = block.offset..<(block.offset + UInt64(FrameHeader.byteCount + block.byteCount))
            throw PartitionError.damaged(path: path, bytes: range, reason: "it is not the block that was written there")
        }
        return content
    }

    func erase(_ block: ScopeJournalBlock) throws {
        try naming { () throws(FileSystemError) in
            let bytes = try file.bytes(at: block.offset, count: FrameHeader.byteCount)
            let header = bytes.withUnsafeBytes { FrameHeader($0, at: block.offset, of: id) }
            let frame = state.withLock { state in
                // A header that is damaged says nothing; what is known of the block is made unreadable all the same.
                state.frames.erasedFrame(payloadCount: header?.payloadCount ?? block.byteCount, at: block.offset)
            }
            try file.writeAll(frame, at: block.offset)
        }
    }

    func synchronize() throws {
        try naming { () throws(FileSystemError) in
            try file.synchronize()
            try fileSystem.syncDirectory(FilePaths.parent(of: path))
        }
    }

    func seal(_ bytes: [UInt8]) throws -> [UInt8] {
        try state.withLock { try $0.frames.seal(bytes) }
    }

    func open(_ sealed: [UInt8]) throws -> [UInt8] {
        let bytes = try state.withLock { state throws(PartitionError) in try state.frames.open(sealed) }
        guard let bytes else {
            throw PartitionError.damaged(path: path, bytes: 0..<0, reason: "a note is not one that it has protected")
        }
        return bytes
    }

    func remove() throws {
        try naming { () throws(FileSystemError) in try fileSystem.remove(path) }
    }

    /// Checks that a file is a journal of this id and version.
    private static func check(_ preamble: [UInt8], of id: ObjectId, path: String) throws(PartitionError) {
        let (found, newer) = preamble.withUnsafeBytes { bytes in
            (PartitionPreamble.partition(in: bytes, .journal), PartitionPreamble.newerVersion(in: bytes, .journal))
        }
        if let newer { throw .newerVersion(path: path, found: newer, known: PartitionPreamble.version) }
        guard found == id else {
            let range = 0..<UInt64(preamble.count)
            throw .damaged(path: path, bytes: range, reason: "it does not start as a journal of this name does")
        }
    }

    private func naming<Result>(_ body: () throws(FileSystemError) -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw PartitionError.fileSystem(error)
        }
    }
}

import EventModel
import EventProofs
import Synchronization

/// Room for the loss ledger that was made before it was needed: what is lost because a disk is full must be entered on that disk.
///
/// A file of its own for each instance, `<24 hex digits>.ledger`, as large from the beginning as it will ever be. Its two halves are
/// written in turn, so that one is always whole. What it holds goes into the next partition that can be written.
final class LedgerReserve: Sendable {
    /// What waits to be entered.
    struct Content: Codable, Sendable, Hashable {
        /// The losses that wait for a partition that can be written.
        var losses: [LossEntry] = []
        /// The partition that they were about to be entered in; nil while nothing can be written.
        var place: Place?
    }

    /// Where entries were about to be entered.
    struct Place: Codable, Sendable, Hashable {
        /// The partition whose ledger was about to get them.
        let partition: ObjectId
        /// How many entries its ledger had before.
        let count: Int
    }

    private struct State {
        var generation: UInt64
        var content: Content
    }

    private static let magic = Array("DAYLOSS1".utf8)
    /// The size of each half, in bytes.
    private static let slotBytes = 16 << 10

    private let path: String
    private let id: ObjectId
    private let key: DeviceKey
    private let fileSystem: any FileSystem
    /// The file with its lock, which goes with this object.
    private let file: any OpenFile
    private let state: Mutex<State>

    private init(_ id: ObjectId, _ path: String, _ file: any OpenFile, key: DeviceKey, in fileSystem: any FileSystem)
        throws(FileSystemError)
    {
        self.id = id
        self.path = path
        self.file = file
        self.key = key
        self.fileSystem = fileSystem
        var found = State(generation: 0, content: Content())
        for slot in 0..<2 {
            let bytes = try file.bytes(at: UInt64(slot * Self.slotBytes), count: Self.slotBytes)
            guard let (generation, content) = Self.read(bytes, of: id, key: key), generation > found.generation else {
                continue
            }
            found = State(generation: generation, content: content)
        }
        state = Mutex(found)
    }

    /// Makes a file and fills it, so that the disk has room for it for ever.
    static func make(
        _ id: ObjectId,
        at path: String,
        key: DeviceKey,
        in fileSystem: any FileSystem
    ) throws(FileSystemError) -> LedgerReserve {
        let file = try fileSystem.open(path, .create)
        do throws(FileSystemError) {
            _ = try file.lock(waiting: false)
            try file.writeAll([UInt8](repeating: 0, count: 2 * slotBytes), at: 0)
            try file.synchronize()
            return try LedgerReserve(id, path, file, key: key, in: fileSystem)
        } catch {
            file.close()
            // Half of the room is of no use; the first error says more.
            try? fileSystem.remove(path)
            throw error
        }
    }

    /// Takes over the file of an instance that is gone; nil when a living one has it.
    static func takeOver(
        _ id: ObjectId,
        at path: String,
        key: DeviceKey,
        in fileSystem: any FileSystem
    ) throws(FileSystemError) -> LedgerReserve? {
        let file = try fileSystem.open(path, .write)
        guard try file.lock(waiting: false) else { return nil }
        return try LedgerReserve(id, path, file, key: key, in: fileSystem)
    }

    /// What waits.
    var content: Content { state.withLock(\.content) }

    /// Replaces what waits, and returns when that is on the disk; no more room is needed for it.
    ///
    /// - Throws: When a call fails; what was there before is still there then.
    func store(_ content: Content) throws {
        try state.withLock { state in
            guard content != state.content else { return }
            let generation = state.generation + 1
            let bytes = try Self.bytes(content, generation, of: id, key: key)
            try file.writeAll(bytes, at: generation % 2 * UInt64(Self.slotBytes))
            try file.synchronize()
            state = State(generation: generation, content: content)
        }
    }

    /// Removes the file, when its entries are elsewhere.
    func remove() throws(FileSystemError) {
        try fileSystem.remove(path)
        file.close()
    }

    // MARK: - Bytes

    private static func bytes(_ content: Content, _ generation: UInt64, of id: ObjectId, key: DeviceKey) throws
        -> [UInt8]
    {
        var json = try FrameJSON.encode(content)
        let room = slotBytes - magic.count - 12 - DeviceKey.codeByteCount
        if json.count > room {
            json = try FrameJSON.encode(Content(losses: content.losses.foldedByReason(), place: content.place))
        }
        var writer = RecordWriter()
        writer.append(generation)
        writer.append(counted: json)
        let bytes = magic + writer.bytes
        return bytes + key.code(for: bytes + id.withUnsafeBytes { Array($0) })
    }

    /// Reads a half; nil when it was never written, or not wholly, or not by this device.
    private static func read(_ bytes: [UInt8], of id: ObjectId, key: DeviceKey?) -> (UInt64, Content)? {
        guard bytes.starts(with: magic) else { return nil }
        var reader = RecordReader(bytes[magic.count...])
        guard let generation = reader.number(UInt64.self), let json = reader.counted(),
            let code = reader.bytes(DeviceKey.codeByteCount)
        else { return nil }
        let signed = Array(bytes[..<json.endIndex]) + id.withUnsafeBytes { Array($0) }
        guard key?.isCode(code, for: signed) ?? true else { return nil }
        return FrameJSON.decode(Content.self, from: Array(json)).map { (generation, $0) }
    }

    /// Reads what waits in a file of any device, for an auditor, who cannot check the code.
    static func losses(_ id: ObjectId, at path: String, in fileSystem: any FileSystem) throws(FileSystemError)
        -> [LossEntry]
    {
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        var newest: (generation: UInt64, content: Content) = (0, Content())
        for slot in 0..<2 {
            let bytes = try file.bytes(at: UInt64(slot * slotBytes), count: slotBytes)
            if let found = read(bytes, of: id, key: nil), found.0 > newest.generation { newest = found }
        }
        return newest.content.losses
    }
}

import EventModel
import EventProofs

/// How far the server has proven to hold a partition, with the tree up to there.
///
/// It is kept in a small file beside the partition, which is neither synced nor needed: without it, the upload sends
/// events again that the server knows, and gets the proof again. A code of the device's key vouches for it, because a partition is
/// deleted on its word.
struct Acknowledgement: Sendable, Hashable {
    private static let magic = Array("DAYACKN\u{2}".utf8)
    private static let maximumBytes = 4096

    /// The place behind the last event that was proven.
    var cursor = PartitionCursor()
    /// Whether the server holds the seal as well.
    var includesSeal = false

    /// The form in which it is stored; the code ties it to its partition and to the device.
    func bytes(of partition: ObjectId, key: DeviceKey) -> [UInt8] {
        var bytes = Self.magic
        bytes.append(includesSeal ? 1 : 0)
        withUnsafeBytes(of: cursor.offset.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt64(cursor.skipped).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: cursor.frontier.bytes)
        return bytes + key.code(for: bytes + partition.withUnsafeBytes { Array($0) })
    }

    /// Creates the acknowledgement of nothing.
    init() {}

    /// Reads the stored form; nil when it is torn, of another version, of another partition, or not this device's.
    init?(bytes: [UInt8], of partition: ObjectId, key: DeviceKey) {
        let head = Self.magic.count + 17
        guard bytes.count >= head + 8 + DeviceKey.codeByteCount, bytes.starts(with: Self.magic) else { return nil }
        let content = bytes.dropLast(DeviceKey.codeByteCount)
        let code = bytes.suffix(DeviceKey.codeByteCount)
        guard key.isCode(code, for: content + partition.withUnsafeBytes { Array($0) }) else { return nil }
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        guard let frontier = MerkleFrontier(bytes: content[head...]),
            let skipped = Int(exactly: number(head - 8..<head)), skipped <= UInt32.max, frontier.count < 1 << 62
        else { return nil }
        includesSeal = bytes[Self.magic.count] == 1
        cursor = PartitionCursor(offset: number(head - 16..<head - 8), skipped: skipped, frontier: frontier)
    }

    /// Whether a file is such a note, of any version.
    static func isNote(_ path: String, in fileSystem: any FileSystem) throws(FileSystemError) -> Bool {
        guard try fileSystem.status(path)?.kind == .file else { return false }
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        return try file.bytes(at: 0, count: magic.count - 1).elementsEqual(magic.dropLast())
    }

    /// Loads the acknowledgement of a partition, or that of nothing when there is none that fits.
    ///
    /// - Parameters:
    ///   - path: Where it was stored.
    ///   - partition: The partition.
    ///   - count: How many events the partition has.
    ///   - key: The key of the device.
    ///   - fileSystem: Where the file lives.
    /// - Returns: How far the partition was proven.
    /// - Throws: ``FileSystemError`` when a file that is there cannot be read.
    static func load(
        _ path: String,
        of partition: ObjectId,
        count: UInt64,
        key: DeviceKey,
        in fileSystem: any FileSystem
    ) throws -> Acknowledgement {
        guard try fileSystem.status(path)?.kind == .file else { return Acknowledgement() }
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        let stored = try Acknowledgement(bytes: file.bytes(at: 0, count: maximumBytes), of: partition, key: key)
        guard let stored, stored.cursor.count <= count else { return Acknowledgement() }
        return stored
    }

    /// Stores the acknowledgement.
    func store(
        _ path: String,
        of partition: ObjectId,
        key: DeviceKey,
        in fileSystem: any FileSystem
    ) throws(FileSystemError) {
        let file = try fileSystem.open(path, .writeOrCreate)
        defer { file.close() }
        try file.overwrite(with: bytes(of: partition, key: key))
    }
}

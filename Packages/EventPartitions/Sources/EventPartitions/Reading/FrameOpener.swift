import EventModel

/// Finds the events in the frames of one file: decrypts and unpacks their contents.
struct FrameOpener: Sendable {
    /// The least of a file that shows whether it can be read.
    private static let probeBytes = 4096

    private let partition: ObjectId
    private let path: String
    private let key: EventEncryptionKey?
    /// What the last encrypted frame was decrypted with.
    private var cipher: PartitionCipher?

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - partition: The partition of the file.
    ///   - path: How errors name the file.
    ///   - key: What encrypted events are read with, or nil.
    init(partition: ObjectId, path: String, key: EventEncryptionKey?) {
        self.partition = partition
        self.path = path
        self.key = key
    }

    /// Opens a frame of events.
    ///
    /// - Returns: nil when the content is not what such a frame should hold.
    /// - Throws: ``PartitionError/encrypted(path:)`` without a key, and ``PartitionError/wrongKey(path:)`` with another one.
    mutating func open(_ frame: FrameScanner.Frame) throws(PartitionError) -> EventFrame? {
        var content = frame.payload
        if frame.header.flags.contains(.encrypted) {
            guard try choose(for: content), let cipher else { return nil }
            let header = frame.header.authenticated(at: frame.offset, of: partition)
            guard let plain = cipher.open(content, at: frame.offset, header: header) else { return nil }
            content = plain
        }
        if frame.header.flags.contains(.packed) {
            guard let plain = content.withUnsafeBytes({ ContentUnpacker.unpack($0) }) else { return nil }
            content = plain
        }
        guard let ranges = FramedEvents.ranges(in: content, count: frame.header.eventCount) else { return nil }
        return EventFrame(
            partition: partition,
            firstSequence: frame.header.firstSequence,
            bytes: frame.offset..<frame.end,
            payload: content,
            ranges: ranges
        )
    }

    /// Finds the cipher for a content; false when it is too short to be encrypted.
    private mutating func choose(for content: [UInt8]) throws(PartitionError) -> Bool {
        guard let key else { throw .encrypted(path: path) }
        if let cipher, cipher.fits(content) { return true }
        guard let salt = PartitionCipher.salt(of: content) else { return false }
        let candidate = PartitionCipher(key, salt: salt, of: partition)
        guard candidate.fits(content) else { throw .wrongKey(path: path) }
        cipher = candidate
        return true
    }

    /// Looks at the first frames of a file, and throws when this program with this key should leave it alone.
    ///
    /// Damage is not looked for: what the first few kilobytes do not show is found out later.
    ///
    /// - Throws: ``PartitionError/newerVersion(path:found:known:)``, ``PartitionError/encrypted(path:)``,
    ///   ``PartitionError/wrongKey(path:)``, or ``PartitionError/fileSystem(_:)`` when the file cannot be read.
    static func check(
        _ file: any OpenFile,
        partition: ObjectId,
        path: String,
        key: EventEncryptionKey?
    ) throws(PartitionError) {
        let bytes: [UInt8]
        do throws(FileSystemError) {
            bytes = try file.bytes(at: 0, count: probeBytes)
        } catch {
            throw .fileSystem(error)
        }
        if let found = bytes.withUnsafeBytes({ PartitionPreamble.newerVersion(in: $0) }) {
            throw .newerVersion(path: path, found: found, known: PartitionPreamble.version)
        }
        var offset = PartitionPreamble.byteCount
        while offset < bytes.count, let header = header(in: bytes, at: offset, of: partition) {
            let content = bytes[min(offset + FrameHeader.byteCount, bytes.count)...]
            if header.kind == .events {
                guard header.flags.contains(.encrypted) else { return }
                var opener = FrameOpener(partition: partition, path: path, key: key)
                do throws(PartitionError) {
                    _ = try opener.choose(for: Array(content))
                } catch .wrongKey {
                    // A wrong byte in what distinguishes the keys is damage of this frame, and no reason to leave the others.
                    if try isIntact(header, at: offset, in: file) { throw .wrongKey(path: path) }
                }
                return
            }
            offset += header.frameCount
        }
    }

    /// Whether the content of a frame is what its header says.
    private static func isIntact(_ header: FrameHeader, at offset: Int, in file: any OpenFile) throws(PartitionError)
        -> Bool
    {
        do throws(FileSystemError) {
            let content = try file.bytes(at: UInt64(offset + FrameHeader.byteCount), count: header.payloadCount)
            return content.withUnsafeBytes { CRC32C.checksum($0) } == header.payloadChecksum
        } catch {
            throw .fileSystem(error)
        }
    }

    private static func header(in bytes: [UInt8], at offset: Int, of partition: ObjectId) -> FrameHeader? {
        bytes.withUnsafeBytes { buffer in
            FrameHeader(UnsafeRawBufferPointer(rebasing: buffer[offset...]), at: UInt64(offset), of: partition)
        }
    }
}

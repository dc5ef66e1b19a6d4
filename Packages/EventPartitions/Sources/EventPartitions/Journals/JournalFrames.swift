import EventModel

/// Turns blocks of a journal into frames and back, encrypted when there is a key.
struct JournalFrames {
    private let id: ObjectId
    private let path: String
    private let key: EventEncryptionKey?
    /// What is written with; nil before the first block, and when the last one may have been written in part.
    private var writing: PartitionCipher?
    /// What was read with last.
    private var reading: PartitionCipher?
    /// What protects bytes that are kept elsewhere, and how often it did.
    private var sealing: (cipher: PartitionCipher, count: UInt64)?

    /// Creates the frames of a journal.
    init(id: ObjectId, path: String, key: EventEncryptionKey?) {
        self.id = id
        self.path = path
        self.key = key
    }

    /// Returns the frame of a block that will lie at an offset.
    ///
    /// - Throws: What the system's cryptography throws.
    mutating func frame(_ block: [UInt8], at offset: UInt64) throws -> [UInt8] {
        guard let key else { return frame(.block, [], block, at: offset) }
        let cipher = writing ?? PartitionCipher(key, salt: PartitionCipher.randomSalt(), of: id, .journal)
        writing = cipher
        let header = FrameHeader(
            kind: .block,
            flags: .encrypted,
            payloadCount: block.count + PartitionCipher.overhead,
            firstSequence: 0,
            eventCount: 0
        )
        let sealed = try cipher.seal(block, at: offset, header: header.authenticated(at: offset, of: id))
        return frame(.block, .encrypted, sealed, at: offset)
    }

    /// Returns the frame that takes the place of another one and holds nothing.
    func erasedFrame(payloadCount: Int, at offset: UInt64) -> [UInt8] {
        frame(.erased, [], [UInt8](repeating: 0, count: payloadCount), at: offset)
    }

    /// Notes that a write failed: the next frame at its place must not have its nonce under the same key.
    mutating func didFail() {
        writing = nil
    }

    /// Protects bytes that are kept elsewhere.
    ///
    /// With a key: a count of 8 bytes, which is the nonce, and what ``PartitionCipher`` makes of them under a salt of its own.
    ///
    /// - Throws: What the system's cryptography throws.
    mutating func seal(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let key else { return bytes }
        let (cipher, count) =
            sealing ?? (PartitionCipher(key, salt: PartitionCipher.randomSalt(), of: id, .journal), 0)
        sealing = (cipher, count + 1)
        let place = withUnsafeBytes(of: count.littleEndian) { Array($0) }
        return place + (try cipher.seal(bytes, at: count, header: Self.sealHeader))
    }

    /// Returns bytes that were protected; nil when they are something else.
    ///
    /// - Throws: ``PartitionError/wrongKey(path:)`` when another key protects them.
    mutating func open(_ sealed: [UInt8]) throws(PartitionError) -> [UInt8]? {
        guard key != nil else { return sealed }
        let content = Array(sealed.dropFirst(8))
        guard sealed.count >= 8, let cipher = try cipher(for: content) else { return nil }
        let count = sealed.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return cipher.open(content, at: count, header: Self.sealHeader)
    }

    private static let sealHeader = Array("note".utf8)

    /// How many bytes the block of a frame has.
    static func blockCount(of header: FrameHeader) -> Int {
        header.payloadCount - (header.flags.contains(.encrypted) ? PartitionCipher.overhead : 0)
    }

    /// Reads the block of a frame whose checksum is right; nil when it is not what was encrypted.
    ///
    /// - Throws: ``PartitionError/encrypted(path:)`` without a key, and ``PartitionError/wrongKey(path:)`` with another one.
    mutating func block(in payload: [UInt8], _ header: FrameHeader, at offset: UInt64) throws(PartitionError)
        -> [UInt8]?
    {
        guard header.flags.contains(.encrypted) else { return payload }
        guard let cipher = try cipher(for: payload) else { return nil }
        return cipher.open(payload, at: offset, header: header.authenticated(at: offset, of: id))
    }

    private mutating func cipher(for payload: [UInt8]) throws(PartitionError) -> PartitionCipher? {
        guard let key else { throw .encrypted(path: path) }
        if let known = [writing, reading].compactMap(\.self).first(where: { $0.fits(payload) }) { return known }
        guard let salt = PartitionCipher.salt(of: payload) else { return nil }
        let candidate = PartitionCipher(key, salt: salt, of: id, .journal)
        guard candidate.fits(payload) else { throw .wrongKey(path: path) }
        reading = candidate
        return candidate
    }

    private func frame(
        _ kind: FrameHeader.Kind,
        _ flags: FrameHeader.Flags,
        _ payload: [UInt8],
        at offset: UInt64
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(FrameHeader.byteCount + payload.count)
        payload.withUnsafeBytes { buffer in
            FrameHeader(kind: kind, flags: flags, payload: buffer, firstSequence: 0, eventCount: 0)
                .append(to: &bytes, at: offset, of: id)
        }
        bytes += payload
        return bytes
    }
}

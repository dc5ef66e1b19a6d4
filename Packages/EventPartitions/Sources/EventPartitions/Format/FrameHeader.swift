import EventModel

/// The 28 bytes in front of the content of a frame.
///
/// Their own checksum also covers the partition's id and the place of the frame in the file, so that bytes which only
/// look like a frame, because an event holds a copy of one, are not taken for one.
struct FrameHeader: Sendable, Hashable {
    /// What a frame holds; the numbers are part of the format.
    enum Kind: UInt8, Sendable {
        case start = 1
        case events = 2
        case loss = 3
        case seal = 4
        case end = 5
        /// What a scope captured, in a journal.
        case block = 6
        /// The place of a block that was made unreadable, in a journal.
        case erased = 7
        /// What recovery need not compute again, see ``PartitionCheckpoint``.
        case checkpoint = 8
        /// A record of the device's index.
        case record = 9
    }

    /// What was done to the content of a frame of events; the bits are part of the format.
    struct Flags: OptionSet, Sendable, Hashable {
        let rawValue: UInt8

        /// The content was made smaller, see ``ContentPacker``.
        static let packed = Flags(rawValue: 1)
        /// The content, packed or not, was encrypted, see ``PartitionCipher``.
        static let encrypted = Flags(rawValue: 2)
    }

    static let byteCount = 28
    /// No frame has more content: the bound keeps damaged lengths from asking for memory.
    static let maximumPayload = 1 << 30

    let kind: Kind
    /// What was done to the content.
    let flags: Flags
    /// The number of bytes behind the header.
    let payloadCount: Int
    /// The sequence of the first event inside, or of the next event of the partition.
    let firstSequence: UInt64
    /// How many events are inside.
    let eventCount: Int
    /// The checksum of the payload.
    private(set) var payloadChecksum: UInt32

    /// The number of bytes of header and payload.
    var frameCount: Int { Self.byteCount + payloadCount }

    /// Describes a frame whose content is there.
    init(
        kind: Kind,
        flags: Flags = [],
        payload: UnsafeRawBufferPointer,
        firstSequence: UInt64,
        eventCount: Int
    ) {
        self.init(
            kind: kind,
            flags: flags,
            payloadCount: payload.count,
            firstSequence: firstSequence,
            eventCount: eventCount
        )
        payloadChecksum = CRC32C.checksum(payload)
    }

    /// Describes a frame whose content is yet to be encrypted; without the checksum, it is good for ``authenticated(at:of:)``.
    init(kind: Kind, flags: Flags, payloadCount: Int, firstSequence: UInt64, eventCount: Int) {
        precondition(payloadCount <= Self.maximumPayload, "A frame has at most a gibibyte of content.")
        self.kind = kind
        self.flags = flags
        self.payloadCount = payloadCount
        self.firstSequence = firstSequence
        self.eventCount = eventCount
        payloadChecksum = 0
    }

    /// Reads a header that lies at an offset of its partition's file.
    ///
    /// - Returns: nil when the checksum or a field is wrong.
    init?(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, of partition: ObjectId) {
        guard bytes.count >= Self.byteCount else { return nil }
        // Other kinds and flags would be another version, which the preamble names.
        guard Self.mayLie(at: 0, in: bytes), let kind = Kind(rawValue: bytes[4]) else { return nil }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[0..<24])
        guard
            Self.checksum(checked, at: offset, of: partition)
                == UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
        else { return nil }
        flags = Flags(rawValue: bytes[5])
        guard flags.isEmpty || kind == .events || (kind == .block && flags == .encrypted) else { return nil }
        self.kind = kind
        payloadCount = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
        firstSequence = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        eventCount = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)))
        payloadChecksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
        guard payloadCount <= Self.maximumPayload else { return nil }
    }

    /// Finds the first place where a header may lie, by the bytes that are nearly the same in each; most places are none.
    static func firstCandidate(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= byteCount else { return nil }
        var index = 0
        while index <= bytes.count - byteCount {
            if mayLie(at: index, in: bytes) { return index }
            index += 1
        }
        return nil
    }

    private static func mayLie(at index: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        let kind = bytes[index + 4]
        return kind > 0 && kind < 16 && bytes[index + 5] < 4 && bytes[index + 6] == 0 && bytes[index + 7] == 0
    }

    /// The header of a frame that will lie at an offset of its file, as bytes.
    func bytes(at offset: UInt64, of partition: ObjectId) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frameCount)
        append(to: &bytes, at: offset, of: partition)
        return bytes
    }

    /// Appends the header of a frame that will lie at an offset of its partition's file.
    func append(to bytes: inout [UInt8], at offset: UInt64, of partition: ObjectId) {
        let start = bytes.count
        appendFields(to: &bytes)
        Self.append(payloadChecksum, to: &bytes)
        let checksum = bytes.withUnsafeBytes { buffer in
            Self.checksum(UnsafeRawBufferPointer(rebasing: buffer[start...]), at: offset, of: partition)
        }
        Self.append(checksum, to: &bytes)
    }

    /// What the tag of an encrypted content vouches for besides the content: 20 bytes of the header, the partition, the place.
    func authenticated(at offset: UInt64, of partition: ObjectId) -> [UInt8] {
        var bytes: [UInt8] = []
        appendFields(to: &bytes)
        partition.withUnsafeBytes { bytes.append(contentsOf: $0) }
        Self.append(offset, to: &bytes)
        return bytes
    }

    /// Appends everything in front of the checksums: 20 bytes.
    private func appendFields(to bytes: inout [UInt8]) {
        Self.append(UInt32(payloadCount), to: &bytes)
        Self.append(UInt32(kind.rawValue) | UInt32(flags.rawValue) << 8, to: &bytes)
        Self.append(firstSequence, to: &bytes)
        Self.append(UInt32(eventCount), to: &bytes)
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func checksum(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, of partition: ObjectId) -> UInt32 {
        let id = partition.withUnsafeBytes { CRC32C.checksum($0) }
        let place = withUnsafeBytes(of: offset.littleEndian) { CRC32C.checksum($0, continuing: id) }
        return CRC32C.checksum(bytes, continuing: place)
    }
}

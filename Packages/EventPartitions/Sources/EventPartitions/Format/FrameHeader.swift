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
    }

    static let byteCount = 28
    /// No frame has more content: the bound keeps damaged lengths from asking for memory.
    static let maximumPayload = 1 << 30

    let kind: Kind
    /// The number of bytes behind the header.
    let payloadCount: Int
    /// The sequence of the first event inside, or of the next event of the partition.
    let firstSequence: UInt64
    /// How many events are inside.
    let eventCount: Int
    /// The checksum of the payload.
    let payloadChecksum: UInt32

    /// The number of bytes of header and payload.
    var frameCount: Int { Self.byteCount + payloadCount }

    init(kind: Kind, payload: UnsafeRawBufferPointer, firstSequence: UInt64, eventCount: Int) {
        precondition(payload.count <= Self.maximumPayload, "A frame has at most a gibibyte of content.")
        self.kind = kind
        payloadCount = payload.count
        self.firstSequence = firstSequence
        self.eventCount = eventCount
        payloadChecksum = CRC32C.checksum(payload)
    }

    /// Reads a header that lies at an offset of its partition's file.
    ///
    /// - Returns: nil when the checksum or a field is wrong.
    init?(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, of partition: ObjectId) {
        guard bytes.count >= Self.byteCount else { return nil }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[0..<24])
        guard
            Self.checksum(checked, at: offset, of: partition)
                == UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
        else { return nil }
        // Flags and the reserved bytes are zero in this version; a newer file says so by the flags of its start frame.
        guard let kind = Kind(rawValue: bytes[4]), bytes[5] == 0, bytes[6] == 0, bytes[7] == 0 else { return nil }
        self.kind = kind
        payloadCount = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
        firstSequence = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        eventCount = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)))
        payloadChecksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
        guard payloadCount <= Self.maximumPayload else { return nil }
    }

    /// Appends the header of a frame that will lie at an offset of its partition's file.
    func append(to bytes: inout [UInt8], at offset: UInt64, of partition: ObjectId) {
        let start = bytes.count
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append(UInt32(payloadCount))
        append(UInt32(kind.rawValue))
        append(firstSequence)
        append(UInt32(eventCount))
        append(payloadChecksum)
        let checksum = bytes.withUnsafeBytes { buffer in
            Self.checksum(UnsafeRawBufferPointer(rebasing: buffer[start...]), at: offset, of: partition)
        }
        append(checksum)
    }

    private static func checksum(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, of partition: ObjectId) -> UInt32 {
        let id = partition.withUnsafeBytes { CRC32C.checksum($0) }
        let place = withUnsafeBytes(of: offset.littleEndian) { CRC32C.checksum($0, continuing: id) }
        return CRC32C.checksum(bytes, continuing: place)
    }
}

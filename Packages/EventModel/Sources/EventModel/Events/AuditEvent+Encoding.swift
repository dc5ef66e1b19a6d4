extension AuditEvent {
    /// The newest version of the encoding that this code reads and writes.
    ///
    /// An event is written in the oldest version that has its fields: version 2 has ``sync``, and all else is as in version 1.
    public static let encodingVersion: UInt8 = 2

    /// Appends the canonical encoding: the bytes that are stored, sent and hashed as a leaf.
    ///
    /// | bytes | field |
    /// |---|---|
    /// | 1 | version, 2 with `sync`, else 1 |
    /// | 1 | presence: bit 0 `event`, bit 1 `data`, bit 2 `scopeCommitted`, bit 3 `sync` |
    /// | 1 | ``marks-swift.property`` |
    /// | 12 | `id`, big-endian |
    /// | 8 | wall clock, microseconds since 1970, little-endian |
    /// | 8 | monotonic clock, nanoseconds, little-endian |
    /// | 16 | boot, big-endian |
    /// | 8 | `scopeCommitted`, if present, microseconds since 1970, little-endian |
    /// | 40 | `sync`, if present, see ``SyncReference/bytes`` |
    /// | varint + n | `activity` |
    /// | varint + n | `event`, if present |
    /// | varint + n | `data`, if present |
    /// | varint, then pairs | metadata: count, then key and value each as varint length and bytes, sorted by key |
    ///
    /// Lengths are LEB128. There is exactly one encoding of an event, so a column that somebody changes later changes
    /// the leaf hash.
    public func encode(into bytes: inout [UInt8]) {
        var writer = EventWriter(bytes: consume bytes)
        appendHead(to: &writer.bytes)
        writer.append(text: activity)
        if let event {
            writer.append(text: event)
        }
        if let data {
            writer.append(varint: UInt64(data.count))
            writer.bytes.append(contentsOf: data)
        }
        writer.bytes.append(contentsOf: metadata.encoded)
        bytes = writer.bytes
    }

    /// Appends the fields in front of the texts, at once: a call for each would take longer than what it writes.
    private func appendHead(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(byteCount: Self.headByteCount + 8, alignment: 8) { head in
            head[0] = version
            head[1] = presence
            head[2] = marks.rawValue
            id.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: head[3..<15]).copyMemory(from: $0) }
            head.storeBytes(of: clock.wall.microseconds.littleEndian, toByteOffset: 15, as: Int64.self)
            head.storeBytes(of: clock.monotonicNanoseconds.littleEndian, toByteOffset: 23, as: UInt64.self)
            head.storeBytes(of: clock.boot.high.bigEndian, toByteOffset: 31, as: UInt64.self)
            head.storeBytes(of: clock.boot.low.bigEndian, toByteOffset: 39, as: UInt64.self)
            var count = Self.headByteCount
            if let scopeCommitted {
                head.storeBytes(of: scopeCommitted.microseconds.littleEndian, toByteOffset: count, as: Int64.self)
                count += 8
            }
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: head[..<count]))
        }
        sync?.append(to: &bytes)
    }

    private var version: UInt8 { sync == nil ? 1 : 2 }

    private var presence: UInt8 {
        (event != nil ? 1 : 0) | (data != nil ? 2 : 0) | (scopeCommitted != nil ? 4 : 0) | (sync != nil ? 8 : 0)
    }

    /// How many bytes lie in front of the texts when neither commit nor sync is named: version, presence, marks, id, the two clocks, boot.
    private static let headByteCount = 1 + 1 + 1 + 12 + 8 + 8 + 16

    /// How many bytes the canonical encoding has.
    public var encodedByteCount: Int {
        func counted(_ count: Int) -> Int { EventWriter.varintByteCount(UInt64(count)) + count }
        let columns = counted(activity.utf8.count) + metadata.encoded.count
        let head = (scopeCommitted == nil ? 0 : 8) + (sync == nil ? 0 : SyncReference.byteCount)
        let optional = head + (event.map { counted($0.utf8.count) } ?? 0)
        return Self.headByteCount + columns + optional + (data.map { counted($0.count) } ?? 0)
    }

    /// The canonical encoding of this event alone.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encodedByteCount)
        encode(into: &bytes)
        return bytes
    }

    /// Reads the id of an encoded event without decoding the rest; nil when it is of another version or cut off.
    public static func id(ofEncoded bytes: UnsafeRawBufferPointer) -> ObjectId? {
        guard bytes.count >= 15, 1...encodingVersion ~= bytes[0], let address = bytes.baseAddress else { return nil }
        return ObjectId(loadedFrom: address + 3)
    }

    /// Decodes one event from exactly these bytes.
    ///
    /// - Throws: ``EventModelError/malformedEvent(offset:reason:)`` when bytes are missing or left over, text is not
    ///   UTF-8, or the version is newer than ``encodingVersion``.
    public init(encoded bytes: UnsafeRawBufferPointer) throws(EventModelError) {
        var reader = EventReader(bytes: bytes)
        let version = try reader.byte()
        guard 1...Self.encodingVersion ~= version else {
            throw .malformedEvent(offset: 0, reason: "version \(version) is unknown, this code reads versions 1 and 2")
        }
        let presence = try reader.byte()
        // Version 2 is there for `sync` alone: an event without it has one encoding, that of version 1.
        guard presence >> 3 == version - 1 else {
            throw .malformedEvent(offset: 1, reason: "other fields are present than version \(version) has")
        }
        let marks = Marks(rawValue: try reader.byte())
        let id = try reader.objectId()
        let wall = EventInstant(microseconds: Int64(bitPattern: try reader.fixed()))
        let monotonic = try reader.fixed()
        let boot = Boot(high: try reader.fixed().byteSwapped, low: try reader.fixed().byteSwapped)
        let committed = presence & 4 != 0 ? EventInstant(microseconds: Int64(bitPattern: try reader.fixed())) : nil
        let sync = presence & 8 != 0 ? try reader.syncReference() : nil
        let activity = try reader.text()
        let event = presence & 1 != 0 ? try reader.text() : nil
        let data = presence & 2 != 0 ? Array(try reader.counted()) : nil
        let metadata = try reader.metadata()
        try reader.finish()
        self.init(
            id: id,
            clock: ClockReading(wall: wall, monotonicNanoseconds: monotonic, boot: boot),
            activity: activity,
            event: event,
            data: data,
            metadata: metadata,
            scopeCommitted: committed,
            marks: marks,
            sync: sync
        )
    }
}

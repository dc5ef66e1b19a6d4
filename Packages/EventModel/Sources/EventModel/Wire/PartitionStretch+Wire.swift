#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PartitionStretch {
    /// The media type of ``wireBytes()``.
    public static let mediaType = "application/vnd.daybook.stretch"

    static let magic: [UInt8] = Array("DBS1".utf8)

    /// Writes the body of an upload request.
    ///
    /// | bytes | field |
    /// |---|---|
    /// | 4 | `DBS1` |
    /// | varint + n | the partition's text form |
    /// | 8 | the first sequence, little-endian |
    /// | 32 | the running root |
    /// | varint + n | the seal as JSON of at most 65,536 bytes, or nothing |
    /// | varint | the count of events |
    /// | varint + n each | the canonical encoding of each event |
    public func wireBytes() throws -> [UInt8] {
        var writer = EventWriter()
        // Up to five bytes for the length of each event: growing later would copy all that is written.
        writer.bytes.reserveCapacity(events.bytes.count + events.count * 5 + 512)
        writer.bytes.append(contentsOf: Self.magic)
        writer.append(text: partition.value)
        writer.append(fixed: firstSequence)
        root.withUnsafeBytes { writer.bytes.append(contentsOf: $0) }
        let sealBytes = try seal.map { try Array(JSONEncoder().encode($0)) } ?? []
        writer.append(varint: UInt64(sealBytes.count))
        writer.bytes.append(contentsOf: sealBytes)
        writer.append(varint: UInt64(events.count))
        events.withEachEvent { event in
            writer.append(varint: UInt64(event.count))
            writer.bytes.append(contentsOf: event)
        }
        return writer.bytes
    }

    /// Reads the whole body of an upload request, see ``StretchReader``; the events themselves are not decoded.
    ///
    /// - Throws: ``EventModelError/malformedEvent(offset:reason:)`` when the bytes have another form, and
    ///   ``EventModelError/longSeal(byteCount:)``.
    public init(wireBytes bytes: UnsafeRawBufferPointer) throws(EventModelError) {
        var reader = StretchReader()
        var events = EncodedEvents()
        try reader.read(bytes) { events.append(encoded: $0) }
        let head = try reader.finish()
        self.init(
            partition: head.partition,
            firstSequence: head.firstSequence,
            events: events,
            root: head.root,
            seal: head.seal
        )
    }
}

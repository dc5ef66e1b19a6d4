import EventModel

/// Frames that wait to be written behind what a partition's file holds already.
struct FrameBuffer: Sendable {
    private let partition: ObjectId
    /// What the events are encrypted with; nil leaves them plain.
    private let cipher: PartitionCipher?
    /// Where ``bytes`` belong in the file.
    private(set) var offset: UInt64
    /// The frames that are not written yet, one behind the other.
    private(set) var bytes: [UInt8] = []
    /// How many frames there are.
    private(set) var frameCount = 0

    /// Creates an empty buffer for the end of a file.
    init(partition: ObjectId, offset: UInt64, cipher: PartitionCipher?) {
        self.partition = partition
        self.cipher = cipher
        self.offset = offset
    }

    /// Where the next frame will lie.
    var end: UInt64 { offset + UInt64(bytes.count) }

    /// Appends the preamble, which belongs at the start of the file.
    mutating func appendPreamble() {
        PartitionPreamble.append(partition, to: &bytes)
    }

    /// Appends a frame without events.
    mutating func append(_ kind: FrameHeader.Kind, _ payload: [UInt8], firstSequence: UInt64) {
        payload.withUnsafeBytes { buffer in
            FrameHeader(kind: kind, payload: buffer, firstSequence: firstSequence, eventCount: 0)
                .append(to: &bytes, at: end, of: partition)
        }
        bytes += payload
        frameCount += 1
    }

    /// Appends a frame of events, encrypted if the file is.
    ///
    /// - Throws: What the system's cryptography throws.
    mutating func append(events content: FrameContent, firstSequence: UInt64, count: Int) throws {
        var flags: FrameHeader.Flags = content.isPacked ? .packed : []
        var payload = content.bytes
        if let cipher {
            flags.insert(.encrypted)
            let header = FrameHeader(
                kind: .events,
                flags: flags,
                payloadCount: payload.count + PartitionCipher.overhead,
                firstSequence: firstSequence,
                eventCount: count
            )
            payload = try cipher.seal(payload, at: end, header: header.authenticated(at: end, of: partition))
        }
        payload.withUnsafeBytes { buffer in
            FrameHeader(kind: .events, flags: flags, payload: buffer, firstSequence: firstSequence, eventCount: count)
                .append(to: &bytes, at: end, of: partition)
        }
        bytes += payload
        frameCount += 1
    }

    /// Appends a frame whose content is JSON.
    mutating func append(_ kind: FrameHeader.Kind, json content: some Encodable, firstSequence: UInt64) throws {
        append(kind, try FrameJSON.encode(content), firstSequence: firstSequence)
    }

    /// Forgets frames that were written.
    mutating func didWrite() {
        offset = end
        bytes.removeAll(keepingCapacity: true)
        frameCount = 0
    }
}

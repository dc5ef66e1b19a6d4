import EventModel

/// Frames that wait to be written behind what a partition's file holds already.
struct FrameBuffer: Sendable {
    private let partition: ObjectId
    /// Where ``bytes`` belong in the file.
    private(set) var offset: UInt64
    /// The frames.
    private(set) var bytes: [UInt8] = []

    /// Creates an empty buffer for the end of a file.
    init(partition: ObjectId, offset: UInt64) {
        self.partition = partition
        self.offset = offset
    }

    /// Where the next frame will lie.
    var end: UInt64 { offset + UInt64(bytes.count) }

    /// Appends the preamble, which belongs at the start of the file.
    mutating func appendPreamble() {
        PartitionPreamble.append(partition, to: &bytes)
    }

    /// Appends a frame.
    mutating func append(_ kind: FrameHeader.Kind, _ payload: [UInt8], firstSequence: UInt64, eventCount: Int = 0) {
        payload.withUnsafeBytes { buffer in
            FrameHeader(kind: kind, payload: buffer, firstSequence: firstSequence, eventCount: eventCount)
                .append(to: &bytes, at: end, of: partition)
        }
        bytes.append(contentsOf: payload)
    }

    /// Appends a frame whose content is JSON.
    mutating func append(_ kind: FrameHeader.Kind, json content: some Encodable, firstSequence: UInt64) throws {
        append(kind, try FrameJSON.encode(content), firstSequence: firstSequence)
    }

    /// Forgets frames that were written.
    mutating func didWrite() {
        offset = end
        bytes.removeAll(keepingCapacity: true)
    }
}

import EventModel

/// Appends the parts of a journal's blocks.
struct ByteWriter {
    var bytes: [UInt8] = []

    /// Appends one byte.
    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends a number in groups of seven bits.
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Appends a count or a position.
    mutating func append(count: Int) {
        append(varint: UInt64(count))
    }

    /// Appends a number that is near zero, of either sign.
    mutating func append(signed value: Int64) {
        append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// Appends eight bytes, little-endian.
    mutating func append(fixed value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends text with its length.
    mutating func append(text: String) {
        append(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends text, or that there is none.
    mutating func append(optional text: String?) {
        append(text == nil ? 0 : 1)
        if let text { append(text: text) }
    }

    /// Appends bytes with their count.
    mutating func append(counted content: UnsafeRawBufferPointer) {
        append(count: content.count)
        bytes.append(contentsOf: content)
    }

    /// Appends bytes with their count.
    mutating func append(counted content: [UInt8]) {
        append(count: content.count)
        bytes.append(contentsOf: content)
    }

    /// Appends the twelve bytes of an id.
    mutating func append(_ id: ObjectId) {
        id.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
}

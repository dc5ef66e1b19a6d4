/// Appends the parts of the canonical event encoding.
struct EventWriter {
    var bytes: [UInt8] = []

    mutating func append(fixed value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// How many bytes ``append(varint:)`` takes.
    static func varintByteCount(_ value: UInt64) -> Int {
        (max(UInt64.bitWidth - value.leadingZeroBitCount, 1) + 6) / 7
    }

    mutating func append(text: String) {
        append(varint: UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }
}

/// The checksum of RFC 3720 (Castagnoli), eight bytes at a step.
enum CRC32C {
    /// Eight tables of 256 entries: table *k* holds the checksums of a byte followed by *k* zero bytes.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var value = UInt32(byte)
            for _ in 0..<8 {
                value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1
            }
            tables[byte] = value
        }
        for index in 256..<tables.count {
            let shorter = tables[index - 256]
            tables[index] = shorter >> 8 ^ tables[Int(shorter & 0xFF)]
        }
        return tables
    }()

    /// Returns the checksum of the bytes, or of earlier bytes and these when their checksum is given.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    static func checksum(_ bytes: UnsafeRawBufferPointer, continuing checksum: UInt32 = 0) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            var value = ~checksum
            var index = 0
            while index + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let mixed = word ^ UInt64(value)
                value = 0
                for step in 0..<8 {
                    value ^= tables[(7 - step) * 256 + Int(mixed >> (UInt64(step) * 8) & 0xFF)]
                }
                index += 8
            }
            while index < bytes.count {
                value = value >> 8 ^ tables[Int((value ^ UInt32(bytes[index])) & 0xFF)]
                index += 1
            }
            return ~value
        }
    }
}

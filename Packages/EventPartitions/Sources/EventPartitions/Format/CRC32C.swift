/// The checksum of RFC 3720 (Castagnoli), sixteen bytes at a step.
enum CRC32C {
    /// Sixteen tables of 256 entries: table *k* holds the checksums of a byte followed by *k* zero bytes.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 16 * 256)
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
            guard var next = bytes.baseAddress, let tables = tables.baseAddress else { return checksum }
            let end = next + bytes.count
            var value = ~checksum
            // Only half of a step waits for the one before it: the processor looks up the other eight bytes meanwhile.
            while end - next >= 16 {
                let first = UInt64(littleEndian: next.loadUnaligned(as: UInt64.self)) ^ UInt64(value)
                let second = UInt64(littleEndian: next.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                value = lookUp(first, in: tables + 8 * 256) ^ lookUp(second, in: tables)
                next += 16
            }
            while next < end {
                value = value >> 8 ^ tables[Int((value ^ UInt32(next.load(as: UInt8.self))) & 0xFF)]
                next += 1
            }
            return ~value
        }
    }

    /// Joins the checksums of eight bytes, each followed by as many others as the tables say.
    @inline(__always)
    private static func lookUp(_ word: UInt64, in tables: UnsafePointer<UInt32>) -> UInt32 {
        let (low, high) = (Int(truncatingIfNeeded: word & 0xFFFF_FFFF), Int(truncatingIfNeeded: word &>> 32))
        let front =
            (tables[low & 0xFF &+ 1792] ^ tables[low &>> 8 & 0xFF &+ 1536])
            ^ (tables[low &>> 16 & 0xFF &+ 1280] ^ tables[low &>> 24 &+ 1024])
        let back =
            (tables[high & 0xFF &+ 768] ^ tables[high &>> 8 & 0xFF &+ 512])
            ^ (tables[high &>> 16 & 0xFF &+ 256] ^ tables[high &>> 24])
        return front ^ back
    }
}

import Testing

@testable import EventPartitions

@Suite("Checksums of frames")
struct CRC32CTests {
    /// The checksum as RFC 3720 defines it, bit by bit.
    private static func plainChecksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
        }
        return ~value
    }

    @Test("the check value of the standard comes out")
    func checkValue() {
        let checksum = Array("123456789".utf8).withUnsafeBytes { CRC32C.checksum($0) }

        #expect(checksum == 0xE306_9283)
    }

    @Test("every count of bytes, in one piece or in two, has the checksum that its bits have", arguments: 0...70)
    func counts(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }

        let checksums = bytes.withUnsafeBytes { whole in
            (0...count)
                .map { cut in
                    let front = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: whole[..<cut]))
                    return CRC32C.checksum(UnsafeRawBufferPointer(rebasing: whole[cut...]), continuing: front)
                }
        }

        #expect(checksums == Array(repeating: Self.plainChecksum(bytes), count: count + 1))
    }
}

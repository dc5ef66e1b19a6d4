/// The checksum of zip: the one of ISO 3309, reflected, over 0xEDB88320.
struct CRC32 {
    private static let table: [UInt32] = (0..<256)
        .map { byte in
            (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        }

    private var state = UInt32.max

    /// The checksum of everything so far.
    var value: UInt32 { ~state }

    /// Goes on with these bytes.
    mutating func add(_ bytes: [UInt8]) {
        var state = state
        Self.table.withUnsafeBufferPointer { table in
            for byte in bytes { state = table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ (state >> 8) }
        }
        self.state = state
    }
}

/// What the 32 bytes of an Ed25519 public key say of themselves, without cryptography.
public enum EdwardsPoint {
    /// Returns whether a key is one of the eight points of small order, or one of their second spellings.
    ///
    /// Such a key has no secret half. A signature for it can be made up by anybody, and the same one fits every statement, or every
    /// second, fourth or eighth: whoever shows such a key as their own has signed nothing, and could deny everything. RFC 8032
    /// leaves it to the caller to refuse them, and libraries verify with them. See *Taming the many EdDSAs* (Chalkias, Garillot
    /// and Nikolaenko, 2020), table 4.
    ///
    /// - Parameter publicKey: The bytes as they were sent, little-endian, with the sign in the highest bit.
    /// - Returns: Whether it is; false for anything that has not 32 bytes.
    /// - Complexity: O(1).
    public static func isOfSmallOrder(_ publicKey: [UInt8]) -> Bool {
        guard var last = publicKey.last else { return false }
        // Of two points with one y both have the same order, so the sign says nothing.
        last &= 0x7F
        return smallOrders.contains { $0.last == last && $0.dropLast().elementsEqual(publicKey.dropLast()) }
    }

    /// The y of all points whose order divides eight, as they can be spelled in 255 bits.
    private static let smallOrders: [[UInt8]] = [
        // 0, of order four, and the same plus the field's prime.
        [UInt8](repeating: 0, count: 32),
        [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        // 1, the neutral element, and the same plus the prime.
        [1] + [UInt8](repeating: 0, count: 31),
        [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        // -1, of order two.
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        // The two of order eight.
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
    ]
}

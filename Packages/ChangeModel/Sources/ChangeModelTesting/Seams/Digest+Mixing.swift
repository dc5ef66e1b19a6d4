public import EventModel

extension Digest {
    /// A digest that is no hash: it mixes bytes well enough for tests that compare chains.
    public static func mixing(_ bytes: [UInt8]) -> Digest {
        var words: [UInt64] = [1, 2, 3, 4]
        for (index, byte) in bytes.enumerated() {
            words[index % 4] = (words[index % 4] ^ UInt64(byte)) &* 0x100_0000_01B3 &+ UInt64(index)
        }
        let mixed = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (UInt64($0) * 8)) } }
        return Digest(mixed) ?? .sample
    }
}

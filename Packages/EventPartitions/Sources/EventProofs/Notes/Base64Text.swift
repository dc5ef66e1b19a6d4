/// Base64 as RFC 4648, section 4, has it: padded, in one piece, and with one spelling for the same bytes.
///
/// A decoder that lets the unused bits of the last letter be anything takes several texts for one signature.
enum Base64Text {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// The value of each letter; 255 for what is none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    /// Returns the letters of the bytes.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let three = rest.prefix(3)
            rest = rest.dropFirst(3)
            var bits: UInt32 = 0
            for byte in three { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(8 * (3 - three.count))
            for place in 0..<4 {
                let isPadding = place > three.count
                text.append(isPadding ? padding : letters[Int(bits >> UInt32(18 - 6 * place) & 63)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of the letters; nil when they are not the ones that ``text(_:)`` gives for any bytes.
    static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var rest = text[...]
        while !rest.isEmpty {
            let four = rest.prefix(4)
            rest = rest.dropFirst(4)
            // Padding ends a text, and at least two letters are in front of it.
            let ending = rest.isEmpty ? four.reversed().prefix(2).prefix { $0 == padding }.count : 0
            var bits: UInt32 = 0
            for letter in four.prefix(4 - ending) {
                let value = values[Int(letter)]
                guard value < 64 else { return nil }
                bits = bits << 6 | UInt32(value)
            }
            bits <<= UInt32(6 * ending)
            let unused: UInt32 = ending == 0 ? 0 : ending == 1 ? 0xFF : 0xFFFF
            guard bits & unused == 0 else { return nil }
            for place in 0..<(3 - ending) { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * place))) }
        }
        return bytes
    }
}

/// How any bytes become a text of PostgreSQL, and back.
///
/// PostgreSQL has no text with a zero byte and none that is not UTF-8, and an event may hold both. Nearly every text
/// stays as it is. In the others U+001A starts an escape: `0` stands for the zero byte, `S` for U+001A itself, and `x`
/// with two hexadecimal digits for a byte of what is not UTF-8.
///
/// There is one form of each text, so that a form that somebody else wrote counts as damage.
enum SQLText {
    private static let escape: UInt8 = 0x1A

    /// Returns the form that is stored.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        if isUTF8 && !bytes.contains(where: { $0 == 0 || $0 == escape }) { return bytes }
        var stored: [UInt8] = []
        stored.reserveCapacity(bytes.count + 16)
        for byte in bytes {
            switch byte {
            case 0: stored += [escape, UInt8(ascii: "0")]
            case escape: stored += [escape, UInt8(ascii: "S")]
            case 0x80... where !isUTF8: stored += [escape, UInt8(ascii: "x"), digit(byte >> 4), digit(byte & 15)]
            default: stored.append(byte)
            }
        }
        return stored
    }

    /// Returns the form that is stored.
    static func stored(_ text: String) -> [UInt8] { stored(Array(text.utf8)) }

    /// Returns the original bytes, or nil for a form that ``stored(_:)-([UInt8])`` never writes.
    static func original(_ stored: [UInt8]) -> [UInt8]? {
        guard stored.contains(escape) else { return stored }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(stored.count)
        var rest = stored[...]
        while let byte = rest.popFirst() {
            guard byte == escape else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): bytes.append(0)
            case UInt8(ascii: "S"): bytes.append(escape)
            case UInt8(ascii: "x"):
                guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: return nil
            }
        }
        return Self.stored(bytes) == stored ? bytes : nil
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// Hexadecimal digits as ASCII bytes.
public enum Hexadecimal {
    /// Returns the lower-case digit of a number from 0 to 15.
    @inlinable
    public static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 + nibble : 0x57 + nibble
    }

    /// Returns the number that a digit of either case stands for, or nil for any other byte.
    @inlinable
    public static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x37
        case 0x61...0x66: character - 0x57
        default: nil
        }
    }

    /// Returns the bytes as lower-case digits, two for each byte.
    public static func text(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            var index = 0
            for byte in bytes {
                buffer[index] = digit(byte >> 4)
                buffer[index + 1] = digit(byte & 0xF)
                index += 2
            }
            return index
        }
    }

    /// Returns the bytes that pairs of digits stand for, or nil when the text is anything else.
    public static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8
        guard digits.count.isMultiple(of: 2) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count / 2)
        var pending: UInt8?
        for digit in digits {
            guard let nibble = value(digit) else { return nil }
            if let first = pending {
                result.append(first << 4 | nibble)
                pending = nil
            } else {
                pending = nibble
            }
        }
        return result
    }

    /// Reads bytes that were written as digits.
    ///
    /// - Throws: `DecodingError` when the field is missing or anything else.
    public static func bytes<Key: CodingKey>(
        _ key: Key,
        in container: KeyedDecodingContainer<Key>
    ) throws -> [UInt8] {
        guard let bytes = bytes(try container.decode(String.self, forKey: key)) else {
            let reason = "The text is not hexadecimal digits."
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: reason)
        }
        return bytes
    }
}

import EventModel

/// Undoes the escapes of a text in JSON.
package enum JSONEscapes {
    /// Returns the text that stands between two quotation marks.
    ///
    /// - Throws: ``JSONBytes/Malformed`` for an escape that JSON does not know.
    package static func decoded(_ raw: Slice<UnsafeBufferPointer<UInt8>>) throws(JSONBytes.Malformed) -> String {
        var units: [UInt16] = []
        var result = ""
        func flush() {
            if !units.isEmpty { result += String(decoding: units, as: UTF16.self) }
            units.removeAll(keepingCapacity: true)
        }
        var plain = raw.startIndex
        var position = raw.startIndex
        while position < raw.endIndex {
            guard raw[position] == 0x5C else {
                position += 1
                continue
            }
            if plain < position {
                flush()
                result += String(decoding: raw[plain..<position], as: UTF8.self)
            }
            guard position + 1 < raw.endIndex else { throw JSONBytes.Malformed() }
            let escape = raw[position + 1]
            position += 2
            if escape == 0x75 {
                guard position + 4 <= raw.endIndex else { throw JSONBytes.Malformed() }
                units.append(try unit(raw[position..<(position + 4)]))
                position += 4
            } else {
                units.append(try simple(escape))
            }
            plain = position
        }
        flush()
        return result + String(decoding: raw[plain...], as: UTF8.self)
    }

    private static func unit(_ digits: Slice<UnsafeBufferPointer<UInt8>>) throws(JSONBytes.Malformed) -> UInt16 {
        var unit: UInt16 = 0
        for digit in digits {
            guard let value = Hexadecimal.value(digit) else { throw JSONBytes.Malformed() }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }

    private static func simple(_ escape: UInt8) throws(JSONBytes.Malformed) -> UInt16 {
        switch escape {
        case 0x22, 0x5C, 0x2F: UInt16(escape)
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: 0x0A
        case 0x72: 0x0D
        case 0x74: 0x09
        default: throw JSONBytes.Malformed()
        }
    }
}

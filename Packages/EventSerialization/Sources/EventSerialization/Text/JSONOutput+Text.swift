extension JSONOutput {
    /// Appends text in quotes, escaped as JSON demands: quotes, backslashes and control characters.
    ///
    /// - Returns: Whether the bytes are UTF-8; if not, the text is incomplete.
    mutating func append(quoted text: UnsafeRawBufferPointer) -> Bool {
        // A control character takes six bytes; room for the worst case once is cheaper than a check each time,
        // but not for long text, which takes the room as it goes.
        reserve(text.count + 10)
        write(0x22)
        guard let start = text.baseAddress else {
            write(0x22)
            return true
        }
        let end = start + text.count
        var next = start
        while next < end {
            while end - next >= 8 {
                let word = next.loadUnaligned(as: UInt64.self)
                guard Self.isPlain(word) else { break }
                write(word: word)
                next += 8
            }
            guard next < end else { break }
            let rest = end - next
            if rest < 8, text.count >= 8 {
                let word = (end - 8).loadUnaligned(as: UInt64.self)
                // The last eight bytes are plain, so those of them that are written already were copied as they are.
                if Self.isPlain(word) {
                    withdraw(8 - rest)
                    write(word: word)
                    break
                }
            }
            let byte = next.load(as: UInt8.self)
            if byte >= 0x80 {
                let length = Self.sequenceLength(next, end)
                guard length > 0 else { return false }
                write(next, count: length)
                next += length
            } else {
                if Self.needsEscape(byte) {
                    // What is left of the text, and this escape, needs more room than was taken.
                    reserve(end - next + 10)
                    escape(byte)
                } else {
                    write(byte)
                }
                next += 1
            }
        }
        write(0x22)
        return true
    }

    /// Whether eight bytes are ASCII and none of them is escaped.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        // For bytes below 0x80, subtracting borrows into the high bit exactly where a byte is too small.
        let control = word &- ones &* 0x20
        let quote = (word ^ ones &* 0x22) &- ones
        let backslash = (word ^ ones &* 0x5C) &- ones
        return (word | control | quote | backslash) & highs == 0
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C
    }

    private mutating func escape(_ byte: UInt8) {
        write(0x5C)
        switch byte {
        case 0x22, 0x5C: write(byte)
        case 0x08: write(0x62)
        case 0x09: write(0x74)
        case 0x0A: write(0x6E)
        case 0x0C: write(0x66)
        case 0x0D: write(0x72)
        default:
            write(0x75)
            write(0x30)
            write(0x30)
            write(hexadecimal: byte)
        }
    }

    /// The length of the well-formed sequence that begins here with a byte of 0x80 or more; 0 when there is none.
    ///
    /// The ranges are those of the Unicode standard, table 3-7: no surrogates, nothing beyond U+10FFFF, no detours.
    private static func sequenceLength(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) -> Int {
        func byte(_ index: Int) -> UInt8 { start.load(fromByteOffset: index, as: UInt8.self) }
        func continues(_ index: Int) -> Bool { byte(index) & 0xC0 == 0x80 }
        let available = end - start
        let first = byte(0)
        switch first {
        case 0xC2...0xDF:
            return available >= 2 && continues(1) ? 2 : 0
        case 0xE0...0xEF:
            guard available >= 3, continues(1), continues(2) else { return 0 }
            if first == 0xE0, byte(1) < 0xA0 { return 0 }
            return first == 0xED && byte(1) >= 0xA0 ? 0 : 3
        case 0xF0...0xF4:
            guard available >= 4, continues(1), continues(2), continues(3) else { return 0 }
            if first == 0xF0, byte(1) < 0x90 { return 0 }
            return first == 0xF4 && byte(1) >= 0x90 ? 0 : 4
        default:
            return 0
        }
    }
}

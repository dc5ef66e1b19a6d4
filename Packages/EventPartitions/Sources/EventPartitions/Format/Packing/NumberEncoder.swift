/// Writes a text with its numbers as differences, so that rows of one class become alike and compress well.
///
/// A number that differs by -63 to 63 from the one before it in its place becomes the byte 255 and the difference in one
/// byte, see ``difference(in:)``. Every other byte stays as it is; a byte 255 of the text becomes 255 and 0.
struct NumberEncoder {
    static let marker: UInt8 = 0xFF
    /// The most bytes that one step of ``encode(_:from:into:)`` may write.
    static let slack = 32

    private var context = NumberContext()
    /// Whether the last step ended inside a run of digits that is too long to be a number.
    private var isInsideRun = false

    /// Returns the byte that says a difference: 1 for 0, 2 for -1, 3 for 1 and so on; nil for one that is too large.
    static func code(for difference: Int64) -> UInt8? {
        guard -63...63 ~= difference else { return nil }
        return UInt8((difference << 1) ^ (difference >> 63)) + 1
    }

    /// Returns the difference that a byte stands for, which is not 0.
    static func difference(in code: UInt8) -> Int64 {
        let folded = Int64(code) - 1
        return (folded >> 1) ^ -(folded & 1)
    }

    /// Encodes from a position of the text until the text ends or the buffer is full.
    ///
    /// - Parameters:
    ///   - text: The whole text, the same at each call.
    ///   - position: Where to go on; moved behind what was encoded.
    ///   - output: Where the encoding goes, at least twice ``slack`` bytes.
    /// - Returns: How many bytes were written.
    /// - Complexity: O(*n*), where *n* is the number of bytes that were encoded.
    mutating func encode(
        _ text: UnsafeRawBufferPointer,
        from position: inout Int,
        into output: UnsafeMutableRawBufferPointer
    ) -> Int {
        var isInside = isInsideRun
        defer { isInsideRun = isInside }
        return context.withPlaces { Self.encode(text, from: &position, into: output, $0, isInsideRun: &isInside) }
    }

    private static func encode(
        _ text: UnsafeRawBufferPointer,
        from position: inout Int,
        into output: UnsafeMutableRawBufferPointer,
        _ places: NumberContext.Places,
        isInsideRun: inout Bool
    ) -> Int {
        let limit = output.count - slack
        var written = 0
        while position < text.count, written < limit {
            while position + 8 <= text.count, written < limit {
                let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                // All eight are written, and those behind the plain ones over again.
                output.storeBytes(of: word.littleEndian, toByteOffset: written, as: UInt64.self)
                let plain = ByteWord.plainPrefix(of: word)
                if plain > 0 { isInsideRun = false }
                position += plain
                written += plain
                if plain < 8 { break }
            }
            guard position < text.count, written < limit else { break }
            let byte = text[position]
            guard byte &- 0x30 < 10 else {
                isInsideRun = false
                output[written] = byte
                written += 1
                position += 1
                if byte == marker {
                    output[written] = 0
                    written += 1
                }
                continue
            }
            let (end, number) = isInsideRun ? (position, 0) : run(from: position, in: text)
            let count = end - position
            guard NumberContext.digits ~= count, byte != 0x30 else {
                isInsideRun = isInsideRun || count > NumberContext.digits.upperBound
                let copied = max(count, 1)
                for index in position..<position + copied {
                    output[written] = text[index]
                    written += 1
                }
                position += copied
                continue
            }
            let before = places.exchange(number, at: position, in: text)
            if let code = code(for: Int64(bitPattern: number &- before)) {
                output[written] = marker
                output[written + 1] = code
                written += 2
            } else {
                for index in position..<end {
                    output[written] = text[index]
                    written += 1
                }
            }
            position = end
        }
        return written
    }

    /// Finds the end of a run of digits, or a place in it that shows that it is too long, and the number up to there.
    @inline(__always)
    private static func run(from start: Int, in text: UnsafeRawBufferPointer) -> (end: Int, number: UInt64) {
        let limit = min(text.count, start + NumberContext.digits.upperBound + 1)
        var number = UInt64(text[start] &- 0x30)
        var end = start + 1
        while end < limit {
            let digit = text[end] &- 0x30
            guard digit < 10 else { break }
            number = number &* 10 &+ UInt64(digit)
            end += 1
        }
        return (end, number)
    }
}

/// Restores a text that ``NumberEncoder`` wrote, from pieces of any size.
struct NumberDecoder {
    private var context = NumberContext()
    /// How many bytes of the text were restored.
    private(set) var count = 0
    /// Where the digits begin that the text ends with; nil when it ends with something else.
    private var runStart: Int?
    /// Whether the next byte says what the marker in front of it stands for.
    private var isBehindMarker = false

    /// Whether the text may end here.
    var isComplete: Bool { !isBehindMarker }

    /// Restores the next piece.
    ///
    /// - Parameters:
    ///   - piece: The encoded bytes.
    ///   - text: Where the whole text goes, the same at each call; its size is that of the text.
    /// - Returns: False when the bytes are not an encoding of a text of this size.
    /// - Complexity: O(*n*), where *n* is the number of bytes that are restored.
    mutating func decode(_ piece: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) -> Bool {
        for byte in piece {
            if isBehindMarker {
                isBehindMarker = false
                guard append(code: byte, to: text) else { return false }
            } else if byte == NumberEncoder.marker {
                endRun(in: text)
                isBehindMarker = true
            } else {
                guard count < text.count else { return false }
                if byte &- 0x30 < 10 {
                    if runStart == nil { runStart = count }
                } else if runStart != nil {
                    endRun(in: text)
                }
                text[count] = byte
                count += 1
            }
        }
        return true
    }

    /// Notes a number that is written with its digits.
    private mutating func endRun(in text: UnsafeMutableRawBufferPointer) {
        guard let start = runStart else { return }
        runStart = nil
        guard NumberContext.digits ~= count - start, text[start] != 0x30 else { return }
        var number: UInt64 = 0
        for index in start..<count { number = number &* 10 &+ UInt64(text[index] &- 0x30) }
        _ = context.withPlaces { $0.exchange(number, at: start, in: UnsafeRawBufferPointer(text)) }
    }

    private mutating func append(code: UInt8, to text: UnsafeMutableRawBufferPointer) -> Bool {
        guard code != 0 else {
            guard count < text.count else { return false }
            text[count] = NumberEncoder.marker
            count += 1
            return true
        }
        let difference = NumberEncoder.difference(in: code)
        var number = context.advance(by: difference, at: count, in: UnsafeRawBufferPointer(text))
        var digits = 0
        var rest = number
        repeat {
            rest /= 10
            digits += 1
        } while rest > 0
        // An intact writer has differences for numbers only.
        guard NumberContext.digits ~= digits, digits <= text.count - count else { return false }
        for index in (count..<count + digits).reversed() {
            text[index] = UInt8(truncatingIfNeeded: number % 10) + 0x30
            number /= 10
        }
        count += digits
        return true
    }
}

/// The numbers that were last seen behind the same bytes, which is where the next one of a column of JSON is looked for.
///
/// A number is a run of 3 to 18 decimal digits that does not begin with a zero and has no digit on either side. Its place
/// is known by the eight bytes in front of it, with zeros for digits and for bytes in front of the text.
struct NumberContext {
    /// How many digits a number has.
    static let digits = 3...18
    /// How many places are distinguished; two that fall together only cost room.
    private static let bits = 10

    private var last = [UInt64](repeating: 0, count: 1 << bits)

    /// The numbers of all places, for one who replaces many.
    struct Places {
        fileprivate let last: UnsafeMutablePointer<UInt64>

        /// Replaces what was seen at a place of a text.
        ///
        /// - Parameters:
        ///   - number: The number at that place now.
        ///   - start: Where its digits begin in the text.
        ///   - text: The text up to there, at least.
        /// - Returns: The number that was seen there before, 0 at first.
        @inline(__always)
        func exchange(_ number: UInt64, at start: Int, in text: UnsafeRawBufferPointer) -> UInt64 {
            let place = NumberContext.place(of: start, in: text)
            defer { last[place] = number }
            return last[place]
        }
    }

    /// Calls the closure with the places: at each number it would be asked whether somebody else has them, too.
    mutating func withPlaces<Result>(_ body: (Places) -> Result) -> Result {
        last.withUnsafeMutableBufferPointer { last in
            guard let address = last.baseAddress else { preconditionFailure("There is at least one place.") }
            return body(Places(last: address))
        }
    }

    /// Moves on from what was seen at a place of a text.
    ///
    /// - Returns: The number there now; may be anything when the difference does not come from an intact writer.
    mutating func advance(by difference: Int64, at start: Int, in text: UnsafeRawBufferPointer) -> UInt64 {
        let place = Self.place(of: start, in: text)
        last[place] &+= UInt64(bitPattern: difference)
        return last[place]
    }

    private static func place(of start: Int, in text: UnsafeRawBufferPointer) -> Int {
        var word: UInt64 = 0
        if start >= 8 {
            word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: start - 8, as: UInt64.self))
        } else {
            for index in 0..<start { word |= UInt64(text[index]) << UInt64((8 - start + index) * 8) }
        }
        word &= ~(ByteWord.digits(in: word) &* 0xFF)
        return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - bits))
    }
}

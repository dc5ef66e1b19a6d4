/// Eight bytes of a text in one number, the first in its lowest bits, looked at all at once.
enum ByteWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Returns 1 in the place of each decimal digit, and 0 in that of each other byte.
    static func digits(in word: UInt64) -> UInt64 {
        // Digits become 0 to 9; every other byte has an upper bit then, or gets one when 6 is added to its lower half.
        let folded = word ^ (ones &* 0x30)
        var others = (((folded & (ones &* 0x0F)) &+ (ones &* 6)) | folded) & (ones &* 0xF0)
        others |= others >> 2
        others |= others >> 1
        return ~(others >> 4) & ones
    }

    /// Returns how many bytes at the front are neither digits nor 255.
    static func plainPrefix(of word: UInt64) -> Int {
        // The lowest byte of 255 is always found; bytes behind one may be found by mistake.
        let largest = (~word &- ones) & word & (ones &* 0x80)
        return (digits(in: word) << 7 | largest).trailingZeroBitCount / 8
    }
}

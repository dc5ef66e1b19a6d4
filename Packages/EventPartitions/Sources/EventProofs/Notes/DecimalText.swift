/// Numbers as the notes of logs spell them: ASCII digits without a sign and without leading zeros.
enum DecimalText {
    /// The largest number that is read: others' tools keep sizes and times in signed integers of 64 bits.
    static let maximum = UInt64(Int64.max)

    /// Returns the number; nil when the text is another spelling of it, or of a number beyond ``maximum``.
    static func number(_ text: some Collection<UInt8>) -> UInt64? {
        guard let first = text.first, text.count <= 19 else { return nil }
        guard text.count == 1 || first != UInt8(ascii: "0") else { return nil }
        var number: UInt64 = 0
        for byte in text {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            // Nineteen digits fit an unsigned integer of 64 bits.
            number = number * 10 + UInt64(byte - UInt8(ascii: "0"))
        }
        return number <= maximum ? number : nil
    }
}

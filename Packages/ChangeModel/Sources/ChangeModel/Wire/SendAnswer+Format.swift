import EventModel

extension SendAnswer {
    private static let magic = Array("DAYSENT1".utf8)

    /// The bytes of the answer.
    ///
    /// ```
    /// "DAYSENT1"  acknowledged  head  count { number  clock (8) }  entries
    /// entries = 0 | 1  the bytes of an answer with entries
    /// ```
    ///
    /// The numbers of changes whose times were lowered ascend.
    ///
    /// - Complexity: O(*n*) in the bytes of the entries.
    public var encoded: [UInt8] {
        var writer = ChangeWriter()
        writer.raw(Self.magic)
        writer.count(acknowledged)
        writer.count(head)
        writer.count(clocks.count)
        for (number, clock) in clocks.sorted(by: { $0.key < $1.key }) {
            writer.count(number)
            writer.fixed(clock.bits)
        }
        writer.byte(entries == nil ? 0 : 1)
        if let entries { writer.raw(entries.encodedAnswer) }
        return writer.bytes
    }

    /// Reads an answer.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are no answer, and
    ///   ``ChangeModelError/tooLarge(bytes:limit:)`` and ``ChangeModelError/tooMany(count:limit:)`` when they are more
    ///   than ``ChangeLimits`` allow.
    /// - Complexity: O(*n*) in the bytes.
    public init(bytes: [UInt8]) throws(ChangeModelError) {
        guard bytes.count <= ChangeLimits.answerBytes else {
            throw .tooLarge(bytes: bytes.count, limit: ChangeLimits.answerBytes)
        }
        var reader = ChangeReader(bytes[...])
        try reader.expect(Self.magic, "An answer of this version begins with DAYSENT1.")
        let acknowledged = try reader.integer()
        let head = try reader.integer()
        var clocks: [Int: HybridClock] = [:]
        var last: Int?
        for _ in 0..<(try reader.count(limit: ChangeLimits.batchChanges)) {
            let number = try reader.integer()
            if let last, last >= number { throw reader.malformed("The numbers of changes ascend.") }
            clocks[number] = HybridClock(bits: try reader.fixed(UInt64.self))
            last = number
        }
        let entries: EntriesAnswer?
        switch try reader.byte() {
        case 0: entries = nil
        case 1: entries = try EntriesAnswer(&reader)
        default: throw reader.malformed("An answer has entries or none.")
        }
        try reader.end()
        self.init(acknowledged: acknowledged, head: head, clocks: clocks, entries: entries)
    }
}

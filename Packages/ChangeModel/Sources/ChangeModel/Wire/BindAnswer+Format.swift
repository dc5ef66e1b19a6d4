import EventModel

extension BindAnswer {
    private static let magic = Array("DAYBOUN1".utf8)
    private static let writing: UInt8 = 1
    private static let asking: UInt8 = 2

    /// The bytes of the answer.
    ///
    /// ```
    /// "DAYBOUN1"  flags  binding  head  floor  acknowledged  server's milliseconds (8)
    /// binding = history (16)  file  length  salt
    /// flags   = 1 may write | 2 wants the schema
    /// ```
    public var encoded: [UInt8] {
        var writer = ChangeWriter()
        writer.raw(Self.magic)
        writer.byte((mayWrite ? Self.writing : 0) | (needsSchema ? Self.asking : 0))
        writer.binding(binding)
        writer.count(head)
        writer.count(floor)
        writer.count(acknowledged)
        writer.fixed(serverMilliseconds)
        return writer.bytes
    }

    /// Reads an answer.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are no answer, and
    ///   ``ChangeModelError/tooLarge(bytes:limit:)`` when a part is larger than ``ChangeLimits`` allow.
    /// - Complexity: O(1).
    public init(bytes: [UInt8]) throws(ChangeModelError) {
        var reader = ChangeReader(bytes[...])
        try reader.expect(Self.magic, "An answer of this version begins with DAYBOUN1.")
        let flags = try reader.byte()
        guard flags <= Self.writing | Self.asking else { throw reader.malformed("An answer has no such flag.") }
        let binding = try reader.binding()
        let head = try reader.integer()
        let floor = try reader.integer()
        let acknowledged = try reader.integer()
        let milliseconds = try reader.fixed(Int64.self)
        try reader.end()
        self.init(
            binding: binding,
            head: head,
            floor: floor,
            acknowledged: acknowledged,
            serverMilliseconds: milliseconds,
            mayWrite: flags & Self.writing != 0,
            needsSchema: flags & Self.asking != 0
        )
    }
}

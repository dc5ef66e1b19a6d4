import EventModel

extension EntriesAnswer {
    private static let magic = Array("DAYENTS1".utf8)

    /// The bytes of the answer, in which the entries lie as the server keeps them.
    ///
    /// ```
    /// "DAYENTS1"  head  count { length  entry }
    /// ```
    ///
    /// - Complexity: O(*n*) in the bytes.
    public var encodedAnswer: [UInt8] {
        var writer = ChangeWriter(reserving: encoded.reduce(32) { $0 + $1.count + 5 })
        writer.raw(Self.magic)
        writer.count(head)
        writer.count(encoded.count)
        for entry in encoded {
            writer.count(entry.count)
            writer.raw(entry)
        }
        return writer.bytes
    }

    /// Reads an answer; no entry of it is read.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are no answer, and
    ///   ``ChangeModelError/tooLarge(bytes:limit:)`` when they or an entry are more than ``ChangeLimits`` allow.
    /// - Complexity: O(*n*) in the bytes.
    public init(bytes: [UInt8]) throws(ChangeModelError) {
        guard bytes.count <= ChangeLimits.answerBytes else {
            throw .tooLarge(bytes: bytes.count, limit: ChangeLimits.answerBytes)
        }
        var reader = ChangeReader(bytes[...])
        try self.init(&reader)
        try reader.end()
    }

    init(_ reader: inout ChangeReader) throws(ChangeModelError) {
        try reader.expect(Self.magic, "Entries of this version begin with DAYENTS1.")
        let head = try reader.integer()
        var encoded: [[UInt8]] = []
        for _ in 0..<(try reader.count()) {
            let count = try reader.count()
            guard count <= ChangeLimits.entryBytes else {
                throw .tooLarge(bytes: count, limit: ChangeLimits.entryBytes)
            }
            encoded.append(Array(try reader.raw(count)))
        }
        self.init(head: head, encoded: encoded)
    }
}

import EventModel

extension Entry {
    /// The bytes of the entry, as they lie in the log and go over the wire.
    ///
    /// ```
    /// number  file  change  user  clock (8)  received (8)  names  results  literals  corrections  digest (32)
    /// result = 0 as sent | 1 superseded | 2 refused, reason, rule
    /// ```
    ///
    /// - Complexity: O(*n*) in the operations.
    public var encoded: [UInt8] {
        var body = ChangeWriter()
        body.results(results)
        body.operations(literals)
        body.operations(corrections)
        var head = ChangeWriter()
        head.count(number)
        head.count(UInt64(change.file))
        head.count(change.number)
        head.count(UInt64(user))
        head.fixed(clock.bits)
        head.fixed(received.microseconds)
        head.table(body.names)
        return head.bytes + body.bytes + digest.bytes
    }

    /// Reads an entry.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are no entry, and
    ///   ``ChangeModelError/tooLarge(bytes:limit:)`` when they, a key, name or value are larger than ``ChangeLimits``
    ///   allow.
    /// - Complexity: O(*n*) in the bytes.
    public init(bytes: [UInt8]) throws(ChangeModelError) {
        guard bytes.count <= ChangeLimits.entryBytes else {
            throw .tooLarge(bytes: bytes.count, limit: ChangeLimits.entryBytes)
        }
        var reader = ChangeReader(bytes[...])
        let head = try reader.entryHead()
        try reader.table()
        var results: [OperationResult] = []
        for _ in 0..<(try reader.count()) { results.append(try reader.result()) }
        let literals = try reader.operations()
        let corrections = try reader.operations()
        guard let digest = Digest(try reader.raw(Digest.byteCount)), reader.remaining == 0 else {
            throw reader.malformed("Something follows the digest.")
        }
        self.init(
            number: head.number,
            change: head.change,
            user: head.user,
            clock: head.clock,
            received: head.received,
            results: results,
            literals: literals,
            corrections: corrections,
            digest: digest
        )
    }
}

extension ChangeReader {
    fileprivate mutating func result() throws(ChangeModelError) -> OperationResult {
        switch try byte() {
        case 0: return .asSent
        case 1: return .superseded
        case 2:
            let code = try byte()
            guard let reason = OperationRefusal(code: code, rule: try number32()) else {
                throw malformed("A refusal has no such reason.")
            }
            return .refused(reason)
        default: throw malformed("A result has no such kind.")
        }
    }
}

extension ChangeWriter {
    /// Writes what became of operations, with their count.
    mutating func results(_ results: [OperationResult]) {
        count(results.count)
        for result in results {
            switch result {
            case .asSent: byte(0)
            case .superseded: byte(1)
            case .refused(let reason):
                byte(2)
                byte(reason.code)
                count(UInt64(reason.rule))
            }
        }
    }
}

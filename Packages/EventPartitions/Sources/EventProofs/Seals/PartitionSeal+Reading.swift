import EventModel

extension PartitionSeal {
    /// Reads what a signature is over; nothing of it is checked but its form.
    ///
    /// - Parameters:
    ///   - bytes: What ``canonicalBytes`` has.
    ///   - signature: The signature, which stands apart.
    /// - Throws: ``ProofError/malformedLogEntry(reason:)`` when the bytes are not those of a seal.
    init(canonicalBytes bytes: [UInt8], signature: [UInt8]) throws(ProofError) {
        var reader = StatementReader(bytes)
        let kind = try reader.kind()
        guard kind == "DAYSEAL2" || kind == "DAYSEAL1" else {
            throw .malformedLogEntry(reason: "its seal is of a kind that is not known")
        }
        let hasOwner = kind == "DAYSEAL2"
        let owner = hasOwner ? EventOwner(app: try reader.text(), user: try reader.text()) : nil
        let partition = try reader.partition()
        let hasNumber = hasOwner ? try reader.flag() : false
        let number = hasNumber ? try reader.number(UInt64.self) : nil
        let (count, root) = (try reader.number(UInt64.self), try reader.digest())
        let first = try reader.flag() ? try reader.instant() : nil
        let last = try reader.flag() ? try reader.instant() : nil
        let previousRoot = try reader.flag() ? try reader.digest() : nil
        let ledgerPart = hasOwner ? try reader.number(UInt32.self) : 0
        let isLedgerContinued = hasOwner ? try reader.flag() : false
        let lossCount = try reader.number(UInt32.self)
        var losses: [LossEntry] = []
        // Whatever number is stated, each takes bytes that have to be there.
        for _ in 0..<lossCount { losses.append(try reader.loss()) }
        self.init(
            partition: partition,
            owner: owner,
            number: number,
            count: count,
            root: root,
            first: first,
            last: last,
            previousRoot: previousRoot,
            losses: losses,
            ledgerPart: ledgerPart,
            isLedgerContinued: isLedgerContinued,
            publicKey: try reader.counted(),
            signature: signature
        )
        guard reader.isAtEnd, canonicalBytes == bytes else {
            throw .malformedLogEntry(reason: "its seal is written in another way than seals are")
        }
    }
}

extension StatementReader {
    fileprivate mutating func loss() throws(ProofError) -> LossEntry {
        guard let reason = LossEntry.Reason(rawValue: try text()) else {
            throw .malformedLogEntry(reason: "a loss has a reason that is not known")
        }
        return LossEntry(
            reason: reason,
            count: try number(),
            noticed: try instant(),
            first: try flag() ? try instant() : nil,
            last: try flag() ? try instant() : nil,
            partition: try flag() ? try partition() : nil,
            sequences: try flag() ? try sequences() : nil,
            root: try flag() ? try digest() : nil
        )
    }

    private mutating func sequences() throws(ProofError) -> ClosedRange<UInt64> {
        let (first, last) = (try number(UInt64.self), try number(UInt64.self))
        guard first <= last else { throw .malformedLogEntry(reason: "a loss ends before it begins") }
        return first...last
    }
}

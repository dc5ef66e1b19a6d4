public import EventModel

extension PartitionSeal {
    /// The bytes that the signature is over: every field except the signature itself.
    ///
    /// | bytes | field |
    /// |---|---|
    /// | 8 | `DAYSEAL2` |
    /// | 4 + n | the app: length, then UTF-8 |
    /// | 4 + n | the user |
    /// | 4 + n | the partition's text form |
    /// | 1, then 8 if 1 | the number of the seal: whether there is one, then which |
    /// | 8 | the count of events |
    /// | 32 | the root |
    /// | 1, then 8 if 1 | the first event's time, in microseconds since 1970 |
    /// | 1, then 8 if 1 | the last event's time |
    /// | 1, then 32 if 1 | the previous partition's root |
    /// | 4 | which part of its ledger the losses are |
    /// | 1 | 1 when the next seal goes on with the ledger, else 0 |
    /// | 4, then entries | the losses: their number, then for each what the next table says |
    /// | 4 + n | the public key, 32 bytes or 33: its length names the algorithm, see ``DeviceKeyAlgorithm`` |
    ///
    /// | bytes | field of a loss |
    /// |---|---|
    /// | 4 + n | the reason |
    /// | 8 | the count |
    /// | 8 | when it was noticed |
    /// | 1, then 8 if 1 | the first event's time |
    /// | 1, then 8 if 1 | the last event's time |
    /// | 1, then 4 + n if 1 | the partition's text form |
    /// | 1, then 16 if 1 | the first and the last sequence |
    /// | 1, then 32 if 1 | the root |
    ///
    /// Numbers are little-endian; lengths and the number of losses have four bytes. A seal without an owner is one of an earlier
    /// version: it begins with `DAYSEAL1`, and has neither app nor user, nor the number, nor the part of the ledger and whether it
    /// goes on.
    public var canonicalBytes: [UInt8] {
        var statement = SignedStatement(owner == nil ? "DAYSEAL1" : "DAYSEAL2")
        if let owner {
            statement.append(counted: owner.app.utf8)
            statement.append(counted: owner.user.utf8)
        }
        statement.append(counted: partition.value.utf8)
        if owner != nil { statement.append(optional: number) { $0.append($1) } }
        statement.append(count)
        statement.append(root)
        statement.append(optional: first) { $0.append($1.microseconds) }
        statement.append(optional: last) { $0.append($1.microseconds) }
        statement.append(optional: previousRoot) { $0.append($1) }
        if owner != nil {
            statement.append(ledgerPart)
            statement.append(UInt8(isLedgerContinued ? 1 : 0))
        }
        statement.append(UInt32(losses.count))
        for loss in losses { statement.append(loss) }
        statement.append(counted: publicKey)
        return statement.bytes
    }

    /// Checks that the signature belongs to the fields and to ``publicKey``.
    ///
    /// Whether that key is the device's own is for the caller to know.
    ///
    /// - Throws: ``ProofError/invalidSignature(partition:)`` when it does not.
    public func verifySignature() throws(ProofError) {
        let isValid = DeviceSignature.isValid(signature, for: canonicalBytes, by: publicKey)
        guard isValid else { throw .invalidSignature(partition: partition) }
    }

    /// Checks the signature and that the seal speaks of exactly these events.
    ///
    /// - Parameter frontier: The tree over the events that were found.
    /// - Throws: ``ProofError/invalidSignature(partition:)``, ``ProofError/countMismatch(partition:sealed:found:)`` or
    ///   ``ProofError/rootMismatch(partition:sealed:found:)``.
    public func verify(over frontier: MerkleFrontier) throws(ProofError) {
        try verifySignature()
        guard count == frontier.count else {
            throw .countMismatch(partition: partition, sealed: count, found: frontier.count)
        }
        let found = frontier.root
        guard root == found else { throw .rootMismatch(partition: partition, sealed: root, found: found) }
    }
}

extension SignedStatement {
    fileprivate mutating func append(_ loss: LossEntry) {
        append(counted: loss.reason.rawValue.utf8)
        append(loss.count)
        append(loss.noticed.microseconds)
        append(optional: loss.first) { $0.append($1.microseconds) }
        append(optional: loss.last) { $0.append($1.microseconds) }
        append(optional: loss.partition) { $0.append(counted: $1.value.utf8) }
        append(optional: loss.sequences) { statement, sequences in
            statement.append(sequences.lowerBound)
            statement.append(sequences.upperBound)
        }
        append(optional: loss.root) { $0.append($1) }
    }

    /// Appends whether there is a value, and the value if there is.
    fileprivate mutating func append<Value>(optional value: Value?, _ body: (inout SignedStatement, Value) -> Void) {
        append(UInt8(value == nil ? 0 : 1))
        if let value { body(&self, value) }
    }
}

public import EventModel

extension PartitionSeal {
    /// The bytes that the signature is over: every field except the signature itself.
    ///
    /// | bytes | field |
    /// |---|---|
    /// | 8 | `DAYSEAL1` |
    /// | 4 + n | the partition's text form: length, then UTF-8 |
    /// | 8 | the count of events |
    /// | 32 | the root |
    /// | 1, then 8 if 1 | the first event's time: whether there is one, then microseconds since 1970 |
    /// | 1, then 8 if 1 | the last event's time |
    /// | 1, then 32 if 1 | the previous partition's root |
    /// | 4, then entries | the losses: their number, then for each what the next table says |
    /// | 4 + n | the public key |
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
    /// Numbers are little-endian; lengths and the number of losses have four bytes.
    public var canonicalBytes: [UInt8] {
        var bytes = Array("DAYSEAL1".utf8)
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        func append(counted content: some Collection<UInt8>) {
            append(UInt32(content.count))
            bytes.append(contentsOf: content)
        }
        func append(_ instant: EventInstant?) {
            bytes.append(instant == nil ? 0 : 1)
            if let instant { append(instant.microseconds) }
        }
        append(counted: partition.value.utf8)
        append(count)
        bytes.append(contentsOf: root.bytes)
        append(first)
        append(last)
        bytes.append(previousRoot == nil ? 0 : 1)
        if let previousRoot { bytes.append(contentsOf: previousRoot.bytes) }
        append(UInt32(losses.count))
        for loss in losses {
            append(counted: loss.reason.rawValue.utf8)
            append(loss.count)
            append(loss.noticed.microseconds)
            append(loss.first)
            append(loss.last)
            bytes.append(loss.partition == nil ? 0 : 1)
            if let partition = loss.partition { append(counted: partition.value.utf8) }
            bytes.append(loss.sequences == nil ? 0 : 1)
            if let sequences = loss.sequences {
                append(sequences.lowerBound)
                append(sequences.upperBound)
            }
            bytes.append(loss.root == nil ? 0 : 1)
            if let root = loss.root { bytes.append(contentsOf: root.bytes) }
        }
        append(counted: publicKey)
        return bytes
    }

    /// Checks that the signature belongs to the fields and to ``publicKey``.
    ///
    /// Whether that key is the device's own is for the caller to know.
    ///
    /// - Throws: ``ProofError/invalidSignature(partition:)`` when it does not.
    public func verifySignature() throws(ProofError) {
        let isValid = EdwardsSignature.isValid(signature, for: canonicalBytes, by: publicKey)
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

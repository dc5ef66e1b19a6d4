extension PartitionSeal {
    private enum CodingKeys: String, CodingKey {
        case partition, app, user, number, count, root, first, last, previousRoot
        case losses, ledgerPart, isLedgerContinued, publicKey, signature
    }

    /// Reads a seal; key and signature are hexadecimal digits.
    ///
    /// - Throws: `DecodingError` when a field is missing or has another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            partition: try container.decode(PartitionID.self, forKey: .partition),
            owner: try Self.owner(in: container),
            number: try container.decodeIfPresent(UInt64.self, forKey: .number),
            count: try container.decode(UInt64.self, forKey: .count),
            root: try container.decode(Digest.self, forKey: .root),
            first: try container.decodeIfPresent(EventInstant.self, forKey: .first),
            last: try container.decodeIfPresent(EventInstant.self, forKey: .last),
            previousRoot: try container.decodeIfPresent(Digest.self, forKey: .previousRoot),
            losses: try container.decode([LossEntry].self, forKey: .losses),
            ledgerPart: try container.decodeIfPresent(UInt32.self, forKey: .ledgerPart) ?? 0,
            isLedgerContinued: try container.decodeIfPresent(Bool.self, forKey: .isLedgerContinued) ?? false,
            publicKey: try Hexadecimal.bytes(.publicKey, in: container),
            signature: try Hexadecimal.bytes(.signature, in: container)
        )
    }

    /// Reads the owner; a seal of an earlier version has none, and none of the fields that came with it.
    private static func owner(in container: KeyedDecodingContainer<CodingKeys>) throws -> EventOwner? {
        guard container.contains(.app) else {
            for key in [CodingKeys.user, .number, .ledgerPart, .isLedgerContinued] where container.contains(key) {
                let reason = "A seal with this field says of which app and user it is."
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: reason)
            }
            return nil
        }
        return EventOwner(
            app: try container.decode(String.self, forKey: .app),
            user: try container.decode(String.self, forKey: .user)
        )
    }

    /// Writes a seal; key and signature as hexadecimal digits, which are read much sooner than lists of numbers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(partition, forKey: .partition)
        try container.encodeIfPresent(owner?.app, forKey: .app)
        try container.encodeIfPresent(owner?.user, forKey: .user)
        try container.encodeIfPresent(number, forKey: .number)
        try container.encode(count, forKey: .count)
        try container.encode(root, forKey: .root)
        try container.encodeIfPresent(first, forKey: .first)
        try container.encodeIfPresent(last, forKey: .last)
        try container.encodeIfPresent(previousRoot, forKey: .previousRoot)
        try container.encode(losses, forKey: .losses)
        if ledgerPart > 0 { try container.encode(ledgerPart, forKey: .ledgerPart) }
        if isLedgerContinued { try container.encode(true, forKey: .isLedgerContinued) }
        try container.encode(Hexadecimal.text(publicKey), forKey: .publicKey)
        try container.encode(Hexadecimal.text(signature), forKey: .signature)
    }
}

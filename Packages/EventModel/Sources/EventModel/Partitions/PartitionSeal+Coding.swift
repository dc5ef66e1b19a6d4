extension PartitionSeal {
    private enum CodingKeys: String, CodingKey {
        case partition, count, root, first, last, previousRoot, losses, publicKey, signature
    }

    /// Reads a seal; key and signature are hexadecimal digits.
    ///
    /// - Throws: `DecodingError` when a field is missing or has another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            partition: try container.decode(PartitionID.self, forKey: .partition),
            count: try container.decode(UInt64.self, forKey: .count),
            root: try container.decode(Digest.self, forKey: .root),
            first: try container.decodeIfPresent(EventInstant.self, forKey: .first),
            last: try container.decodeIfPresent(EventInstant.self, forKey: .last),
            previousRoot: try container.decodeIfPresent(Digest.self, forKey: .previousRoot),
            losses: try container.decode([LossEntry].self, forKey: .losses),
            publicKey: try Hexadecimal.bytes(.publicKey, in: container),
            signature: try Hexadecimal.bytes(.signature, in: container)
        )
    }

    /// Writes a seal; key and signature as hexadecimal digits, which are read much sooner than lists of numbers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(partition, forKey: .partition)
        try container.encode(count, forKey: .count)
        try container.encode(root, forKey: .root)
        try container.encodeIfPresent(first, forKey: .first)
        try container.encodeIfPresent(last, forKey: .last)
        try container.encodeIfPresent(previousRoot, forKey: .previousRoot)
        try container.encode(losses, forKey: .losses)
        try container.encode(Hexadecimal.text(publicKey), forKey: .publicKey)
        try container.encode(Hexadecimal.text(signature), forKey: .signature)
    }
}

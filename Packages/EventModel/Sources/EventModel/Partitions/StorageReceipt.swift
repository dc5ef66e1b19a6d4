/// What a server signs when it has stored a partition up to some event.
///
/// Whoever has the receipt and knows the server's key can show later that the server took exactly these events, also when
/// the device has deleted them and the server denies it.
public struct StorageReceipt: Sendable, Hashable {
    /// The id of the app that the server stored it for.
    public let app: String
    /// The user whose events they are.
    public let user: String
    /// The partition of which the server holds the first events.
    public let partition: PartitionID
    /// Every event with this sequence or a lower one was stored.
    public let durableThrough: UInt64
    /// The root that the server computed over these events.
    public let root: Digest
    /// Whether the server held the partition's seal, too.
    public let isSealed: Bool
    /// When the server signed it, by its own clock.
    public let issued: EventInstant
    /// The server's Ed25519 public key, 32 bytes, which is the key's only name.
    public let publicKey: [UInt8]
    /// The Ed25519 signature over ``canonicalBytes``, 64 bytes.
    public let signature: [UInt8]

    /// Creates a receipt from its parts; nothing of it is checked.
    public init(
        app: String,
        user: String,
        partition: PartitionID,
        durableThrough: UInt64,
        root: Digest,
        isSealed: Bool,
        issued: EventInstant,
        publicKey: [UInt8],
        signature: [UInt8]
    ) {
        self.app = app
        self.user = user
        self.partition = partition
        self.durableThrough = durableThrough
        self.root = root
        self.isSealed = isSealed
        self.issued = issued
        self.publicKey = publicKey
        self.signature = signature
    }

    /// The bytes that the signature is over: every field except the signature itself.
    ///
    /// | bytes | field |
    /// |---|---|
    /// | 8 | `DAYRCPT1` |
    /// | 4 + n | the app: length, then UTF-8 |
    /// | 4 + n | the user |
    /// | 4 + n | the partition's text form |
    /// | 8 | the sequence of the last stored event |
    /// | 32 | the root |
    /// | 1 | 1 when the seal is stored, else 0 |
    /// | 8 | when it was signed, in microseconds since 1970 |
    /// | 4 + n | the public key |
    ///
    /// Numbers are little-endian; lengths have four bytes.
    public var canonicalBytes: [UInt8] {
        var statement = SignedStatement("DAYRCPT1")
        statement.append(counted: app.utf8)
        statement.append(counted: user.utf8)
        statement.append(counted: partition.value.utf8)
        statement.append(durableThrough)
        statement.append(root)
        statement.append(UInt8(isSealed ? 1 : 0))
        statement.append(issued.microseconds)
        statement.append(counted: publicKey)
        return statement.bytes
    }
}

// MARK: - Codable

extension StorageReceipt: Codable {
    private enum Key: String, CodingKey {
        case app, user, partition, durableThrough, root, isSealed, issued, publicKey, signature
    }

    /// Reads a receipt; nothing of it is checked but its form.
    ///
    /// - Throws: `DecodingError` when a field is missing or has another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            app: try container.decode(String.self, forKey: .app),
            user: try container.decode(String.self, forKey: .user),
            partition: try container.decode(PartitionID.self, forKey: .partition),
            durableThrough: try container.decode(UInt64.self, forKey: .durableThrough),
            root: try container.decode(Digest.self, forKey: .root),
            isSealed: try container.decode(Bool.self, forKey: .isSealed),
            issued: try EventInstant(text: .issued, in: container),
            publicKey: try Hexadecimal.bytes(.publicKey, in: container),
            signature: try Hexadecimal.bytes(.signature, in: container)
        )
    }

    /// Writes a receipt: key and signature as hexadecimal digits, the time in ISO 8601.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(app, forKey: .app)
        try container.encode(user, forKey: .user)
        try container.encode(partition, forKey: .partition)
        try container.encode(durableThrough, forKey: .durableThrough)
        try container.encode(root, forKey: .root)
        try container.encode(isSealed, forKey: .isSealed)
        try container.encode(issued.description, forKey: .issued)
        try container.encode(Hexadecimal.text(publicKey), forKey: .publicKey)
        try container.encode(Hexadecimal.text(signature), forKey: .signature)
    }
}

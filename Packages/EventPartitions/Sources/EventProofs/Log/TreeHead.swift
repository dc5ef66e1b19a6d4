public import EventModel

/// What a server signs of its whole log: how many partitions were sealed, and the root over them.
///
/// Whoever keeps one can check any later one against it by a ``ConsistencyProof``: nothing in front was changed or removed.
public struct TreeHead: Sendable, Hashable {
    /// The number of entries.
    public let size: UInt64
    /// The root over them.
    public let root: Digest
    /// When the server signed it, by its own clock.
    public let issued: EventInstant
    /// The server's Ed25519 public key, 32 bytes.
    public let publicKey: [UInt8]
    /// The Ed25519 signature over ``canonicalBytes``, 64 bytes.
    public let signature: [UInt8]

    /// Creates a head from its parts; nothing of it is checked.
    public init(size: UInt64, root: Digest, issued: EventInstant, publicKey: [UInt8], signature: [UInt8]) {
        self.size = size
        self.root = root
        self.issued = issued
        self.publicKey = publicKey
        self.signature = signature
    }

    /// The bytes that the signature is over: every field except the signature itself.
    ///
    /// | bytes | field |
    /// |---|---|
    /// | 8 | `DAYHEAD1` |
    /// | 8 | the number of entries |
    /// | 32 | the root |
    /// | 8 | when it was signed, in microseconds since 1970 |
    /// | 4 + n | the public key: length, then bytes |
    ///
    /// Numbers are little-endian; lengths have four bytes.
    public var canonicalBytes: [UInt8] {
        var statement = SignedStatement("DAYHEAD1")
        statement.append(size)
        statement.append(root)
        statement.append(issued.microseconds)
        statement.append(counted: publicKey)
        return statement.bytes
    }

    /// Checks that the signature belongs to the fields and to ``publicKey``.
    ///
    /// Whether that key is the server's own is for the caller to know.
    ///
    /// - Throws: ``ProofError/invalidTreeHead(size:)`` when it does not.
    public func verifySignature() throws(ProofError) {
        guard EdwardsSignature.isValid(signature, for: canonicalBytes, by: publicKey) else {
            throw .invalidTreeHead(size: size)
        }
    }
}

// MARK: - Codable

extension TreeHead: Codable {
    private enum Key: String, CodingKey {
        case size, root, issued, publicKey, signature
    }

    /// Reads a head; nothing of it is checked but its form.
    ///
    /// - Throws: `DecodingError` when a field is missing or has another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            size: try container.decode(UInt64.self, forKey: .size),
            root: try container.decode(Digest.self, forKey: .root),
            issued: try EventInstant(text: .issued, in: container),
            publicKey: try Hexadecimal.bytes(.publicKey, in: container),
            signature: try Hexadecimal.bytes(.signature, in: container)
        )
    }

    /// Writes a head: key and signature as hexadecimal digits, the time in ISO 8601.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(size, forKey: .size)
        try container.encode(root, forKey: .root)
        try container.encode(issued.description, forKey: .issued)
        try container.encode(Hexadecimal.text(publicKey), forKey: .publicKey)
        try container.encode(Hexadecimal.text(signature), forKey: .signature)
    }
}

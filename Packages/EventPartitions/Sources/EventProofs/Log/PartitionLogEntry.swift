public import EventModel

/// What a server's log says of one sealed partition: a leaf of a tree that only ever grows.
public struct PartitionLogEntry: Sendable, Hashable {
    /// The place in the log, from 0.
    public let index: UInt64
    /// The id of the app, as the server knew it when it stored the seal.
    public let app: String
    /// The id of the user whose partition it is.
    public let user: String
    /// When the server received the seal, by its own clock.
    public let received: EventInstant
    /// The seal: the partition with its count, its root, the root before it, its losses and the device's key.
    public let seal: PartitionSeal

    /// Creates an entry from its parts.
    public init(index: UInt64, app: String, user: String, received: EventInstant, seal: PartitionSeal) {
        self.index = index
        self.app = app
        self.user = user
        self.received = received
        self.seal = seal
    }

    /// Whose partition it is, as the server knew it.
    public var owner: EventOwner { EventOwner(app: app, user: user) }

    /// The partition that was sealed.
    public var partition: PartitionID { seal.partition }

    /// The bytes of the leaf: everything but the place.
    ///
    /// | bytes | field |
    /// |---|---|
    /// | 8 | `DAYLOGE1` |
    /// | 4 + n | the app: length, then UTF-8 |
    /// | 4 + n | the user |
    /// | 8 | when the seal was received, in microseconds since 1970 |
    /// | 4 + n | `PartitionSeal.canonicalBytes` |
    /// | 4 + n | the seal's signature |
    ///
    /// Numbers are little-endian; lengths have four bytes.
    public var canonicalBytes: [UInt8] {
        var statement = SignedStatement("DAYLOGE1")
        statement.append(counted: app.utf8)
        statement.append(counted: user.utf8)
        statement.append(received.microseconds)
        statement.append(counted: seal.canonicalBytes)
        statement.append(counted: seal.signature)
        return statement.bytes
    }

    /// Reads the bytes of a leaf; no signature is checked.
    ///
    /// ```swift
    /// let entry = try PartitionLogEntry(index: 7, canonicalBytes: Array(reader.entry(at: 7)))
    /// ```
    /// - Parameters:
    ///   - index: The place in the log, which the bytes do not have.
    ///   - bytes: What ``canonicalBytes`` has, such as an entry of a bundle, or the extra data of a ``LogProof``.
    /// - Throws: ``ProofError/malformedLogEntry(reason:)`` when they are not those of an entry.
    public init(index: UInt64, canonicalBytes bytes: [UInt8]) throws(ProofError) {
        var reader = StatementReader(bytes)
        guard try reader.kind() == "DAYLOGE1" else {
            throw .malformedLogEntry(reason: "it is of a kind that is not known")
        }
        let (app, user, received) = (try reader.text(), try reader.text(), try reader.instant())
        let sealed = try reader.counted()
        let seal = try PartitionSeal(canonicalBytes: sealed, signature: reader.counted())
        self.init(index: index, app: app, user: user, received: received, seal: seal)
        guard reader.isAtEnd else { throw .malformedLogEntry(reason: "there is more behind it") }
    }

    /// The hash of the leaf.
    public var leaf: Digest { MerkleHash.leaf(canonicalBytes) }
}

// MARK: - Codable

extension PartitionLogEntry: Codable {
    private enum Key: String, CodingKey {
        case index, app, user, received, seal
    }

    /// Reads an entry; nothing of it is checked but its form.
    ///
    /// - Throws: `DecodingError` when a field is missing or has another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            index: try container.decode(UInt64.self, forKey: .index),
            app: try container.decode(String.self, forKey: .app),
            user: try container.decode(String.self, forKey: .user),
            received: try EventInstant(text: .received, in: container),
            seal: try container.decode(PartitionSeal.self, forKey: .seal)
        )
    }

    /// Writes an entry, its time in ISO 8601.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(index, forKey: .index)
        try container.encode(app, forKey: .app)
        try container.encode(user, forKey: .user)
        try container.encode(received.description, forKey: .received)
        try container.encode(seal, forKey: .seal)
    }
}

import AuditModel
public import EventModel
import EventProofs

/// A key of a device that is not believed from a time on, as a server says.
public struct RevokedKey: Sendable, Hashable {
    /// Whose device it is.
    public let owner: EventOwner
    /// The public key: 32 bytes of Ed25519, or 33 of P-256.
    public let publicKey: [UInt8]
    /// The time of receipt from which its seals are not believed.
    public let since: EventInstant
    /// Why, in an administrator's words.
    public let reason: String

    /// Describes a key.
    public init(owner: EventOwner, publicKey: [UInt8], since: EventInstant, reason: String) {
        self.owner = owner
        self.publicKey = publicKey
        self.since = since
        self.reason = reason
    }

    /// Returns whether a partition of somebody was sealed with the key, whenever that was.
    func sealed(_ seal: PartitionSeal, of owner: EventOwner?) -> Bool {
        owner == self.owner && seal.publicKey == publicKey
    }

    /// Returns whether an entry was sealed with the key when it was revoked.
    func isAgainst(_ entry: PartitionLogEntry) -> Bool {
        sealed(entry.seal, of: entry.owner) && entry.received >= since
    }

    /// Says that an entry was sealed with the key when it was revoked; nil when it was not.
    func problem(of entry: PartitionLogEntry) -> String? {
        guard isAgainst(entry) else { return nil }
        return
            "Partition \(entry.partition) was received at \(entry.received), sealed with a key that was revoked as of \(since)."
    }
}

extension RevokedKey: Codable {
    private enum CodingKeys: String, CodingKey {
        case app, user, publicKey, since, reason
    }

    /// Reads what an export says of a key.
    ///
    /// - Throws: `DecodingError` when a field is missing or has another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        owner = EventOwner(
            app: try container.decode(String.self, forKey: .app),
            user: try container.decode(String.self, forKey: .user)
        )
        publicKey = try Hexadecimal.bytes(.publicKey, in: container)
        since = try EventInstant(text: .since, in: container)
        reason = try container.decode(String.self, forKey: .reason)
    }

    /// Writes the key as hexadecimal digits and the time in ISO 8601.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(owner.app, forKey: .app)
        try container.encode(owner.user, forKey: .user)
        try container.encode(Hexadecimal.text(publicKey), forKey: .publicKey)
        try container.encode(since.description, forKey: .since)
        try container.encode(reason, forKey: .reason)
    }
}

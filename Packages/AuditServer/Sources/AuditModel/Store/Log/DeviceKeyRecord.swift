public import EventModel

/// A device's key as the log knows it: since the first seal that it signed for a user.
public struct DeviceKeyRecord: Sendable, Hashable {
    /// The app.
    public let app: String
    /// The user.
    public let user: String
    /// The public key: 32 bytes of Ed25519, or 33 of P-256.
    public let publicKey: [UInt8]
    /// When the first seal was received.
    public let firstSeen: EventInstant
    /// When the last seal was received.
    public let lastSeen: EventInstant
    /// How many partitions it sealed.
    public let partitions: UInt64
    /// The place of the first of them in the log, which the Merkle tree proves.
    public let firstEntry: UInt64
    /// Another key, whose partition a partition of this one follows; nil when there is none, as it should be.
    public let replaced: [UInt8]?

    /// Creates a record.
    public init(
        owner: EventOwner,
        publicKey: [UInt8],
        firstSeen: EventInstant,
        lastSeen: EventInstant,
        partitions: UInt64,
        firstEntry: UInt64,
        replaced: [UInt8]?
    ) {
        app = owner.app
        user = owner.user
        self.publicKey = publicKey
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.partitions = partitions
        self.firstEntry = firstEntry
        self.replaced = replaced
    }
}

extension DeviceKeyRecord: Encodable {
    private enum Key: String, CodingKey {
        case app, user, publicKey, firstSeen, lastSeen, partitions, firstEntry, replaced
    }

    /// Writes the record: keys as hexadecimal digits, times in ISO 8601.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(app, forKey: .app)
        try container.encode(user, forKey: .user)
        try container.encode(Hexadecimal.text(publicKey), forKey: .publicKey)
        try container.encode(firstSeen.description, forKey: .firstSeen)
        try container.encode(lastSeen.description, forKey: .lastSeen)
        try container.encode(partitions, forKey: .partitions)
        try container.encode(firstEntry, forKey: .firstEntry)
        try container.encodeIfPresent(replaced.map { Hexadecimal.text($0) }, forKey: .replaced)
    }
}

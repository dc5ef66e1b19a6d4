package import AuditModel
package import EventModel
package import EventProofs

/// What an administrator says of the key of a device: that it is not to be believed from a time on, or that it is after all.
///
/// Nothing is refused because of it, so that nothing is lost: what such a key seals later is kept, and shown as what it is.
package struct KeyStatement: Sendable, Hashable, Codable {
    /// How many keys there may be statements about.
    package static let maximumCount = 10_000

    /// Whose device it is.
    package let name: DeviceKeyName
    /// The time of receipt from which its seals are not believed; nil when the key is believed again.
    package let revokedSince: EventInstant?
    /// Why.
    package let reason: String
    /// Who says so.
    package let author: Author

    package init(name: DeviceKeyName, revokedSince: EventInstant?, reason: String, author: Author) {
        self.name = name
        self.revokedSince = revokedSince
        self.reason = reason
        self.author = author
    }
}

/// A key that seals partitions of a user.
package struct DeviceKeyName: Sendable, Codable {
    /// The app.
    package let app: String
    /// The user.
    package let user: String
    /// The public key, 64 hexadecimal digits of Ed25519 or 66 of P-256.
    package let publicKey: String

    package init(owner: EventOwner, publicKey: [UInt8]) {
        app = owner.app
        user = owner.user
        self.publicKey = Hexadecimal.text(publicKey)
    }

    /// The key that sealed an entry of the log.
    package init(_ entry: PartitionLogEntry) {
        self.init(owner: entry.owner, publicKey: entry.seal.publicKey)
    }

    /// Who has it.
    package var owner: EventOwner { EventOwner(app: app, user: user) }
}

extension DeviceKeyName: Hashable {
    /// Compares the bytes, as owners do: a statement about one user is none about another whose name is spelled otherwise.
    package static func == (left: DeviceKeyName, right: DeviceKeyName) -> Bool {
        left.owner == right.owner && left.publicKey.hasSameBytes(as: right.publicKey)
    }

    package func hash(into hasher: inout Hasher) {
        owner.hash(into: &hasher)
        publicKey.hashBytes(into: &hasher)
    }
}

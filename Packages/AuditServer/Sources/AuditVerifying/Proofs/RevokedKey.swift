public import EventModel
import EventProofs

/// A key of a device that is not believed from a time on, as a server says.
public struct RevokedKey: Sendable, Hashable {
    /// Whose device it is.
    public let owner: EventOwner
    /// The public key, 32 bytes.
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

    /// Says that an entry was sealed with the key when it was revoked; nil when it was not.
    func problem(of entry: PartitionLogEntry) -> String? {
        guard entry.owner == owner, entry.seal.publicKey == publicKey, entry.received >= since else { return nil }
        return
            "Partition \(entry.partition) was received at \(entry.received), sealed with a key that was revoked as of \(since)."
    }
}

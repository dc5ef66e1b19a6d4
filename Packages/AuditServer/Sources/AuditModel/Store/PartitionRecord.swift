public import EventModel

/// What the server keeps of a partition beside its events.
public struct PartitionRecord: Sendable, Hashable, Codable {
    /// The partition.
    public let partition: PartitionID
    /// The app.
    public let app: String
    /// The user.
    public let user: String
    /// How many events are stored.
    public let count: UInt64
    /// The root over them, as computed when they arrived.
    public let root: Digest
    /// The seal, once it arrived.
    public let seal: PartitionSeal?
    /// When the last stretch was received.
    public let received: EventInstant

    /// Creates a record.
    public init(
        partition: PartitionID,
        owner: EventOwner,
        count: UInt64,
        root: Digest,
        seal: PartitionSeal?,
        received: EventInstant
    ) {
        self.partition = partition
        app = owner.app
        user = owner.user
        self.count = count
        self.root = root
        self.seal = seal
        self.received = received
    }

    /// Whose partition it is.
    public var owner: EventOwner { EventOwner(app: app, user: user) }

    /// The proof that the owner gets.
    public var proof: DurabilityProof {
        DurabilityProof(partition: partition, durableThrough: count, root: root, isSealed: seal != nil)
    }
}

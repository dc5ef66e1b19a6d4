public import EventModel
import EventProofs

/// An event as a store gives it back, with what the server added.
public struct StoredEvent: Sendable, Hashable {
    /// The partition.
    public let partition: PartitionID
    /// The place in the partition, from 1.
    public let sequence: UInt64
    /// Whose event it is; nil where only files are known.
    public let owner: EventOwner?
    /// The event, rebuilt from its columns; nil when it was erased, or the columns no longer make up an event.
    public let event: AuditEvent?
    /// The leaf hash that was stored when the event arrived; nil when it is no hash any more.
    public let leaf: Digest?
    /// When the server received it; nil where only files are known.
    public let received: EventInstant?
    /// What binds that time.
    public let mark: StretchMark
    /// Whether an event with this id was stored before: a recorder offered it twice, and it counts once.
    public let isRepeated: Bool
    /// The number of the erasure that took what the event said, see ``ErasureRecord``; nil when nothing did.
    public let erasure: Int64?
    /// The leaf hash of the whole event as it is now, where values of ``event`` are masked; nil where none are.
    public let maskedHash: Digest?

    /// Creates a stored event.
    public init(
        partition: PartitionID,
        sequence: UInt64,
        owner: EventOwner?,
        event: AuditEvent?,
        leaf: Digest?,
        received: EventInstant?,
        mark: StretchMark = .inside,
        isRepeated: Bool = false,
        erasure: Int64? = nil,
        maskedHash: Digest? = nil
    ) {
        self.partition = partition
        self.sequence = sequence
        self.owner = owner
        self.event = event
        self.leaf = leaf
        self.received = received
        self.mark = mark
        self.isRepeated = isRepeated
        self.erasure = erasure
        self.maskedHash = maskedHash
    }

    /// How many bytes its texts have: what bounds a page of events.
    ///
    /// - Complexity: O(*n*) in the entries of metadata.
    package var byteCount: Int {
        guard let event else { return 0 }
        let metadata = event.metadata.entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        return event.activity.utf8.count + (event.event?.utf8.count ?? 0) + (event.data?.count ?? 0) + metadata
    }

    /// Whether values of ``event`` are masked.
    public var isMasked: Bool { maskedHash != nil }

    /// The leaf hash of the whole event as it is now; nil when the columns no longer make up an event.
    ///
    /// - Complexity: O(*n*) in the bytes of the event.
    public var contentHash: Digest? { maskedHash ?? event.map { MerkleHash.leaf($0.encoded) } }
}

public import EventModel
import EventProofs

/// A stretch of a partition, decoded, checked and hashed: what a store is asked to accept.
public struct EventUpload: Sendable {
    /// The largest number of bytes that the body of an upload may have.
    ///
    /// 16 MiB and one byte, so that an event of exactly 16 MiB is a matter of the recorder's own limit.
    public static let maximumBytes = 16_777_217

    /// Who sent it.
    public let owner: EventOwner
    /// The partition.
    public let partition: PartitionID
    /// The sequence of the first event; the first of a partition is 1.
    public let firstSequence: UInt64
    /// The events.
    public let events: [AuditEvent]
    /// The leaf hash of each event.
    public let leaves: [Digest]
    /// The client's root at the last event.
    public let root: Digest
    /// The seal, whose signature was checked, when the stretch ends a partition.
    public let seal: PartitionSeal?
    /// When the server received it.
    public let received: EventInstant
    /// How far the partition is durable once this is stored, with the server's receipt; without one when there is nothing in it.
    public let proof: DurabilityProof
    /// Whether the collection and missing metadata columns are made for it, as Development Mode does.
    public let extendsSchema: Bool
    /// Up to how many metadata columns of the app it adds some; as many as a collection may have by default.
    public let columnLimit: Int

    /// Decodes, checks and hashes a stretch that is there as a whole.
    ///
    /// - Parameters:
    ///   - stretch: What the device sent.
    ///   - owner: Who sent it.
    ///   - received: When it came.
    ///   - key: Signs the receipt, which is stored with the events.
    ///   - extendsSchema: Whether the collection and missing metadata columns are made; false by default.
    ///   - columnLimit: Up to how many metadata columns it adds some.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    /// - Throws: ``AuditServerError/rejected(reason:)`` when an event is malformed, or the seal is not for this partition or not
    ///   signed by its key; ``AuditServerError/refused(_:retryAfterSeconds:)`` when the seal was made for another owner, a name or the
    ///   metadata of an event is too long, or two of its metadata keys are the same text; and
    ///   ``AuditServerError/unavailable(reason:)`` when the receipt cannot be signed.
    public init(
        _ stretch: PartitionStretch,
        owner: EventOwner,
        received: EventInstant,
        signedBy key: SigningKey,
        extendsSchema: Bool = false,
        columnLimit: Int = EventSchema.maximumMetadataColumns
    ) throws(AuditServerError) {
        let events: [AuditEvent]
        do throws(EventModelError) {
            events = try stretch.events.decoded()
        } catch {
            throw .rejected(reason: "\(error)")
        }
        for event in events { try Self.check(event) }
        var leaves: [Digest] = []
        leaves.reserveCapacity(events.count)
        stretch.events.withEachEvent { leaves.append(MerkleHash.leaf($0)) }
        try self.init(
            stretch.partition,
            from: stretch.firstSequence,
            events,
            leaves,
            root: stretch.root,
            seal: stretch.seal,
            owner: owner,
            received: received,
            signedBy: key,
            extendsSchema: extendsSchema,
            columnLimit: columnLimit
        )
    }

    /// Takes over what has arrived as a whole.
    ///
    /// - Parameters:
    ///   - arrived: The body.
    ///   - owner: Who sent it.
    ///   - received: When it came.
    ///   - key: Signs the receipt, which is stored with the events.
    ///   - extendsSchema: Whether the collection and missing metadata columns are made; false by default.
    ///   - columnLimit: Up to how many metadata columns it adds some.
    /// - Throws: As for a stretch that is there as a whole, and ``AuditServerError/rejected(reason:)`` when a part of the body is missing.
    package init(
        _ arrived: consuming ArrivingUpload,
        owner: EventOwner,
        received: EventInstant,
        signedBy key: SigningKey,
        extendsSchema: Bool = false,
        columnLimit: Int = EventSchema.maximumMetadataColumns
    ) throws(AuditServerError) {
        let head = try arrived.finish()
        try self.init(
            head.partition,
            from: head.firstSequence,
            arrived.events,
            arrived.leaves,
            root: head.root,
            seal: head.seal,
            owner: owner,
            received: received,
            signedBy: key,
            extendsSchema: extendsSchema,
            columnLimit: columnLimit
        )
    }

    private init(
        _ partition: PartitionID,
        from firstSequence: UInt64,
        _ events: [AuditEvent],
        _ leaves: [Digest],
        root: Digest,
        seal: PartitionSeal?,
        owner: EventOwner,
        received: EventInstant,
        signedBy key: SigningKey,
        extendsSchema: Bool,
        columnLimit: Int
    ) throws(AuditServerError) {
        do {
            try PartitionID.checkPrefix(partition.prefix)
            try seal?.verifySignature()
        } catch {
            throw .rejected(reason: "\(error)")
        }
        guard seal.map({ $0.partition == partition }) ?? true else {
            throw .rejected(reason: "the seal is for another partition")
        }
        // Seals of earlier versions do not say whose they are.
        guard seal?.owner.map({ $0 == owner }) ?? true else { throw .refused(.foreignSeal) }
        // SQLite counts in 63 bits, and so does every partition that a device could ever fill.
        guard firstSequence >= 1, firstSequence <= UInt64(Int64.max) - UInt64(events.count) else {
            throw .rejected(reason: "the first sequence is out of range")
        }
        self.owner = owner
        self.partition = partition
        self.firstSequence = firstSequence
        self.events = events
        self.leaves = leaves
        self.root = root
        self.seal = seal
        self.received = received
        self.extendsSchema = extendsSchema
        self.columnLimit = columnLimit
        let proof = DurabilityProof(
            partition: partition,
            durableThrough: firstSequence + UInt64(events.count) - 1,
            root: root,
            isSealed: seal != nil
        )
        do {
            self.proof = try key.signed(proof, for: owner, at: received)
        } catch {
            throw .unavailable(reason: "a receipt cannot be signed: \(error)")
        }
    }

    /// The sequence of the last event; one less than ``firstSequence`` when there are none.
    public var lastSequence: UInt64 { firstSequence + UInt64(events.count) - 1 }

    /// What binds the time of receipt of an event once this is stored.
    package func mark(of index: Int) -> StretchMark {
        guard index == events.count - 1, let receipt = proof.receipt else { return .inside }
        return .end(StretchReceipt(receipt))
    }

    /// Applies the rules of recording again, because whoever speaks HTTP need not be our recorder.
    static func check(_ event: AuditEvent) throws(AuditServerError) {
        guard event.activity.utf8.count <= AuditEvent.maximumNameBytes,
            event.event?.utf8.count ?? 0 <= AuditEvent.maximumNameBytes
        else { throw .refused(.longName) }
        let metadata = event.metadata
        guard !metadata.entries.isEmpty else { return }
        guard metadata.byteCount <= EventMetadata.maximumBytes else { throw .refused(.longMetadata) }
        // TEXT: two keys that are one to Unicode are refused, because not everything that reads them tells them apart.
        var entries: [String: String] = [:]
        for entry in metadata.entries {
            guard entries.updateValue(entry.value, forKey: entry.key) == nil else { throw .refused(.twinKeys) }
        }
        do throws(EventModelError) {
            _ = try EventMetadata(entries)
        } catch {
            throw .rejected(reason: "\(error)")
        }
    }
}

public import AuditModel
public import EventModel
public import EventProofs

/// A device that records events into one partition and cuts stretches of it.
///
/// ```swift
/// var device = SampleDevice()
/// device.record(["Rounds", "Handover"])
/// let stretch = device.stretch(1...2)
/// ```
public struct SampleDevice: Sendable {
    /// The partition.
    public let partition: PartitionID
    /// All recorded events.
    public private(set) var events: [AuditEvent] = []
    /// The key that signs the seal.
    public let key: DeviceKey

    /// Creates a device.
    ///
    /// - Parameters:
    ///   - number: Tells partitions apart; a greater number is a newer partition.
    ///   - prefix: The prefix of the partition.
    ///   - algorithm: How it signs.
    public init(_ number: UInt32 = 1, prefix: String = "ward", signing algorithm: DeviceKeyAlgorithm = .ed25519) {
        key = DeviceKey(algorithm)
        partition = PartitionID(prefix: prefix, id: ObjectId(high: 7, low: number))
    }

    /// Records an event.
    public mutating func record(_ event: AuditEvent) {
        events.append(event)
    }

    /// Records an event for each activity.
    public mutating func record(_ activities: [String]) {
        for activity in activities { record(event(activity)) }
    }

    /// Makes the event that would come next; every third one is of a realm that syncs.
    public func event(
        _ activity: String,
        event: String? = "read",
        data: String? = #"{"value":[]}"#,
        metadata: EventMetadata = .empty
    ) -> AuditEvent {
        let number = UInt64(events.count + 1)
        return AuditEvent(
            id: ObjectId(high: partition.id.high << 8 | UInt64(partition.id.low), low: UInt32(number)),
            clock: ClockReading(
                wall: EventInstant(microseconds: 1_700_000_000_000_000 + Int64(number)),
                monotonicNanoseconds: number * 1000,
                boot: Boot(high: 1, low: 2)
            ),
            activity: activity,
            event: event,
            data: data.map { Array($0.utf8) },
            metadata: metadata,
            scopeCommitted: EventInstant(microseconds: 1_700_000_000_500_000),
            sync: number % 3 == 0 ? Self.place(number) : nil
        )
    }

    private static func place(_ number: UInt64) -> SyncReference {
        SyncReference(
            file: SyncReference.File(history: (1...16).map { UInt8($0) }, number: 2),
            position: Int(number) * 10,
            change: Int(number),
            changeCount: 1
        )
    }

    /// Returns an event as a local file gives it back: without whose it is, when it was received, and its leaf hash.
    public func stored(_ sequence: Int = 1) -> StoredEvent {
        StoredEvent(
            partition: partition,
            sequence: UInt64(sequence),
            owner: nil,
            event: events[sequence - 1],
            leaf: nil,
            received: nil
        )
    }

    /// The tree over the first events.
    public func frontier(through count: Int) -> MerkleFrontier {
        var frontier = MerkleFrontier()
        for event in events.prefix(count) { frontier.append(MerkleHash.leaf(event.encoded)) }
        return frontier
    }

    /// Cuts a stretch; without a range, of all events.
    public func stretch(_ sequences: ClosedRange<Int>, seal: PartitionSeal? = nil) -> PartitionStretch {
        PartitionStretch(
            partition: partition,
            firstSequence: UInt64(sequences.lowerBound),
            events: EncodedEvents(events[(sequences.lowerBound - 1)..<sequences.upperBound]),
            root: frontier(through: sequences.upperBound).root,
            seal: seal
        )
    }

    /// Signs a seal over the first events; without a count, over all.
    ///
    /// - Throws: Whatever the signing throws.
    public func seal(
        of owner: EventOwner = SampleDevice.owner,
        through count: Int? = nil,
        after previousRoot: Digest? = nil
    ) throws -> PartitionSeal {
        try signed(by: key, of: owner, through: count, after: previousRoot)
    }

    /// Signs a seal with another key.
    ///
    /// - Throws: Whatever the signing throws.
    public func signed(
        by key: DeviceKey,
        of owner: EventOwner = SampleDevice.owner,
        through count: Int? = nil,
        after previousRoot: Digest? = nil
    ) throws -> PartitionSeal {
        let count = count ?? events.count
        return try key.seal(
            partition,
            of: owner,
            over: frontier(through: count),
            first: events.first?.timestamp,
            last: count == 0 ? nil : events[count - 1].timestamp,
            previousRoot: previousRoot,
            losses: []
        )
    }

    /// Cuts and checks a stretch as the server does.
    ///
    /// - Throws: What `EventUpload` throws.
    public func upload(
        _ sequences: ClosedRange<Int>,
        owner: EventOwner = SampleDevice.owner,
        seal: PartitionSeal? = nil,
        extendsSchema: Bool = true,
        columnLimit: Int = EventSchema.maximumMetadataColumns
    ) throws -> EventUpload {
        try EventUpload(
            stretch(sequences, seal: seal),
            owner: owner,
            received: Self.received,
            signedBy: SampleDevice.serverKey,
            extendsSchema: extendsSchema,
            columnLimit: columnLimit
        )
    }

    /// What servers under test sign with.
    public static let serverKey: SigningKey = {
        do {
            return try SigningKey(SigningKey.makeKey())
        } catch {
            preconditionFailure("A key that was just made is well-formed.")
        }
    }()
    /// The owner of uploads where a test does not name another.
    public static let owner = EventOwner(app: "ward-app", user: "0000000000000000000000aa")
    /// When uploads are received where a test does not say otherwise.
    public static let received = EventInstant(microseconds: 1_700_000_001_000_000)
}

public import EventModel
public import EventProofs

/// Keeps uploaded events for good, and gives them back.
///
/// The seam lives here and not in EventModel because no app ever needs the words of the server's storage.
///
/// Safe to call from any task, also for one partition at once. Whatever is thrown is an ``AuditServerError``, or
/// `CancellationError` when the calling task was cancelled; nothing was stored then.
///
/// ## Implementing
///
/// A store writes a stretch in one transaction and answers after the commit has reached the disk. The rules of what is
/// accepted are in one place, `PartitionLedger`; a store loads it, asks it, and writes what it says. `EventStoreConformance` in
/// AuditServerTesting checks a store against this contract.
public protocol EventStore: KeepingStore {
    /// Stores a stretch, wholly or not at all, and returns how far its partition is durable.
    ///
    /// Idempotent for ever: events that are stored already are compared and not stored again. A stretch behind a gap
    /// stores nothing and returns where to resume. An event with the id of another one is stored and listed by
    /// ``conflicts(after:limit:)``.
    ///
    /// - Throws: ``AuditServerError`` with `forbidden` for somebody else's partition, `conflict` when an event, the
    ///   root or the seal differs from what is stored at its place, `invalidSchemaChange` when the app has no collection, or that
    ///   lacks a metadata column, and the upload may not extend the schema, and `unavailable` when the storage fails.
    func accept(_ upload: EventUpload) async throws -> DurabilityProof

    /// Stores what the server records itself, as ``accept(_:)`` does.
    ///
    /// Somebody waits for it who only reads. A store that waits for other machines does so for a bounded time, and throws
    /// `unavailable` then; it is not known whether the events are stored.
    func record(_ upload: EventUpload) async throws -> DurabilityProof

    /// Returns what is kept of a partition, or nil when nothing is.
    ///
    /// Whoever reads locks nothing and waits for no other machine.
    func partition(_ partition: PartitionID) async throws -> PartitionRecord?

    /// Returns what is kept of a partition, or nil, as durable as what ``accept(_:)`` returns: devices delete by it.
    ///
    /// - Throws: `unavailable` when the storage fails, or other machines do not confirm it in a bounded time.
    func acknowledgedPartition(_ partition: PartitionID) async throws -> PartitionRecord?

    /// Lists partitions by age.
    ///
    /// - Parameters:
    ///   - after: The last partition of the page before, or nil for the first page.
    ///   - limit: The largest number to return.
    ///   - maximumBytes: A bound for the seals of a page; the first partition is returned even if its seal is larger.
    /// - Returns: The partitions, the oldest first; none when there are no more.
    /// - Throws: `unavailable` when the storage fails.
    func partitions(after: PartitionID?, limit: Int, maximumBytes: Int) async throws -> [PartitionRecord]

    /// Lists events, partitions by age and events by sequence.
    ///
    /// - Parameters:
    ///   - filter: Which events.
    ///   - after: The cursor of the page before, or nil for the first page.
    ///   - limit: The largest number to return.
    ///   - maximumBytes: A bound for the texts of a page, payloads and all others; the first event is returned even if it is
    ///     larger.
    /// - Returns: The events, and where the next page starts.
    /// - Throws: `unavailable` when the storage fails.
    func events(_ filter: EventFilter, after: EventCursor?, limit: Int, maximumBytes: Int) async throws -> EventPage

    /// Lists the apps that have a collection, in the order of their bytes.
    ///
    /// - Throws: `unavailable` when the storage fails.
    func collections() async throws -> [String]

    /// Returns the metadata columns of an app's collection in the order in which they were added.
    ///
    /// - Returns: The columns, or nil when the app has no collection.
    /// - Throws: `unavailable` when the storage fails.
    func metadataColumns(of app: String) async throws -> [String]?

    /// Creates the collection of an app, and adds the metadata columns that it lacks, all or none of them.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - columns: Keys of metadata that `EventSchema.check(metadataColumns:)` accepts; those that are there stay.
    /// - Throws: `invalidSchemaChange` when there would be more than `EventSchema.maximumMetadataColumns`, and
    ///   `unavailable` when the storage fails.
    func extendCollection(of app: String, by columns: [String]) async throws

    /// Calls the closure with the tree over the log of sealed partitions, at one moment.
    ///
    /// A partition is entered in the transaction that stores its seal, so that the log and the partitions never differ.
    /// Entries are never changed or removed, and have no gaps, however many servers append.
    ///
    /// - Parameters:
    ///   - durably: Whether to wait until the whole log is as durable as what devices are told, for a bounded time; a signed
    ///     head needs it.
    ///   - body: Reads the tree, which is good for no longer.
    /// - Returns: What the closure returned.
    /// - Throws: `unavailable` when the storage fails, and what the closure throws.
    func withLog<T: Sendable>(
        durably: Bool,
        _ body: @escaping @Sendable (StoredMerkleTree<any Error>) throws -> T
    ) async throws -> T

    /// Lists the entries of the log from a place on.
    ///
    /// - Parameters:
    ///   - index: The place of the first.
    ///   - limit: The largest number to return.
    ///   - maximumBytes: A bound for the seals of a page; the first entry is returned even if its seal is larger.
    /// - Returns: The entries; none when there are no more.
    /// - Throws: `unavailable` when the storage fails.
    func logEntries(from index: UInt64, limit: Int, maximumBytes: Int) async throws -> [PartitionLogEntry]

    /// Returns the entry of a partition, or nil while it is not sealed.
    func logEntry(of partition: PartitionID) async throws -> PartitionLogEntry?

    /// Lists the keys that have signed seals, in the order in which they were first seen.
    ///
    /// - Parameters:
    ///   - index: The smallest ``DeviceKeyRecord/firstEntry`` to return.
    ///   - limit: The largest number to return.
    /// - Returns: The keys, each once for a user.
    /// - Throws: `unavailable` when the storage fails.
    /// - Complexity: O(*n*) in the entries of the log.
    func deviceKeys(from index: UInt64, limit: Int) async throws -> [DeviceKeyRecord]

    /// Returns events by where they lie, in the order of the addresses; one that is not there is left out.
    ///
    /// - Parameters:
    ///   - addresses: Where they lie.
    ///   - maximumBytes: A bound for the texts of all of them; the first event is returned even if it is larger.
    /// - Returns: The events, and how many of the addresses were looked at.
    /// - Throws: `unavailable` when the storage fails.
    /// - Complexity: O(*n*) in the addresses.
    func events(at addresses: [EventAddress], maximumBytes: Int) async throws -> AddressedEvents

    /// Returns the stored leaf hashes of a partition, in order.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - sequences: Which ones; those that are not stored are left out.
    /// - Returns: The hashes.
    /// - Throws: `unavailable` when the storage fails, or a hash is damaged.
    func leaves(of partition: PartitionID, _ sequences: ClosedRange<UInt64>) async throws -> [Digest]

    /// Returns the stored hashes of complete subtrees of a partition's tree, in the order of the nodes.
    ///
    /// - Parameters:
    ///   - nodes: Subtrees of events that are stored.
    ///   - partition: The partition.
    /// - Returns: The hashes.
    /// - Throws: `unavailable` when the storage fails, or a hash is missing or damaged.
    /// - Complexity: O(log *m*) for each, however many events *m* the partition has.
    func hashes(of nodes: [MerkleNode], in partition: PartitionID) async throws -> [Digest]

    /// Finds where the events with an id lie; an event that a recorder offered twice is found once.
    ///
    /// - Parameter id: The id.
    /// - Returns: The places, more than one when users of their own chose the same id.
    /// - Throws: `unavailable` when the storage fails.
    func addresses(of id: ObjectId) async throws -> [EventAddress]

    /// Finds the event that ends the stretch of an event: the first one from there on that has a mark of its own.
    ///
    /// - Parameter address: The event.
    /// - Returns: Where it is and its mark; nil when there is none.
    /// - Throws: `unavailable` when the storage fails.
    func stretchEnd(of address: EventAddress) async throws -> StretchEnd?

    /// Lists the events that came with an id that another event of their owner has, in the order of their arrival.
    ///
    /// - Parameters:
    ///   - number: The last conflict of the page before, or 0 for the first page.
    ///   - limit: The largest number to return.
    /// - Returns: The conflicts; none when there are no more.
    /// - Throws: `unavailable` when the storage fails.
    func conflicts(after number: Int64, limit: Int) async throws -> [EventConflict]

    /// Returns what is there of partitions, in their order.
    ///
    /// Read as it is now, without a lock, and also what is not as durable yet as what devices are told.
    ///
    /// - Throws: `unavailable` when the storage fails.
    /// - Complexity: O(*n*) in the events of these partitions, of which none is read.
    func holdings(of partitions: [PartitionID]) async throws -> [PartitionHolding]
}

/// How much of a listing of seals is read at once.
public enum SealPage {
    /// A bound for the seals of one page, in bytes as JSON: 1 MiB, which is a thousand of the usual size and sixteen of the largest.
    public static let maximumBytes = 1_048_576
}

extension EventStore {
    /// Lists partitions by age, with at most ``SealPage/maximumBytes`` of seals.
    ///
    /// - Throws: `unavailable` when the storage fails.
    public func partitions(after: PartitionID?, limit: Int) async throws -> [PartitionRecord] {
        try await partitions(after: after, limit: limit, maximumBytes: SealPage.maximumBytes)
    }

    /// Lists the entries of the log from a place on, with at most ``SealPage/maximumBytes`` of seals.
    ///
    /// - Throws: `unavailable` when the storage fails.
    public func logEntries(from index: UInt64, limit: Int) async throws -> [PartitionLogEntry] {
        try await logEntries(from: index, limit: limit, maximumBytes: SealPage.maximumBytes)
    }

    /// Stores it as everything else; a store that waits for other machines has its own.
    public func record(_ upload: EventUpload) async throws -> DurabilityProof { try await accept(upload) }

    /// Returns what is there; a store that waits for other machines has its own.
    public func acknowledgedPartition(_ partition: PartitionID) async throws -> PartitionRecord? {
        try await self.partition(partition)
    }

    /// Looks at every event; a store that can do better has its own.
    public func addresses(of id: ObjectId) async throws -> [EventAddress] {
        var found: [EventAddress] = []
        var cursor: EventCursor?
        repeat {
            let page = try await events(EventFilter(), after: cursor, limit: 1000, maximumBytes: 8_388_608)
            for stored in page.events where stored.event?.id == id {
                found.append(EventAddress(partition: stored.partition, sequence: stored.sequence))
            }
            cursor = page.next
        } while cursor != nil
        return found
    }

    /// Reads the events of the stretch; a store that can do better has its own.
    public func stretchEnd(of address: EventAddress) async throws -> StretchEnd? {
        var cursor: EventCursor? = EventCursor(partition: address.partition, sequence: max(1, address.sequence) - 1)
        while let after = cursor {
            let filter = EventFilter(partition: address.partition, includesRepeated: true)
            let page = try await events(filter, after: after, limit: 1000, maximumBytes: 8_388_608)
            if let end = page.events.first(where: { $0.mark != .inside }) {
                return StretchEnd(sequence: end.sequence, mark: end.mark)
            }
            cursor = page.next
        }
        return nil
    }

    /// Reads the events one by one; a store that can do better has its own.
    public func events(at addresses: [EventAddress], maximumBytes: Int) async throws -> AddressedEvents {
        var found = AddressedEvents()
        for address in addresses {
            guard address.sequence > 0 else {
                found.skip()
                continue
            }
            let page = try await events(
                EventFilter(partition: address.partition, includesRepeated: true),
                after: EventCursor(partition: address.partition, sequence: address.sequence - 1),
                limit: 1,
                maximumBytes: 1
            )
            guard let event = page.events.first, event.sequence == address.sequence else {
                found.skip()
                continue
            }
            guard found.append(event, maximumBytes: maximumBytes) else { break }
        }
        return found
    }

    /// Returns events by where they lie, whatever their size; for a few of them.
    ///
    /// - Throws: `unavailable` when the storage fails.
    public func events(at addresses: [EventAddress]) async throws -> [StoredEvent] {
        try await events(at: addresses, maximumBytes: .max).events
    }

    /// Reads the leaves with their events; a store that can do better has its own.
    public func leaves(of partition: PartitionID, _ sequences: ClosedRange<UInt64>) async throws -> [Digest] {
        var found: [Digest] = []
        var cursor: EventCursor? = EventCursor(partition: partition, sequence: max(1, sequences.lowerBound) - 1)
        while let after = cursor {
            let page = try await events(
                EventFilter(partition: partition, includesRepeated: true),
                after: after,
                limit: 1000,
                maximumBytes: 8_388_608
            )
            for event in page.events {
                guard event.sequence <= sequences.upperBound else { return found }
                guard let leaf = event.leaf else {
                    throw AuditServerError.unavailable(reason: "the leaf hash of an event is damaged")
                }
                found.append(leaf)
            }
            cursor = page.next
        }
        return found
    }
}

/// Events that were asked for by where they lie.
public struct AddressedEvents: Sendable, Hashable {
    /// The events that are there.
    public private(set) var events: [StoredEvent] = []
    /// How many of the addresses were looked at; with large events fewer than were asked for, and at least one.
    public private(set) var looked = 0
    private var byteCount = 0

    /// Creates the answer to a question that names no address.
    public init() {}

    /// Notes that nothing lies at the next address.
    public mutating func skip() { looked += 1 }

    /// Adds the event at the next address, unless there would be too many bytes.
    ///
    /// - Returns: Whether it was added.
    public mutating func append(_ event: StoredEvent, maximumBytes: Int) -> Bool {
        let (sum, isOverflow) = byteCount.addingReportingOverflow(event.byteCount)
        guard events.isEmpty || !isOverflow && sum <= maximumBytes else { return false }
        byteCount = sum
        events.append(event)
        looked += 1
        return true
    }

    /// Returns the same with other events in the place of these.
    package func map(_ body: (StoredEvent) -> StoredEvent) -> AddressedEvents {
        var other = self
        other.events = events.map(body)
        return other
    }
}

/// A part of a listing.
public struct EventPage: Sendable, Hashable {
    /// The events.
    public let events: [StoredEvent]
    /// Where the next page starts; nil when this is the last.
    public let next: EventCursor?

    /// Creates a page.
    public init(events: [StoredEvent], next: EventCursor?) {
        self.events = events
        self.next = next
    }
}

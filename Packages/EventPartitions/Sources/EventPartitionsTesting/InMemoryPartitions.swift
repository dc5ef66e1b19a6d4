public import EventModel
import EventPartitions
public import EventProofs
import Synchronization

/// Partitions in memory, with real roots and seals: what `PartitionedEventFiles` does, without a disk.
///
/// Quota, loss ledger, durability and closing are those of the files, and ``powerCut()`` plays what a level of durability
/// allows to be lost; what counts for the quota are the encodings of the events.
public final class InMemoryPartitions: EventSink {
    struct Partition {
        let id: PartitionID
        var events: [[UInt8]] = []
        var tree = MerkleTree()
        var first: EventInstant?
        var last: EventInstant?
        var seal: PartitionSeal?
        var acknowledgedThrough: UInt64 = 0
        var isSealAcknowledged = false
        var quarantineReason: String?
        var losses: [LossEntry] = []
        /// How many events and losses a power cut leaves.
        var synced = (events: 0, losses: 0)

        var byteCount: Int { events.reduce(0) { $0 + $1.count } }

        /// Whether the server has proven to hold every event and the seal.
        var isWhollyProven: Bool { seal != nil && isSealAcknowledged && acknowledgedThrough == tree.count }
    }

    struct State {
        var partitions: [Partition] = []
        var previousRoot: Digest?
        var isClosed = false
        /// How many want deletions to be noted.
        var notingCount = 0
        /// The ids of events that were deleted meanwhile.
        var deleted: Set<ObjectId> = []

        /// How much all partitions take.
        var byteCount: UInt64 { partitions.reduce(0) { $0 + UInt64($1.byteCount) } }

        /// Removes a partition.
        mutating func remove(_ partition: PartitionID) {
            guard let index = partitions.firstIndex(where: { $0.id == partition }) else { return }
            let removed = partitions.remove(at: index)
            if notingCount > 0 { deleted.formUnion(InMemoryPartitions.ids(of: removed)) }
        }

        /// Makes everything durable.
        mutating func synchronize() {
            for index in partitions.indices {
                partitions[index].synced = (partitions[index].events.count, partitions[index].losses.count)
            }
        }

        /// The place of the partition that is written to.
        var current: Int? { partitions.lastIndex { $0.seal == nil && $0.quarantineReason == nil } }
    }

    private let prefix: String
    private let eventBytes: Int
    private let partitionBytes: Int
    let quota: EventQuota
    let durability: EventDurability
    private let owner: EventOwner
    private let key: DeviceKey
    let clock: any EventClock
    private let ids: any ObjectIdSource
    let state = Mutex(State())

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of its partitions.
    ///   - owner: Whose events they are, which seals say.
    ///   - partitionBytes: The size of the encoded events in bytes that a partition does not grow beyond.
    ///   - eventBytes: The largest encoding of an event that is accepted, in bytes.
    ///   - quota: How much may wait, and what happens to more.
    ///   - durability: When events become durable; no time passes in memory, so an interval ends with
    ///     ``synchronize()`` alone.
    ///   - key: The key that signs seals.
    ///   - clock: Gives the time at which losses are noticed.
    ///   - ids: Gives the ids of partitions.
    public init(
        prefix: String = "memory",
        owner: EventOwner = EventOwner(app: "local", user: "local"),
        partitionBytes: Int = .max,
        eventBytes: Int = .max,
        quota: EventQuota = .unlimited,
        durability: EventDurability = .eachCommit,
        key: DeviceKey = DeviceKey(),
        clock: any EventClock = SystemClock(),
        ids: any ObjectIdSource = ObjectIdGenerator.system
    ) {
        self.prefix = prefix
        self.owner = owner
        self.partitionBytes =
            quota.policy == .dropOldest ? min(partitionBytes, Int(clamping: quota.bytes / 4)) : partitionBytes
        self.quota = quota
        self.durability = durability
        self.eventBytes = eventBytes
        self.key = key
        self.clock = clock
        self.ids = ids
    }

    /// Appends events; they are as durable as memory is when it returns.
    public func append(_ events: [AuditEvent]) throws -> AppendReceipt {
        try state.withLock { state in
            try checkOpen(state)
            var places: [AppendReceipt.Place] = []
            var rejections: [AppendReceipt.Rejection] = []
            for (index, event) in events.enumerated() {
                let bytes = event.encoded
                guard bytes.count <= eventBytes else {
                    rejections.append(.init(index: index, byteCount: bytes.count, limit: eventBytes))
                    continue
                }
                let isFull = rejections.contains { $0.reason == .quota }
                guard try !isFull && makeRoom(for: bytes.count, &state) else {
                    rejections.append(
                        .init(
                            index: index,
                            byteCount: bytes.count,
                            usedBytes: state.byteCount,
                            quota: quota.bytes
                        )
                    )
                    continue
                }
                let current = try place(for: bytes.count, &state)
                add(bytes, at: event.timestamp, to: &state.partitions[current])
                let partition = state.partitions[current].id
                let sequence = UInt64(state.partitions[current].events.count)
                if let last = places.last, last.partition == partition {
                    places[places.count - 1] = .init(
                        partition: partition,
                        sequences: last.sequences.lowerBound...sequence
                    )
                } else {
                    places.append(.init(partition: partition, sequences: sequence...sequence))
                }
            }
            for reason in [LossEntry.Reason.tooLarge, .quota] {
                let instants = rejections.filter { $0.reason == reason }.map { events[$0.index].timestamp }
                guard !instants.isEmpty else { continue }
                try enter(
                    LossEntry(
                        reason: reason,
                        count: UInt64(instants.count),
                        noticed: clock.now().wall,
                        first: instants.min(),
                        last: instants.max()
                    ),
                    &state
                )
            }
            if durability == .eachCommit { state.synchronize() }
            return AppendReceipt(places: places, rejections: rejections)
        }
    }

    /// Finds events that are in a partition, or were in one that was deleted while that was noted.
    public func storedEvents(among ids: [ClosedRange<ObjectId>]) throws -> Set<ObjectId> {
        state.withLock { state in
            let present = state.partitions.flatMap { Self.ids(of: $0) }
            return state.deleted.union(present).filter { id in ids.contains { $0.contains(id) } }
        }
    }

    /// Notes the events of what is deleted from now on, in memory.
    public func noteDeletions() -> DeletionNoting {
        state.withLock { $0.notingCount += 1 }
        return DeletionNoting { [self] in state.withLock { $0.notingCount -= 1 } }
    }

    static func ids(of partition: Partition) -> [ObjectId] {
        partition.events.compactMap { event in event.withUnsafeBytes { AuditEvent.id(ofEncoded: $0) } }
    }

    /// Seals the partition that is written to; every later call throws `PartitionError.closed`.
    ///
    /// - Throws: What the system's cryptography throws when it cannot sign.
    public func close() throws {
        try seal()
        state.withLock { $0.isClosed = true }
    }

    /// Closes the partition that is written to, if there is one.
    ///
    /// - Throws: What the system's cryptography throws when it cannot sign.
    public func seal() throws {
        try state.withLock { state in
            try checkOpen(state)
            guard let current = state.current else { return }
            try seal(current, &state)
        }
    }

    func checkOpen(_ state: State) throws {
        if state.isClosed { throw PartitionError.closed }
    }

    func place(for byteCount: Int, _ state: inout State) throws -> Int {
        if let current = state.current {
            let partition = state.partitions[current]
            guard partition.events.isEmpty || partition.byteCount + byteCount <= partitionBytes else {
                try seal(current, &state)
                return start(&state)
            }
            return current
        }
        return start(&state)
    }

    private func start(_ state: inout State) -> Int {
        state.partitions.append(Partition(id: PartitionID(prefix: prefix, id: ids.next())))
        return state.partitions.count - 1
    }

    private func add(_ bytes: [UInt8], at instant: EventInstant, to partition: inout Partition) {
        partition.events.append(bytes)
        partition.tree.append(MerkleHash.leaf(bytes))
        if partition.first == nil { partition.first = instant }
        partition.last = instant
    }

    func seal(_ index: Int, _ state: inout State) throws {
        let partition = state.partitions[index]
        var frontier = MerkleFrontier()
        for event in partition.events { frontier.append(MerkleHash.leaf(event)) }
        let seal = try key.seal(
            partition.id,
            of: owner,
            over: frontier,
            first: partition.first,
            last: partition.last,
            previousRoot: state.previousRoot,
            losses: partition.losses
        )
        state.partitions[index].seal = seal
        state.partitions[index].synced = (partition.events.count, partition.losses.count)
        state.previousRoot = seal.root
    }
}

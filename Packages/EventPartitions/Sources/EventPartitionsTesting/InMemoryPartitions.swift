public import EventModel
import EventPartitions
public import EventProofs
import Synchronization

/// Partitions in memory, with real roots and seals: what `PartitionedEventFiles` does, without a disk.
///
/// Quota, loss ledger, durability and closing are those of the files, and ``powerCut()`` plays what a level of durability
/// allows to be lost; what counts for the quota are the encodings of the events.
public final class InMemoryPartitions: EventSink, PartitionSource {
    private struct Partition {
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

    private struct State {
        var partitions: [Partition] = []
        var previousRoot: Digest?
        var isClosed = false
        /// How many want deletions to be noted.
        var notingCount = 0
        /// The ids of events that were deleted meanwhile.
        var deleted: Set<ObjectId> = []

        /// How much all partitions take.
        var byteCount: UInt64 { partitions.reduce(0) { $0 + UInt64($1.byteCount) } }

        /// Lets a partition go.
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
    private let quota: EventQuota
    private let durability: EventDurability
    private let owner: EventOwner
    private let key: DeviceKey
    private let clock: any EventClock
    private let ids: any ObjectIdSource
    private let state = Mutex(State())

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
    ///   - clock: Tells when losses are noticed.
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

    /// Enters losses in the ledger of the partition that is written to.
    public func note(_ losses: [LossEntry]) {
        state.withLock { state in
            for loss in losses where !state.isClosed { try? enter(loss, &state) }
            if durability == .eachCommit { state.synchronize() }
        }
    }

    /// Does nothing: whatever is lost is in the ledger already.
    public func enterLosses() {}

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

    private static func ids(of partition: Partition) -> [ObjectId] {
        partition.events.compactMap { event in event.withUnsafeBytes { AuditEvent.id(ofEncoded: $0) } }
    }

    /// Reads the loss ledger of all partitions.
    ///
    /// - Throws: `PartitionError.closed` after ``close()``.
    public func losses() throws -> [LossEntry] {
        try state.withLock { state in
            try checkOpen(state)
            return state.partitions.flatMap(\.losses)
        }
    }

    /// Makes durable what was appended without being so.
    ///
    /// - Throws: `PartitionError.closed` after ``close()``.
    public func synchronize() throws {
        try state.withLock { state in
            try checkOpen(state)
            state.synchronize()
        }
    }

    /// Plays a power cut: what is not durable is gone, and what remains is closed, as recovery would do it.
    ///
    /// - Throws: What the system's cryptography throws when it cannot sign.
    public func powerCut() throws {
        try state.withLock { state in
            for index in state.partitions.indices where state.partitions[index].seal == nil {
                let synced = state.partitions[index].synced
                let events = state.partitions[index].events.prefix(synced.events)
                state.partitions[index].events = Array(events)
                state.partitions[index].tree = MerkleTree(leaves: events.map { MerkleHash.leaf($0) })
                state.partitions[index].losses = Array(state.partitions[index].losses.prefix(synced.losses))
            }
            state.partitions.removeAll { $0.seal == nil && $0.events.isEmpty && $0.losses.isEmpty }
            if let current = state.current { try seal(current, &state) }
        }
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

    /// Lists the partitions, oldest first.
    public func partitions() throws -> [PartitionSummary] {
        try state.withLock { state in
            try checkOpen(state)
            // The upload must not be given events that a power cut may still take away.
            state.synchronize()
            return state.partitions.map { partition in
                PartitionSummary(
                    partition: partition.id,
                    count: partition.tree.count,
                    isSealed: partition.seal != nil,
                    acknowledgedThrough: partition.acknowledgedThrough,
                    byteCount: UInt64(partition.byteCount),
                    quarantineReason: partition.quarantineReason,
                    isSealAcknowledged: partition.isSealAcknowledged
                )
            }
        }
    }

    /// Reads events from a sequence on.
    public func read(
        _ partition: PartitionID,
        from sequence: UInt64,
        maximumBytes: Int
    ) throws -> PartitionStretch {
        try withPartition(partition) { stored in
            let count = stored.tree.count
            guard sequence >= 1, sequence <= count + 1 else {
                throw PartitionError.sequenceOutOfRange(partition, sequence: sequence, count: count)
            }
            var events = EncodedEvents()
            for event in stored.events[Int(sequence - 1)...] {
                guard events.isEmpty || events.bytes.count + event.count <= maximumBytes else { break }
                events.append(encoded: event)
            }
            let end = sequence - 1 + UInt64(events.count)
            return PartitionStretch(
                partition: partition,
                firstSequence: sequence,
                events: events,
                root: stored.tree.root(at: end),
                seal: end == count ? stored.seal : nil
            )
        }
    }

    /// Notes how far the server holds a partition, after comparing roots.
    public func acknowledge(_ proof: DurabilityProof) throws {
        try withPartition(proof.partition) { stored in
            let count = stored.tree.count
            guard proof.durableThrough <= count else {
                throw PartitionError.proofBeyondEnd(
                    proof.partition,
                    durableThrough: proof.durableThrough,
                    count: count
                )
            }
            let own = stored.tree.root(at: proof.durableThrough)
            guard own == proof.root else {
                throw PartitionError.rootMismatch(
                    proof.partition,
                    sequence: proof.durableThrough,
                    own: own,
                    proven: proof.root
                )
            }
            stored.acknowledgedThrough = proof.durableThrough
            stored.isSealAcknowledged = proof.isSealed && stored.seal != nil && proof.durableThrough == count
        }
    }

    /// Forgets a partition that is sealed and wholly acknowledged with its seal.
    public func delete(_ partition: PartitionID) throws {
        try withPartition(partition) { stored in
            guard stored.seal != nil else {
                throw PartitionError.notDeletable(partition, reason: "it is not sealed")
            }
            guard stored.acknowledgedThrough == stored.tree.count, stored.isSealAcknowledged else {
                throw PartitionError.notDeletable(partition, reason: "the server has not proven to hold all of it")
            }
        }
        state.withLock { $0.remove(partition) }
    }

    /// Keeps a partition aside.
    public func quarantine(_ partition: PartitionID, reason: String) throws {
        try withPartition(partition) { $0.quarantineReason = reason }
    }

    private func withPartition<Result>(
        _ partition: PartitionID,
        _ body: (inout Partition) throws -> Result
    ) throws -> Result {
        // The result may be built from the state alone, so it leaves the lock in a box of its own type.
        var result: Result?
        try state.withLock { state in
            try checkOpen(state)
            guard
                let index = state.partitions.firstIndex(where: { $0.id == partition && $0.quarantineReason == nil })
            else { throw PartitionError.unknownPartition(partition) }
            result = try body(&state.partitions[index])
        }
        guard let result else { preconditionFailure("The lock runs its body once.") }
        return result
    }

    private func checkOpen(_ state: State) throws {
        if state.isClosed { throw PartitionError.closed }
    }

    private func enter(_ loss: LossEntry, _ state: inout State) throws {
        let current = try place(for: 0, &state)
        state.partitions[current].losses.append(loss)
    }

    /// Finds out whether there is room, and drops the oldest closed partitions if the quota's policy says so.
    private func makeRoom(for byteCount: Int, _ state: inout State) throws -> Bool {
        while state.byteCount + UInt64(byteCount) > quota.bytes {
            guard quota.policy == .dropOldest else { return false }
            if !state.partitions.contains(where: { $0.seal != nil && !$0.events.isEmpty }), let current = state.current
            {
                try seal(current, &state)
            }
            let closed = state.partitions.filter { $0.seal != nil && $0.quarantineReason == nil && !$0.events.isEmpty }
            guard let oldest = closed.first(where: \.isWhollyProven) ?? closed.first else { return false }
            state.remove(oldest.id)
            if !oldest.isWhollyProven { try enterDrop(of: oldest, &state) }
        }
        return true
    }

    private func enterDrop(of oldest: Partition, _ state: inout State) throws {
        for loss in oldest.losses { try enter(loss, &state) }
        let proven = oldest.acknowledgedThrough
        try enter(
            LossEntry(
                reason: .quota,
                count: oldest.tree.count - proven,
                noticed: clock.now().wall,
                first: proven == 0 ? oldest.first : nil,
                last: oldest.last,
                partition: oldest.id,
                sequences: proven < oldest.tree.count ? (proven + 1)...oldest.tree.count : nil,
                root: oldest.tree.root
            ),
            &state
        )
    }

    private func place(for byteCount: Int, _ state: inout State) throws -> Int {
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

    private func seal(_ index: Int, _ state: inout State) throws {
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

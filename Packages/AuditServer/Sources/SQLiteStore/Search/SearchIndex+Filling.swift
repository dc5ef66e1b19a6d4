public import AuditModel
import EventModel
import GRDB
import Synchronization

extension SearchIndex {
    /// How many events are read and entered in one transaction, of as many partitions as it takes.
    private static let batch = 2000
    /// A bound for the payloads of a batch, in bytes.
    private static let batchBytes = 1_048_576
    /// A bound for the partitions of a batch.
    private static let batchPartitions = 500
    /// How many bytes of payload count as one event: what a large event costs, so that nobody's request pays for many of them.
    private static let bytesOfEvent = 2048

    /// Enters events that the store has and the index has not.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - maximumEvents: After how many events to leave the rest for another time; 2 KiB of payload count as one.
    /// - Returns: Whether the index has everything that the store had when it was asked.
    /// - Throws: `unavailable` when the store or the index fails, `CancellationError` when the task was cancelled: what was entered
    ///   until then stays.
    /// - Complexity: O(*n*) in the new events, and in all partitions the first time and after ``invalidate()``.
    @discardableResult
    public func refresh(from store: any EventReading, maximumEvents: Int) async throws -> Bool {
        try await filling.passUnlessCancelled {
            // A second time when the first finds that the index is of another store, and empties it.
            for _ in 0..<2 { try await sweepIfNeeded(store) }
            try await forget(from: store)
        }
        var left = maximumEvents
        let (changed, restarts) = state.withLock { ($0.changed, $0.restarts) }
        // The oldest first, so that events of one time are in the order of a listing.
        var waiting = Self.inOrder(changed)[...]
        // Slice by slice, between which others have their turn: nobody waits for all that somebody else enters.
        while left > 0, !waiting.isEmpty {
            let (some, budget) = (waiting, left)
            (waiting, left) = try await filling.passUnlessCancelled { try await fill(some, from: store, budget) }
        }
        // What is stored meanwhile, such as what the observer itself records, is for another time.
        return waiting.isEmpty && state.withLock { !$0.mustSweep && $0.restarts == restarts }
    }

    /// The partitions of auditors come first: what they say of alerts must be known before others are looked at.
    private static func inOrder(_ partitions: Set<PartitionID>) -> [PartitionID] {
        partitions.sorted { left, right in
            let (isFirst, isSecond) = (left.prefix == TrailEvent.prefix, right.prefix == TrailEvent.prefix)
            return isFirst == isSecond ? left < right : isFirst
        }
    }

    /// Looks for partitions that have other numbers of events than the index.
    private func sweepIfNeeded(_ store: any EventReading) async throws {
        guard state.withLock({ $0.mustSweep }) else { return }
        state.withLock { $0.mustSweep = false }
        do {
            var known = try await shelves()
            var last: PartitionID?
            repeat {
                let records = try await store.partitions(after: last, limit: 1000)
                for record in records {
                    let shelf = known.removeValue(forKey: ExactText(record.partition.value)) ?? ShelfState()
                    if shelf.count > Int64(record.count) { return try await restart() }
                    let lacksDevice = record.seal != nil && record.count > 0 && !shelf.hasDevice
                    if shelf.count < Int64(record.count) || lacksDevice { mustFill(record.partition) }
                }
                last = records.last?.partition
            } while last != nil
            // The store is not the one that the index was made of, or is an older copy of it.
            if !known.isEmpty { try await restart() }
        } catch {
            invalidate()
            throw error
        }
    }

    /// What the index has of a partition.
    private struct ShelfState: Sendable {
        var count: Int64 = 0
        var hasDevice = false
    }

    private func shelves() async throws -> [ExactText: ShelfState] {
        try await SQLiteFailure.naming {
            try await database.read { database in
                let rows = try Row.fetchCursor(database, sql: "SELECT value, count, device IS NOT NULL FROM Shelf")
                var shelves: [ExactText: ShelfState] = [:]
                while let row = try rows.next() {
                    shelves[ExactText(row[0] as String)] = ShelfState(count: row[1], hasDevice: row[2])
                }
                return shelves
            }
        }
    }

    private func restart() async throws {
        try await SQLiteFailure.naming { try await database.write(SearchIndexSchema.reset) }
        state.withLock { $0.restarts &+= 1 }
        invalidate()
    }

    /// Enters new events of the first partitions in one transaction.
    ///
    /// - Returns: The partitions that have more, and how many events may be entered still.
    private func fill(
        _ waiting: ArraySlice<PartitionID>,
        from store: any EventReading,
        _ budget: Int
    ) async throws -> (waiting: ArraySlice<PartitionID>, left: Int) {
        var waiting = waiting
        var taken: [PartitionID] = []
        do {
            let labels = state.withLock(\.labels)
            let arrived = try await gather(&waiting, from: store, limit: min(budget, Self.batch), &taken)
            guard !arrived.isEmpty else { return (waiting, budget) }
            try await SQLiteFailure.naming {
                try await database.write { database in
                    var batch = try SearchIndexBatch(labels, tallySize: tallySize, in: database)
                    for events in arrived { try batch.enter(events) }
                    try batch.finish()
                }
            }
            let cost = arrived.flatMap(\.events)
                .reduce(0) { $0 + max(1, ($1.event?.data?.count ?? 0) / Self.bytesOfEvent) }
            return (waiting, budget - cost)
        } catch {
            for partition in taken { mustFill(partition) }
            throw error
        }
    }

    /// Reads new events of the first partitions until there are enough.
    private func gather(
        _ waiting: inout ArraySlice<PartitionID>,
        from store: any EventReading,
        limit: Int,
        _ taken: inout [PartitionID]
    ) async throws -> [ArrivedEvents] {
        let observer = state.withLock { $0.observer }
        var arrived: [ArrivedEvents] = []
        var (events, bytes) = (0, 0)
        for (partition, shelf) in try await shelves(of: waiting.prefix(Self.batchPartitions)) {
            if events >= limit || bytes >= Self.batchBytes { break }
            // Forgotten first, so that what is stored meanwhile is noted again.
            state.withLock { _ = $0.changed.remove(partition) }
            taken.append(partition)
            let page = try await store.events(
                EventFilter(partition: partition, includesRepeated: true),
                after: EventCursor(partition: partition, sequence: UInt64(shelf.count)),
                limit: limit - events,
                maximumBytes: Self.batchBytes - bytes
            )
            if !page.events.isEmpty { try await observer?.willEnter(page.events) }
            let isSealed = page.next == nil && !shelf.hasDevice
            let seal = isSealed ? try await store.partition(partition)?.seal : nil
            if !page.events.isEmpty || seal != nil && shelf.count > 0 {
                arrived.append(ArrivedEvents(partition: partition, events: page.events, device: seal?.publicKey))
            }
            events += page.events.count
            bytes += page.events.reduce(0) { $0 + ($1.event?.data?.count ?? 0) }
            if page.next != nil {
                mustFill(partition)
                break
            }
            waiting.removeFirst()
        }
        return arrived
    }

    private func shelves(
        of partitions: ArraySlice<PartitionID>
    ) async throws -> [(partition: PartitionID, shelf: ShelfState)] {
        try await SQLiteFailure.naming {
            try await database.read { database in
                let shelf = try PreparedStatement(
                    "SELECT count, device IS NOT NULL FROM Shelf WHERE value = ?",
                    in: database
                )
                defer { shelf.reset() }
                return try partitions.map { partition in
                    shelf.reset()
                    try shelf.bind(partition.value, at: 1)
                    guard try shelf.step() else { return (partition, ShelfState()) }
                    return (partition, ShelfState(count: shelf.integer(0) ?? 0, hasDevice: shelf.integer(1) == 1))
                }
            }
        }
    }
}

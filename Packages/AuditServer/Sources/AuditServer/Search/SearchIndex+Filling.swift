import EventModel
import GRDB
import Synchronization

extension SearchIndex {
    /// How many events are read and entered at once.
    private static let batch = 1000
    /// A bound for the payloads of a batch, in bytes.
    private static let batchBytes = 1_048_576

    /// Enters events that the store has and the index has not.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - maximumEvents: After how many events to leave the rest for another time.
    /// - Returns: Whether the index has everything that the store had when it was asked.
    /// - Throws: `unavailable` when the store or the index fails.
    /// - Complexity: O(*n*) in the new events, and in all partitions the first time and after ``invalidate()``.
    @discardableResult
    public func refresh(from store: any EventStore, maximumEvents: Int = .max) async throws -> Bool {
        try await filling.pass {
            // A second time when the first finds that the index is of another store, and empties it.
            for _ in 0..<2 { try await sweepIfNeeded(store) }
            try await forget(from: store)
            var left = maximumEvents
            // The oldest first, so that events of one time are in the order of a listing.
            let observer = state.withLock { $0.observer }
            for partition in Self.inOrder(state.withLock { $0.changed }) where left > 0 {
                // Forgotten first, so that what is stored meanwhile is noted again.
                state.withLock { _ = $0.changed.remove(partition) }
                do {
                    if try await fill(partition, from: store, &left, observer) {
                        try await enterDevice(of: partition, from: store)
                    } else {
                        mustFill(partition)
                    }
                } catch {
                    mustFill(partition)
                    throw error
                }
            }
            return state.withLock { $0.changed.isEmpty && !$0.mustSweep }
        }
    }

    /// The partitions of auditors come first: what they say of alerts must be known before others are looked at.
    private static func inOrder(_ partitions: Set<PartitionID>) -> [PartitionID] {
        partitions.sorted { left, right in
            let (isFirst, isSecond) = (left.prefix == AuditTrail.prefix, right.prefix == AuditTrail.prefix)
            return isFirst == isSecond ? left < right : isFirst
        }
    }

    /// Looks for partitions that have other numbers of events than the index.
    private func sweepIfNeeded(_ store: any EventStore) async throws {
        guard state.withLock({ $0.mustSweep }) else { return }
        state.withLock { $0.mustSweep = false }
        do {
            var known = try await shelves()
            var last: PartitionID?
            repeat {
                let records = try await store.partitions(after: last, limit: 1000)
                for record in records {
                    let shelf = known.removeValue(forKey: record.partition.value) ?? ShelfState()
                    if shelf.count > Int64(record.count) { return try await restart() }
                    let lacksDevice = record.seal != nil && record.count > 0 && !shelf.hasDevice
                    if shelf.count < Int64(record.count) || lacksDevice { mustFill(record.partition) }
                }
                last = records.count == 1000 ? records.last?.partition : nil
            } while last != nil
            // The store is not the one that the index was made of, or is an older copy of it.
            if !known.isEmpty { try await restart() }
        } catch {
            invalidate()
            throw error
        }
    }

    /// What the index has of a partition.
    private struct ShelfState {
        var count: Int64 = 0
        var hasDevice = false
    }

    private func shelves() async throws -> [String: ShelfState] {
        try await SQLiteFailure.naming {
            try await database.read { database in
                let rows = try Row.fetchCursor(database, sql: "SELECT value, count, device IS NOT NULL FROM Shelf")
                var shelves: [String: ShelfState] = [:]
                while let row = try rows.next() { shelves[row[0]] = ShelfState(count: row[1], hasDevice: row[2]) }
                return shelves
            }
        }
    }

    private func restart() async throws {
        try await SQLiteFailure.naming { try await database.write(SearchIndexSchema.reset) }
        invalidate()
    }

    /// Enters new events of a partition; returns whether none are left.
    private func fill(
        _ partition: PartitionID,
        from store: any EventStore,
        _ left: inout Int,
        _ observer: (any ArrivalObserver)?
    ) async throws -> Bool {
        var count =
            try await SQLiteFailure.naming {
                try await database.read { database in
                    try Int64.fetchOne(
                        database,
                        sql: "SELECT count FROM Shelf WHERE value = ?",
                        arguments: [partition.value]
                    )
                }
            } ?? 0
        while left > 0 {
            let page = try await store.events(
                EventFilter(partition: partition, includesRepeated: true),
                after: EventCursor(partition: partition, sequence: UInt64(count)),
                limit: min(left, Self.batch),
                maximumBytes: Self.batchBytes
            )
            guard let last = page.events.last else { return true }
            try await observer?.willEnter(page.events)
            try await SQLiteFailure.naming {
                try await database.write { database in
                    var batch = try SearchIndexBatch(partition, in: database)
                    for event in page.events { try batch.enter(event) }
                    try batch.finish(count: Int64(last.sequence))
                }
            }
            left -= page.events.count
            count = Int64(last.sequence)
            if page.next == nil { return true }
        }
        return false
    }
}

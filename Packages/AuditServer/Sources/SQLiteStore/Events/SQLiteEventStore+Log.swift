public import AuditModel
public import EventModel
public import EventProofs
import GRDB

extension SQLiteEventStore {
    /// Calls the closure with the tree over the log; whatever can be read is on the disk.
    public func withLog<T: Sendable>(
        durably: Bool,
        _ body: @escaping @Sendable (StoredMerkleTree<any Error>) throws -> T
    ) async throws -> T {
        try await read { database in try body(SQLitePartitionLog(database: database).tree()) }
    }

    /// Lists the entries of the log from a place on.
    public func logEntries(
        from index: UInt64,
        limit: Int,
        maximumBytes: Int
    ) async throws -> [PartitionLogEntry] {
        try await read { database in
            try SQLitePartitionLog(database: database)
                .entries(
                    "WHERE position >= ? ORDER BY position LIMIT ?",
                    [Int64(clamping: index), limit],
                    maximumBytes: maximumBytes
                )
        }
    }

    /// Returns the entry of a partition, or nil.
    public func logEntry(of partition: PartitionID) async throws -> PartitionLogEntry? {
        try await read { database in
            try SQLitePartitionLog(database: database)
                .entries("WHERE partition = ?", [partition.value], maximumBytes: 0).first
        }
    }

    /// Returns what is there of partitions, at one moment.
    public func holdings(of partitions: [PartitionID]) async throws -> [PartitionHolding] {
        try await read { database in
            try partitions.map { partition in
                let record = try Self.records("WHERE value = ?", [partition.value], maximumBytes: 0, in: database).first
                let count = try Int64.fetchOne(
                    database,
                    sql: "SELECT count(*) FROM AuditEvent WHERE _partition = ?",
                    arguments: [partition.value]
                )
                return PartitionHolding(record: record, eventCount: UInt64(count ?? 0))
            }
        }
    }

    /// Lists the keys that have signed seals.
    public func deviceKeys(from index: UInt64, limit: Int) async throws -> [DeviceKeyRecord] {
        try await read { database in
            try SQLitePartitionLog(database: database).deviceKeys(from: index, limit: limit)
        }
    }
}

public import AuditModel
public import EventModel
public import EventProofs

extension PostgreSQLEventStore {
    /// Calls the closure with the tree over the log.
    ///
    /// Durably, it returns once the standbys have the whole log, or throws when they do not soon: a head that is signed must
    /// outlive a failover. A log that an acknowledged commit had, such as that of the last seal, is read and nothing more; of any
    /// other one commit is waited for by all who ask at the same time. Neither locks anything that a seal waits for.
    public func withLog<T: Sendable>(
        durably: Bool,
        _ body: @escaping @Sendable (StoredMerkleTree<any Error>) throws -> T
    ) async throws -> T {
        let read: T? = try await read { [confirmed] connection in
            let log = PostgreSQLPartitionLog(connection: connection)
            let head = try log.frontier()
            return !durably || confirmed.includes(head) ? try body(log.tree(head)) : nil
        }
        if let read { return read }
        let answer = try await PostgreSQLFailure.naming { try await confirming.run { try body($0) }.get() }
        guard let value = answer as? T else { preconditionFailure("The answer is what the question returned.") }
        return value
    }

    /// Lists the entries of the log from a place on.
    public func logEntries(
        from index: UInt64,
        limit: Int,
        maximumBytes: Int
    ) async throws -> [PartitionLogEntry] {
        try await read { connection in
            try PostgreSQLPartitionLog(connection: connection)
                .entries(
                    """
                    (
                        SELECT *, \(SealPage.sumOfBytes(orderedBy: "position")) AS bytes FROM (
                            SELECT * FROM PartitionLog WHERE position >= $1 ORDER BY position LIMIT $2
                        ) AS chunk
                    )
                    """,
                    "WHERE bytes <= $3 ORDER BY position",
                    [.bigint(Int64(clamping: index)), .bigint(Int64(max(0, limit))), .bigint(Int64(maximumBytes))]
                )
        }
    }

    /// Returns the entry of a partition, or nil.
    public func logEntry(of partition: PartitionID) async throws -> PartitionLogEntry? {
        try await read { connection in
            try PostgreSQLPartitionLog(connection: connection)
                .entries("PartitionLog", "WHERE partition = $1", [.text(partition.value)]).first
        }
    }

    /// Lists the keys that have signed seals.
    public func deviceKeys(from index: UInt64, limit: Int) async throws -> [DeviceKeyRecord] {
        try await read { connection in
            try PostgreSQLPartitionLog(connection: connection).deviceKeys(from: index, limit: limit)
        }
    }

    /// Returns what is there of partitions, in one round trip.
    public func holdings(of partitions: [PartitionID]) async throws -> [PartitionHolding] {
        guard !partitions.isEmpty else { return [] }
        let found = try await read { connection in
            let rows = try connection.rows(
                """
                SELECT \(PartitionRow.recordColumns), (
                    SELECT count(*) FROM AuditEvent WHERE daybook_month = month AND _partition = value
                ) FROM EventPartition JOIN EventOwner ON EventOwner.id = owner WHERE value = ANY ($1::text[])
                """,
                [.array(ofTexts: partitions.map(\.value))]
            )
            return try (0..<rows.count)
                .map { row in
                    guard let count = rows.integer(row, PartitionRow.columnBehind), count >= 0 else {
                        throw PostgreSQLFailure.damaged(what: "the row of a partition")
                    }
                    return PartitionHolding(record: try PartitionRow.record(rows, row), eventCount: UInt64(count))
                }
        }
        let byName = Dictionary(found.compactMap { holding in holding.record.map { ($0.partition, holding) } }) {
            first,
            _ in first
        }
        return partitions.map { byName[$0] ?? PartitionHolding(record: nil, eventCount: 0) }
    }
}

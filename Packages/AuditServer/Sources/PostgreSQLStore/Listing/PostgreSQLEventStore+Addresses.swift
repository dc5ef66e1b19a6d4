public import AuditModel
public import EventModel
public import EventProofs

extension PostgreSQLEventStore {
    /// Returns events by where they lie, in two round trips: the first one says how many of them fit.
    public func events(at addresses: [EventAddress], maximumBytes: Int) async throws -> AddressedEvents {
        guard !addresses.isEmpty else { return AddressedEvents() }
        return try await read { connection in
            let count =
                maximumBytes == .max
                ? addresses.count : try Self.fittingCount(addresses, maximumBytes, on: connection)
            let wanted = Array(addresses.prefix(count))
            let found = try Self.events(at: wanted, on: connection)
            var answer = AddressedEvents()
            for address in wanted {
                if let event = found[address] {
                    _ = answer.append(event, maximumBytes: .max)
                } else {
                    answer.skip()
                }
            }
            return answer
        }
    }

    /// Returns how many addresses, from the first on, have events of so many bytes together; at least one.
    private static func fittingCount(
        _ addresses: [EventAddress],
        _ maximumBytes: Int,
        on connection: PostgreSQLConnection
    ) throws -> Int {
        let rows = try connection.rows(
            """
            SELECT min(place) FROM (
                SELECT place, sum(bytes) OVER (ORDER BY place) AS total
                FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS wanted (name, number, place)
                JOIN EventPartition ON value = wanted.name
                CROSS JOIN LATERAL (
                    SELECT \(EventColumns.byteCount) AS bytes FROM AuditEvent
                    WHERE daybook_month = month AND _partition = value AND daybook_sequence = wanted.number OFFSET 0
                ) AS measured
            ) AS sums WHERE total > $3
            """,
            [
                .array(ofTexts: addresses.map(\.partition.value)),
                .array(ofNumbers: addresses.map { Int64(clamping: $0.sequence) }), .bigint(Int64(maximumBytes)),
            ]
        )
        guard let place = rows.integer(0, 0) else { return addresses.count }
        return max(1, Int(place) - 1)
    }

    private static func events(
        at addresses: [EventAddress],
        on connection: PostgreSQLConnection
    ) throws -> [EventAddress: StoredEvent] {
        // A subquery that nothing is pulled out of: each event is looked up by its key, whatever the planner guesses.
        let rows = try connection.rows(
            """
            SELECT found.*, value, app, userid
            FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS wanted (name, number, place)
            JOIN EventPartition ON value = wanted.name JOIN EventOwner ON EventOwner.id = owner
            CROSS JOIN LATERAL (
                SELECT \(EventColumns.selected) FROM AuditEvent
                WHERE daybook_month = month AND _partition = value AND daybook_sequence = wanted.number OFFSET 0
            ) AS found
            """,
            [
                .array(ofTexts: addresses.map(\.partition.value)),
                .array(ofNumbers: addresses.map { Int64(clamping: $0.sequence) }),
            ]
        )
        let last = rows.columnCount - 1
        var found: [EventAddress: StoredEvent] = [:]
        for row in 0..<rows.count {
            // Whatever makes a column unreadable, the partition itself as well, the answer is the same.
            guard
                let value = rows.text(row, last - 2), let partition = try? PartitionID(value),
                let app = rows.text(row, last - 1), let user = rows.text(row, last)
            else { throw PostgreSQLFailure.damaged(what: "the row of a partition") }
            let event = EventColumns.read(rows, row, partition: partition, owner: EventOwner(app: app, user: user))
            found[EventAddress(partition: partition, sequence: event.sequence)] = event
        }
        return found
    }

    /// Returns the stored leaf hashes of a partition, in one round trip and without the events.
    public func leaves(of partition: PartitionID, _ sequences: ClosedRange<UInt64>) async throws -> [Digest] {
        try await read { connection in
            try PostgreSQLStoredPartition(partition: partition, connection: connection).leaves(sequences)
        }
    }

    /// Returns the stored hashes of complete subtrees of a partition, in one round trip and perhaps one for a leaf.
    public func hashes(of nodes: [MerkleNode], in partition: PartitionID) async throws -> [Digest] {
        try await read { connection in
            try PostgreSQLStoredPartition(partition: partition, connection: connection).hashes(of: nodes)
        }
    }
}

extension SQLRows {
    /// Reads the first column as leaf hashes.
    func leaves() throws -> [Digest] {
        try (0..<count)
            .map { row in
                guard let leaf = bytes(row, 0).flatMap({ Digest($0) }) else {
                    throw PostgreSQLFailure.damaged(what: "the leaf hash of an event")
                }
                return leaf
            }
    }
}

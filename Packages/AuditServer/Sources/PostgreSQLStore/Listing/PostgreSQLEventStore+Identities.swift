public import AuditModel
public import EventModel

extension PostgreSQLEventStore {
    /// Finds where the events with an id lie.
    ///
    /// Selects the places of the events with an id.
    ///
    /// They are put in order in a subquery's wake: for an order with a limit the planner might walk along the primary key instead.
    static let placesOfID = """
        SELECT _partition, daybook_sequence FROM (
            SELECT _partition, daybook_sequence FROM AuditEvent WHERE _id = $1 AND NOT daybook_repeated OFFSET 0
        ) AS found ORDER BY _partition, daybook_sequence LIMIT 100
        """

    /// Finds where the events with an id lie.
    ///
    /// - Complexity: O(*m* log *n*) for months *m* and the events *n* of one.
    public func addresses(of id: ObjectId) async throws -> [EventAddress] {
        try await read { connection in
            let rows = try connection.rows(Self.placesOfID, [.text(id.stringValue)])
            return (0..<rows.count)
                .compactMap { row in
                    guard let partition = rows.text(row, 0).flatMap({ try? PartitionID($0) }),
                        let sequence = rows.integer(row, 1), sequence > 0
                    else { return nil }
                    return EventAddress(partition: partition, sequence: UInt64(sequence))
                }
        }
    }

    /// Finds the event that ends the stretch of an event.
    ///
    /// - Complexity: O(*n*) in the events of the stretch, of which none is read.
    public func stretchEnd(of address: EventAddress) async throws -> StretchEnd? {
        try await read { connection in
            let rows = try connection.rows(
                """
                SELECT found.* FROM EventPartition CROSS JOIN LATERAL (
                    SELECT daybook_sequence, daybook_receipt FROM AuditEvent
                    WHERE daybook_month = month AND _partition = value AND daybook_sequence >= $2
                        AND daybook_receipt IS NOT NULL
                    ORDER BY daybook_sequence LIMIT 1
                ) AS found WHERE value = $1
                """,
                [.text(address.partition.value), .bigint(Int64(clamping: address.sequence))]
            )
            guard rows.count > 0 else { return nil }
            guard let sequence = rows.integer(0, 0), sequence > 0 else {
                throw PostgreSQLFailure.damaged(what: "the row of an event")
            }
            return StretchEnd(
                sequence: UInt64(sequence),
                mark: rows.bytes(0, 1).map { StretchMark(bytes: $0) } ?? .damaged
            )
        }
    }

    /// Lists the events that came with an id that another event of their owner has.
    ///
    /// Of servers that store at the same time one may commit later what it numbered earlier; such a conflict is found by the
    /// next one who begins anew, as a server does when it starts.
    public func conflicts(after number: Int64, limit: Int) async throws -> [EventConflict] {
        try await read { connection in
            let rows = try connection.rows(
                """
                SELECT number, partition, sequence, app, userid, EventConflict.id, received
                FROM EventConflict JOIN EventOwner ON EventOwner.id = owner
                WHERE number > $1 ORDER BY number LIMIT $2
                """,
                [.bigint(number), .bigint(Int64(limit))]
            )
            return try (0..<rows.count)
                .map { row in
                    guard let number = rows.integer(row, 0),
                        let partition = rows.text(row, 1).flatMap({ try? PartitionID($0) }),
                        let sequence = rows.integer(row, 2), let app = rows.text(row, 3), let user = rows.text(row, 4),
                        let id = rows.text(row, 5).flatMap({ try? ObjectId(string: $0) }),
                        let received = rows.integer(row, 6)
                    else { throw PostgreSQLFailure.damaged(what: "the row of a conflict") }
                    return EventConflict(
                        number: number,
                        address: EventAddress(partition: partition, sequence: UInt64(sequence)),
                        owner: EventOwner(app: app, user: user),
                        id: id,
                        received: EventInstant(microseconds: received)
                    )
                }
        }
    }
}

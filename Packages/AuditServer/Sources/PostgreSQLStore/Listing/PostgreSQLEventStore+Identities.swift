public import AuditServer
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
}

public import AuditServer
public import EventModel

extension PostgreSQLEventStore {
    /// Finds where the events with an id lie.
    ///
    /// - Complexity: O(*n*) in the stored events, as their ids are told apart and not searched for.
    public func addresses(of id: ObjectId) async throws -> [EventAddress] {
        try await read { connection in
            let rows = try connection.rows(
                """
                SELECT _partition, daybook_sequence FROM AuditEvent WHERE _id = $1 AND NOT daybook_repeated
                ORDER BY _partition, daybook_sequence LIMIT 100
                """,
                [.text(id.stringValue)]
            )
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

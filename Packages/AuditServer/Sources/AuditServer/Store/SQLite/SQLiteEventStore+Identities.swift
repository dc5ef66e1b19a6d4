public import EventModel
import GRDB

extension SQLiteEventStore {
    /// Finds where the events with an id lie.
    ///
    /// - Complexity: O(*n* log *m*) for users *n* and events *m*: ids are told apart within the events of a user.
    public func addresses(of id: ObjectId) async throws -> [EventAddress] {
        try await read { database in
            // In this order SQLite looks into the index of ids once for each user.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT _partition, daybook_sequence FROM EventOwner CROSS JOIN AuditEvent
                    WHERE daybook_owner = EventOwner.id AND _id = ? AND daybook_repeated = 0
                    ORDER BY _partition, daybook_sequence LIMIT 100
                    """,
                arguments: [id.stringValue]
            )
            return rows.compactMap { row in
                guard let text = String.fromDatabaseValue(row[0]), let partition = try? PartitionID(text),
                    let sequence = Int64.fromDatabaseValue(row[1]), sequence > 0
                else { return nil }
                return EventAddress(partition: partition, sequence: UInt64(sequence))
            }
        }
    }
}

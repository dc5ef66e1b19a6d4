import EventModel
import GRDB

/// Reads one page of a listing, partition by partition.
struct SQLiteEventListing {
    let filter: EventFilter
    let limit: Int
    let maximumBytes: Int

    /// Reads the page behind a cursor, at one moment of the database.
    func page(after cursor: EventCursor?, in database: Database) throws -> EventPage {
        let columns = try MetadataColumns(database)
        let statement = try PreparedStatement(EventRow.selection(columns), in: database)
        defer { statement.reset() }
        var events: [StoredEvent] = []
        var byteCount = 0

        for record in try partitions(from: cursor?.partition, in: database) {
            let first = cursor.map { $0.partition == record.partition ? $0.sequence : 0 } ?? 0
            statement.reset()
            try statement.bind(record.partition.value, at: 1)
            try statement.bind(Int64(clamping: first), at: 2)
            while try statement.step() {
                let stored = EventRow.read(
                    statement,
                    partition: record.partition,
                    owner: record.owner,
                    columns: columns
                )
                guard filter.matches(stored) else { continue }
                byteCount += stored.event?.data?.count ?? 0
                if let last = events.last, events.count == limit || byteCount > maximumBytes {
                    let next = EventCursor(partition: last.partition, sequence: last.sequence)
                    return EventPage(events: events, next: next)
                }
                events.append(stored)
            }
        }
        return EventPage(events: events, next: nil)
    }

    private func partitions(from first: PartitionID?, in database: Database) throws -> [PartitionRecord] {
        if let partition = filter.partition {
            // A cursor behind the only partition leaves nothing to list.
            if let first, first > partition { return [] }
            return try SQLiteEventStore.records("WHERE value = ?", [partition.value], in: database)
        }
        return try SQLiteEventStore.records(
            "WHERE (Partition.id, prefix) >= (?, ?) ORDER BY Partition.id, prefix",
            [first?.id.stringValue ?? "", first?.prefix ?? ""],
            in: database
        )
    }
}

import EventModel
import GRDB

/// Reads one page of a listing, partition by partition.
struct SQLiteEventListing {
    let filter: EventFilter
    let limit: Int
    let maximumBytes: Int

    /// Reads the page behind a cursor, at one moment of the database.
    func page(after cursor: EventCursor?, in database: Database) throws -> EventPage {
        var readers: [String: (columns: MetadataColumns, statement: PreparedStatement)] = [:]
        defer { for reader in readers.values { reader.statement.reset() } }
        var events: [StoredEvent] = []
        var byteCount = 0

        for record in try partitions(from: cursor?.partition, in: database)
        where filter.includes(record) {
            let app = record.owner.app
            let (columns, statement) = try readers[app] ?? Self.reader(of: app, EventRow.selection, in: database)
            readers[app] = (columns, statement)
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

    /// Makes the statement that reads an app's events with its own columns.
    private static func reader(
        of app: String,
        _ selection: (MetadataColumns) -> String,
        in database: Database
    ) throws -> (columns: MetadataColumns, statement: PreparedStatement) {
        // Without a collection, which only somebody behind the server's back removes, the leaf hashes will not fit.
        let columns = try MetadataColumns.read(of: app, in: database) ?? MetadataColumns(app: app)
        return (columns, try PreparedStatement(selection(columns), in: database))
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

    /// Reads events by where they lie.
    static func events(at addresses: [EventAddress], in database: Database) throws -> [StoredEvent] {
        var owners: [PartitionID: EventOwner] = [:]
        var readers: [String: (columns: MetadataColumns, statement: PreparedStatement)] = [:]
        defer { for reader in readers.values { reader.statement.reset() } }
        var events: [StoredEvent] = []
        events.reserveCapacity(addresses.count)
        for address in addresses {
            let known = try owners[address.partition] ?? owner(of: address.partition, in: database)
            guard let owner = known else { continue }
            owners[address.partition] = owner
            let (columns, statement) =
                try readers[owner.app] ?? reader(of: owner.app, EventRow.selectionOfOne, in: database)
            readers[owner.app] = (columns, statement)
            statement.reset()
            try statement.bind(address.partition.value, at: 1)
            try statement.bind(Int64(clamping: address.sequence), at: 2)
            guard try statement.step() else { continue }
            events.append(
                EventRow.read(statement, partition: address.partition, owner: owner, columns: columns)
            )
        }
        return events
    }

    private static func owner(of partition: PartitionID, in database: Database) throws -> EventOwner? {
        try SQLiteEventStore.records("WHERE value = ?", [partition.value], in: database).first?.owner
    }
}

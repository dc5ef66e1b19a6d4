import AuditModel
import EventModel
import GRDB

/// Reads one page of a listing, partition by partition.
struct SQLiteEventListing {
    /// How many partitions are looked at, at once.
    private static let partitionChunk = 250

    let filter: EventFilter
    let limit: Int
    let maximumBytes: Int

    private struct Page {
        var events: [StoredEvent] = []
        var byteCount = 0
        var readers: [ExactText: (columns: MetadataColumns, statement: PreparedStatement)] = [:]
    }

    /// Reads the page behind a cursor, at one moment of the database.
    func page(after cursor: EventCursor?, in database: Database) throws -> EventPage {
        var page = Page()
        defer { for reader in page.readers.values { reader.statement.reset() } }
        var first = cursor?.partition
        var isFirstIncluded = true
        repeat {
            let records = try partitions(from: first, isIncluded: isFirstIncluded, in: database)
            for record in records where filter.includes(record) {
                let start = cursor.map { $0.partition == record.partition ? $0.sequence : 0 } ?? 0
                if let next = try append(record, from: start, to: &page, in: database) {
                    return EventPage(events: page.events, next: next)
                }
            }
            first = records.last?.partition
            isFirstIncluded = false
        } while filter.partition == nil && first != nil
        return EventPage(events: page.events, next: nil)
    }

    /// Appends events of a partition; returns where the next page starts once the page is full.
    private func append(
        _ record: PartitionRecord,
        from start: UInt64,
        to page: inout Page,
        in database: Database
    ) throws -> EventCursor? {
        let app = ExactText(record.owner.app)
        let (columns, statement) =
            try page.readers[app] ?? Self.reader(of: app.string, EventRow.selection, in: database)
        page.readers[app] = (columns, statement)
        statement.reset()
        try statement.bind(record.partition.value, at: 1)
        try statement.bind(Int64(clamping: start), at: 2)
        while try statement.step() {
            let stored = EventRow.read(
                statement,
                partition: record.partition,
                owner: record.owner,
                columns: columns
            )
            guard filter.matches(stored) else { continue }
            page.byteCount += stored.byteCount
            if let last = page.events.last, page.events.count >= limit || page.byteCount > maximumBytes {
                return EventCursor(partition: last.partition, sequence: last.sequence)
            }
            page.events.append(stored)
        }
        return nil
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

    private func partitions(
        from first: PartitionID?,
        isIncluded: Bool,
        in database: Database
    ) throws -> [PartitionRecord] {
        if let partition = filter.partition {
            // A cursor behind the only partition leaves nothing to list.
            if let first, first > partition { return [] }
            return try SQLiteEventStore.records("WHERE value = ?", [partition.value], maximumBytes: 0, in: database)
        }
        return try SQLiteEventStore.records(
            """
            WHERE (Partition.id, prefix) \(isIncluded ? ">=" : ">") (?, ?)
            ORDER BY Partition.id, prefix LIMIT \(Self.partitionChunk)
            """,
            [first?.id.stringValue ?? "", first?.prefix ?? ""],
            maximumBytes: SealPage.maximumBytes,
            in: database
        )
    }

    /// Reads events by where they lie.
    static func events(
        at addresses: [EventAddress],
        maximumBytes: Int,
        in database: Database
    ) throws -> AddressedEvents {
        var owners: [PartitionID: EventOwner] = [:]
        var readers: [ExactText: (columns: MetadataColumns, statement: PreparedStatement)] = [:]
        defer { for reader in readers.values { reader.statement.reset() } }
        var found = AddressedEvents()
        for address in addresses {
            let known = try owners[address.partition] ?? owner(of: address.partition, in: database)
            guard let owner = known else {
                found.skip()
                continue
            }
            owners[address.partition] = owner
            let (columns, statement) =
                try readers[ExactText(owner.app)] ?? reader(of: owner.app, EventRow.selectionOfOne, in: database)
            readers[ExactText(owner.app)] = (columns, statement)
            statement.reset()
            try statement.bind(address.partition.value, at: 1)
            try statement.bind(Int64(clamping: address.sequence), at: 2)
            guard try statement.step() else {
                found.skip()
                continue
            }
            let event = EventRow.read(statement, partition: address.partition, owner: owner, columns: columns)
            guard found.append(event, maximumBytes: maximumBytes) else { break }
        }
        return found
    }

    private static func owner(of partition: PartitionID, in database: Database) throws -> EventOwner? {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT app, user FROM Partition JOIN EventOwner ON EventOwner.id = owner WHERE value = ?",
            arguments: [partition.value]
        )
        guard let row else { return nil }
        guard let app = String.fromDatabaseValue(row["app"]), let user = String.fromDatabaseValue(row["user"]) else {
            throw AuditServerError.unavailable(reason: "the row of a partition is damaged")
        }
        return EventOwner(app: app, user: user)
    }
}

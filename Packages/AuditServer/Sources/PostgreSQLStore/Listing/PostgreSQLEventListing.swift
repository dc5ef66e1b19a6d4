import AuditModel
import EventModel

/// Reads one page of a listing, partition by partition.
///
/// Filters are applied here and not in SQL, because an event whose columns are damaged fits every filter.
struct PostgreSQLEventListing {
    /// How many rows are looked at, at once.
    private static let chunk = 500
    /// How many partitions are looked at, at once.
    private static let partitionChunk = 250

    let filter: EventFilter
    let limit: Int
    let maximumBytes: Int
    let connection: PostgreSQLConnection

    private struct Page {
        var events: [StoredEvent] = []
        var byteCount = 0
    }

    /// Reads the page behind a cursor.
    func page(after cursor: EventCursor?) throws -> EventPage {
        var page = Page()
        var first = cursor?.partition
        var isFirstIncluded = true
        while true {
            let shelves = try partitions(from: first, isIncluded: isFirstIncluded)
            for (record, month) in shelves
            where record.count > 0 && filter.includes(record) {
                let start = cursor.map { $0.partition == record.partition ? $0.sequence : 0 } ?? 0
                if let next = try append(record, in: month, from: start, to: &page) {
                    return EventPage(events: page.events, next: next)
                }
            }
            guard filter.partition == nil, let last = shelves.last else {
                return EventPage(events: page.events, next: nil)
            }
            first = last.record.partition
            isFirstIncluded = false
        }
    }

    /// Appends events of a partition; returns where the next page starts once the page is full.
    private func append(
        _ record: PartitionRecord,
        in month: Int32,
        from start: UInt64,
        to page: inout Page
    ) throws -> EventCursor? {
        var position = start
        // The bound of bytes may end a chunk early; the partition ends where its count says, or where nothing follows.
        while position < record.count {
            let rows = try rows(of: record.partition, in: month, after: position)
            if rows.count == 0 { return nil }
            for row in 0..<rows.count {
                let stored = EventColumns.read(rows, row, partition: record.partition, owner: record.owner)
                position = stored.sequence
                guard filter.matches(stored) else { continue }
                page.byteCount += stored.byteCount
                if let last = page.events.last, page.events.count >= limit || page.byteCount > maximumBytes {
                    return EventCursor(partition: last.partition, sequence: last.sequence)
                }
                page.events.append(stored)
            }
        }
        return nil
    }

    /// Reads rows up to the bound of bytes, and one more.
    private func rows(of partition: PartitionID, in month: Int32, after position: UInt64) throws -> SQLRows {
        try connection.rows(
            """
            SELECT \(EventColumns.selected) FROM (
                SELECT *, sum(\(EventColumns.byteCount)) OVER (
                    ORDER BY daybook_sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS before FROM (
                    SELECT * FROM AuditEvent
                    WHERE daybook_month = $1 AND _partition = $2 AND daybook_sequence > $3
                    ORDER BY daybook_sequence LIMIT $4
                ) AS chunk
            ) AS AuditEvent WHERE coalesce(before, 0) <= $5 ORDER BY daybook_sequence
            """,
            [
                .integer(month), .text(partition.value), .bigint(Int64(clamping: position)),
                .bigint(Int64(min(Self.chunk, max(1, limit) + 1))), .bigint(Int64(maximumBytes)),
            ]
        )
    }

    private func partitions(
        from first: PartitionID?,
        isIncluded: Bool
    ) throws -> [(record: PartitionRecord, month: Int32)] {
        let columns = PartitionRow.recordColumns
        let rows: SQLRows
        if let partition = filter.partition {
            // A cursor behind the only partition leaves nothing to list.
            if let first, first > partition { return [] }
            rows = try connection.rows(
                """
                SELECT \(columns) FROM EventPartition JOIN EventOwner ON EventOwner.id = owner WHERE value = $1
                """,
                [.text(partition.value)]
            )
        } else {
            rows = try connection.rows(
                """
                SELECT \(columns) FROM (
                    SELECT *, \(SealPage.sumOfBytes(orderedBy: "id, prefix")) AS bytes FROM (
                        SELECT * FROM EventPartition
                        WHERE (id, prefix) \(isIncluded ? ">=" : ">") ($1, $2)
                        ORDER BY id, prefix LIMIT \(Self.partitionChunk)
                    ) AS chunk
                ) AS EventPartition JOIN EventOwner ON EventOwner.id = owner
                WHERE bytes <= $3 ORDER BY EventPartition.id, prefix
                """,
                [
                    .text(first?.id.stringValue ?? ""), .text(first?.prefix ?? ""),
                    .bigint(Int64(SealPage.maximumBytes)),
                ]
            )
        }
        return try (0..<rows.count)
            .map { row in
                guard let month = rows.integer(row, PartitionRow.monthColumn).flatMap({ Int32(exactly: $0) }) else {
                    throw PostgreSQLFailure.damaged(what: "the row of a partition")
                }
                return (try PartitionRow.record(rows, row), month)
            }
    }
}

import AuditServer
import EventModel

/// How an event lies in the columns of `AuditEvent`.
enum EventColumns {
    /// The columns that are read, in the order of ``read(_:_:partition:owner:)``.
    static let selected = """
        _id, activity, event, data, timestamp, daybook_sequence, daybook_monotonic, daybook_boot, daybook_committed, \
        daybook_marks, daybook_received, daybook_leaf, daybook_repeated, metadata
        """

    /// Inserts events.
    static func copy(
        _ fresh: Range<Int>,
        of upload: EventUpload,
        in row: PartitionRow,
        repeated: Set<Int>,
        to connection: PostgreSQLConnection
    ) throws {
        guard !fresh.isEmpty else { return }
        let partition = SQLValue.text(upload.partition.value)
        try connection.copy(
            into: "AuditEvent (\(selected), _partition, daybook_month, daybook_owner)",
            count: fresh.count
        ) { offset in
            let index = fresh.lowerBound + offset
            let event = upload.events[index]
            return [
                .text(event.id.stringValue),
                .text(event.activity),
                .text(event.event),
                .text(bytes: event.data),
                .bigint(event.timestamp.microseconds),
                .bigint(Int64(upload.firstSequence) + Int64(index)),
                .bigint(Int64(bitPattern: event.clock.monotonicNanoseconds)),
                .uuid(event.clock.boot),
                .bigint(event.scopeCommitted?.microseconds),
                .smallint(Int16(event.marks.rawValue)),
                .bigint(upload.received.microseconds),
                .bytes(upload.leaves[index].bytes),
                .boolean(repeated.contains(index)),
                MetadataJSON.value(event.metadata),
                partition,
                .integer(row.month.number),
                .bigint(row.owner),
            ]
        }
    }

    /// Rebuilds an event from the columns of a row.
    static func read(_ rows: SQLRows, _ row: Int, partition: PartitionID, owner: EventOwner) -> StoredEvent {
        StoredEvent(
            partition: partition,
            sequence: UInt64(bitPattern: rows.integer(row, 5) ?? 0),
            owner: owner,
            event: event(rows, row),
            leaf: rows.bytes(row, 11).flatMap { Digest($0) },
            received: rows.integer(row, 10).map(EventInstant.init(microseconds:)),
            isRepeated: rows.boolean(row, 12) ?? false
        )
    }

    /// Returns nil when a column holds what no upload can have put there.
    private static func event(_ rows: SQLRows, _ row: Int) -> AuditEvent? {
        guard
            let id = rows.text(row, 0).flatMap(objectId),
            let activity = rows.text(row, 1),
            let timestamp = rows.integer(row, 4),
            let monotonic = rows.integer(row, 6),
            let boot = rows.bytes(row, 7).flatMap(boot),
            let marks = rows.integer(row, 9).flatMap({ UInt8(exactly: $0) }),
            rows.isNull(row, 2) || rows.text(row, 2) != nil,
            rows.isNull(row, 3) || rows.textBytes(row, 3) != nil,
            let metadata = MetadataJSON.metadata(rows, row, 13)
        else { return nil }
        return AuditEvent(
            id: id,
            clock: ClockReading(
                wall: EventInstant(microseconds: timestamp),
                monotonicNanoseconds: UInt64(bitPattern: monotonic),
                boot: boot
            ),
            activity: activity,
            event: rows.text(row, 2),
            data: rows.textBytes(row, 3),
            metadata: metadata,
            scopeCommitted: rows.integer(row, 8).map(EventInstant.init(microseconds:)),
            marks: AuditEvent.Marks(rawValue: marks)
        )
    }

    /// Reads the one text form that the server writes, so that another spelling counts as a change.
    private static func objectId(_ text: String) -> ObjectId? {
        guard let bytes = Hexadecimal.bytes(text), bytes.count == 12 else { return nil }
        let id = ObjectId(
            high: SQLRows.number(bytes.prefix(8)),
            low: UInt32(truncatingIfNeeded: SQLRows.number(bytes.suffix(4)))
        )
        return id.stringValue == text ? id : nil
    }

    private static func boot(_ bytes: [UInt8]) -> Boot? {
        guard bytes.count == 16 else { return nil }
        return Boot(high: SQLRows.number(bytes.prefix(8)), low: SQLRows.number(bytes.suffix(8)))
    }
}

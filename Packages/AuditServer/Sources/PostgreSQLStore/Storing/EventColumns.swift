import AuditModel
import EventModel

/// How an event lies in the columns of `AuditEvent`.
enum EventColumns {
    /// The columns that an upload fills, but for the payload.
    private static let stored = """
        daybook_sequence, daybook_monotonic, daybook_boot, daybook_committed, daybook_marks, daybook_received, \
        daybook_leaf, daybook_repeated, metadata
        """

    /// How many bytes the texts of an event have, about; those of payloads are known without reading them.
    static let byteCount = """
        coalesce(octet_length(data), 0) + coalesce(octet_length(daybook_payload), 0) + octet_length(activity) \
        + coalesce(octet_length(event), 0) + coalesce(pg_column_size(metadata), 0)
        """

    /// What is read, in the order of ``read(_:_:partition:owner:)``: the columns, and what is known of those that no hash is over.
    ///
    /// The key of the payload, whether an erasure has its record, and whether the event is its partition's owner's and repeats one
    /// that is there. The table, or what stands for it, is `AuditEvent`.
    ///
    /// Payloads of earlier versions are in `data`, and those since in `daybook_payload`.
    static let selected = """
        _id, activity, event, data, timestamp, \(stored), daybook_payload, daybook_erased,
        CASE WHEN daybook_payload IS NULL THEN NULL ELSE (
            SELECT substring(keys FROM ((daybook_sequence - first) * 16 + 1)::integer FOR 16) FROM PayloadKey
            WHERE partition = _partition AND first <= daybook_sequence ORDER BY first DESC LIMIT 1
        ) END,
        CASE WHEN daybook_erased IS NULL THEN false ELSE coalesce((
            SELECT last >= daybook_sequence FROM ErasedRange
            WHERE erasure = daybook_erased AND partition = _partition AND first <= daybook_sequence
            ORDER BY first DESC LIMIT 1
        ), false) END,
        daybook_owner = (SELECT owner FROM EventPartition WHERE value = _partition) AND CASE
            WHEN NOT daybook_repeated THEN true
            ELSE EXISTS (
                SELECT FROM AuditEvent AS earlier
                WHERE earlier._id = AuditEvent._id AND NOT earlier.daybook_repeated
                    AND earlier.daybook_owner = AuditEvent.daybook_owner AND earlier.daybook_leaf = AuditEvent.daybook_leaf
            ) END,
        daybook_receipt, daybook_sync
        """

    /// Inserts events.
    static func copy(
        _ fresh: Range<Int>,
        of upload: EventUpload,
        _ sealed: SealedPayloads,
        in row: PartitionRow,
        repeated: Set<Int>,
        to connection: PostgreSQLConnection
    ) throws {
        guard !fresh.isEmpty else { return }
        try connection.rows(
            "INSERT INTO PayloadKey (partition, first, keys) VALUES ($1, $2, $3)",
            [
                .text(upload.partition.value), .bigint(Int64(upload.firstSequence) + Int64(fresh.lowerBound)),
                .bytes(Array(sealed.keys(fresh))),
            ]
        )
        let partition = SQLValue.text(upload.partition.value)
        try connection.copy(
            into: """
                AuditEvent (_id, activity, event, daybook_payload, timestamp, \(stored), \
                _partition, daybook_month, daybook_owner, daybook_receipt, daybook_sync)
                """,
            count: fresh.count
        ) { offset in
            let index = fresh.lowerBound + offset
            let event = upload.events[index]
            return [
                .text(event.id.stringValue),
                .text(event.activity),
                .text(event.event),
                SQLValue(bytes: sealed.payloads[index]),
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
                SQLValue(bytes: upload.mark(of: index).receipt?.bytes),
                SQLValue(bytes: event.sync?.bytes),
            ]
        }
    }

    /// Rebuilds an event from the columns of a row.
    static func read(_ rows: SQLRows, _ row: Int, partition: PartitionID, owner: EventOwner) -> StoredEvent {
        let isSound = rows.boolean(row, 18) ?? false
        return StoredEvent(
            partition: partition,
            sequence: UInt64(bitPattern: rows.integer(row, 5) ?? 0),
            owner: owner,
            event: rows.isNull(row, 15) && isSound ? event(rows, row) : nil,
            leaf: rows.bytes(row, 11).flatMap { Digest($0) },
            received: rows.integer(row, 10).map(EventInstant.init(microseconds:)),
            mark: rows.isNull(row, 19) ? .inside : rows.bytes(row, 19).map { StretchMark(bytes: $0) } ?? .damaged,
            isRepeated: (rows.boolean(row, 12) ?? false) && isSound,
            // What nobody wrote down was not erased but damaged.
            erasure: rows.boolean(row, 17) == true ? rows.integer(row, 15) : nil
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
            let data = payload(rows, row),
            let sync = sync(rows, row),
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
            data: data,
            metadata: metadata,
            scopeCommitted: rows.integer(row, 8).map(EventInstant.init(microseconds:)),
            marks: AuditEvent.Marks(rawValue: marks),
            sync: sync
        )
    }

    /// Returns the place in sync, which an event need not have; nil when there is one that cannot be read.
    private static func sync(_ rows: SQLRows, _ row: Int) -> SyncReference?? {
        if rows.isNull(row, 20) { return .some(nil) }
        return rows.bytes(row, 20).flatMap { SyncReference(bytes: $0) }.map { .some($0) }
    }

    /// Returns the payload, which an event need not have; nil when there is one that cannot be read.
    private static func payload(_ rows: SQLRows, _ row: Int) -> [UInt8]?? {
        if !rows.isNull(row, 3) { return rows.textBytes(row, 3).map { .some($0) } }
        guard let sealed = rows.bytes(row, 14) else { return .some(nil) }
        return SealedPayloads.open(sealed, key: rows.bytes(row, 16)).map { .some($0) }
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

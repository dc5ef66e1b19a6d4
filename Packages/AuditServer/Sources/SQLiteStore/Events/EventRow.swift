import AuditModel
import EventModel

/// How an event lies in the columns of `AuditEvent`, in the order of ``SQLiteSchema/eventColumns``.
enum EventRow {
    /// Returns the statement that inserts an event.
    static func insertion(_ columns: MetadataColumns) -> String {
        let names = SQLiteSchema.eventColumns + columns.names.map { "\"\($0)\"" }
        let values = Array(repeating: "?", count: names.count)
        return "INSERT INTO AuditEvent (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
    }

    /// Returns the statement that reads a partition from a sequence on.
    static func selection(_ columns: MetadataColumns) -> String {
        "\(selection(of: columns)) WHERE _partition = ? AND daybook_sequence > ? ORDER BY daybook_sequence"
    }

    /// Returns the statement that reads one event.
    static func selectionOfOne(_ columns: MetadataColumns) -> String {
        "\(selection(of: columns)) WHERE _partition = ? AND daybook_sequence = ?"
    }

    /// What is read behind the columns of every event: its key, and what is known of the columns that no hash is over.
    ///
    /// Whether an erasure has its record; and whether the owner is the partition's, a repetition is one of an event that is there,
    /// and a conflict is listed.
    private static let expressions = [
        """
        (SELECT substr(keys, (daybook_sequence - first) * 16 + 1, 16) FROM PayloadKey \
        WHERE partition = _partition AND first <= daybook_sequence ORDER BY first DESC LIMIT 1)
        """,
        """
        CASE WHEN daybook_erased IS NULL THEN 0 ELSE (SELECT last >= daybook_sequence FROM ErasedRange \
        WHERE erasure = daybook_erased AND partition = _partition AND first <= daybook_sequence \
        ORDER BY first DESC LIMIT 1) END
        """,
        """
        daybook_owner = (SELECT owner FROM Partition WHERE value = _partition) AND CASE daybook_repeated \
        WHEN 0 THEN 1 \
        WHEN 1 THEN EXISTS (SELECT 1 FROM AuditEvent AS earlier WHERE earlier.daybook_owner = AuditEvent.daybook_owner \
        AND earlier._id = AuditEvent._id AND earlier.daybook_repeated = 0 \
        AND earlier.daybook_leaf = AuditEvent.daybook_leaf) \
        WHEN 2 THEN EXISTS (SELECT 1 FROM EventConflict WHERE EventConflict.id = AuditEvent._id \
        AND EventConflict.partition = AuditEvent._partition AND EventConflict.sequence = AuditEvent.daybook_sequence) \
        ELSE 0 END
        """,
    ]

    private static func selection(of columns: MetadataColumns) -> String {
        let names = SQLiteSchema.eventColumns + expressions + columns.names.map { "\"\($0)\"" }
        return "SELECT \(names.joined(separator: ", ")) FROM AuditEvent"
    }

    /// Binds all columns except the turn.
    static func bind(
        _ index: Int,
        of upload: EventUpload,
        sealed: SealedPayloads,
        owner: Int64,
        columns: MetadataColumns,
        to statement: PreparedStatement
    ) throws {
        let event = upload.events[index]
        try statement.bind(event.id.stringValue, at: 1)
        try statement.bind(upload.partition.value, at: 2)
        try statement.bind(event.activity, at: 3)
        try statement.bind(event.event, at: 4)
        try sealed.payloads[index]?.withUnsafeBytes { try statement.bind(blob: $0, at: 5) }
        try statement.bind(event.timestamp.microseconds, at: 6)
        try statement.bind(Int64(upload.firstSequence) + Int64(index), at: 7)
        try statement.bind(Int64(bitPattern: event.clock.monotonicNanoseconds), at: 8)
        try statement.bind(event.clock.boot.hex, at: 9)
        try statement.bind(event.scopeCommitted?.microseconds, at: 10)
        try statement.bind(Int64(event.marks.rawValue), at: 11)
        try statement.bind(upload.received.microseconds, at: 12)
        try upload.leaves[index].withUnsafeBytes { try statement.bind(blob: $0, at: 13) }
        try statement.bind(owner, at: 14)
        try upload.mark(of: index).receipt?.bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 17) }
        try event.sync?.bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 18) }
        for entry in event.metadata.entries {
            guard let position = columns.position(of: entry.key) else {
                preconditionFailure("A column is added for every metadata key before events are bound.")
            }
            try statement.bind(entry.value, at: Int32(SQLiteSchema.eventColumns.count + 1 + position))
        }
    }

    /// What an event is to those with its id that came before it.
    enum Turn: Int64 {
        /// There is none.
        case first = 0
        /// The same event came before.
        case repeated = 1
        /// Another event came before.
        case conflicting = 2
    }

    /// Binds what the event is to those with its id.
    static func bind(_ turn: Turn, to statement: PreparedStatement) throws {
        try statement.bind(turn.rawValue, at: 15)
    }

    /// Rebuilds the event of the current row from its columns.
    static func read(
        _ statement: PreparedStatement,
        partition: PartitionID,
        owner: EventOwner,
        columns: MetadataColumns
    ) -> StoredEvent {
        let isSound = statement.integer(20) == 1
        return StoredEvent(
            partition: partition,
            sequence: UInt64(bitPattern: statement.integer(6) ?? 0),
            owner: owner,
            event: statement.isNull(15) && isSound ? event(statement, columns) : nil,
            leaf: statement.bytes(12).flatMap { Digest($0) },
            received: statement.integer(11).map(EventInstant.init(microseconds:)),
            mark: statement.isNull(16) ? .inside : statement.bytes(16).map { StretchMark(bytes: $0) } ?? .damaged,
            isRepeated: statement.integer(14) == Turn.repeated.rawValue && isSound,
            // What nobody wrote down was not erased but damaged.
            erasure: statement.integer(19) == 1 ? statement.integer(15) : nil
        )
    }

    /// Returns nil when a column holds what no upload can have put there.
    private static func event(_ statement: PreparedStatement, _ columns: MetadataColumns) -> AuditEvent? {
        guard
            let id = statement.text(0).flatMap(ObjectId.init(canonical:)),
            let activity = statement.text(2),
            let timestamp = statement.integer(5),
            let monotonic = statement.integer(7),
            let boot = statement.text(8).flatMap(Boot.init(hex:)),
            let marks = statement.integer(10).flatMap({ UInt8(exactly: $0) }),
            statement.isNull(3) || statement.text(3) != nil,
            let data = payload(statement),
            statement.isNull(9) || statement.integer(9) != nil,
            let sync = sync(statement),
            let metadata = metadata(statement, columns)
        else { return nil }
        return AuditEvent(
            id: id,
            clock: ClockReading(
                wall: EventInstant(microseconds: timestamp),
                monotonicNanoseconds: UInt64(bitPattern: monotonic),
                boot: boot
            ),
            activity: activity,
            event: statement.text(3),
            data: data,
            metadata: metadata,
            scopeCommitted: statement.integer(9).map(EventInstant.init(microseconds:)),
            marks: AuditEvent.Marks(rawValue: marks),
            sync: sync
        )
    }

    /// Returns the place in sync, which an event need not have; nil when there is one that cannot be read.
    private static func sync(_ statement: PreparedStatement) -> SyncReference?? {
        if statement.isNull(17) { return .some(nil) }
        return statement.bytes(17).flatMap { SyncReference(bytes: $0) }.map { .some($0) }
    }

    /// Returns the payload, which an event need not have; nil when there is one that cannot be read.
    private static func payload(_ statement: PreparedStatement) -> [UInt8]?? {
        if statement.isNull(4) { return .some(nil) }
        guard let bytes = statement.bytes(4) else { return nil }
        // Those of earlier versions are texts and have no key.
        if statement.isText(4) { return bytes }
        guard let data = SealedPayloads.open(bytes, key: statement.bytes(18)) else { return nil }
        return data
    }

    private static func metadata(_ statement: PreparedStatement, _ columns: MetadataColumns) -> EventMetadata? {
        // TEXT: no event has two keys that Unicode takes for one, see EventUpload.
        var values: [String: String] = [:]
        for (offset, key) in columns.keys.enumerated() {
            let index = Int32(SQLiteSchema.eventColumns.count + expressions.count + offset)
            if statement.isNull(index) { continue }
            guard let value = statement.text(index), values.updateValue(value, forKey: key) == nil else { return nil }
        }
        guard !values.isEmpty else { return .empty }
        do {
            return try EventMetadata(values)
        } catch {
            // Keys were checked when they arrived; one that fails now was changed behind the server's back.
            return nil
        }
    }
}

extension ObjectId {
    /// Reads the one text form that the server writes, so that another spelling counts as a change.
    fileprivate init?(canonical text: String) {
        guard let bytes = Hexadecimal.bytes(text), bytes.count == 12 else { return nil }
        self = bytes.withUnsafeBytes { buffer in
            ObjectId(
                high: UInt64(bigEndian: buffer.loadUnaligned(as: UInt64.self)),
                low: UInt32(bigEndian: buffer.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            )
        }
        guard stringValue == text else { return nil }
    }
}

extension Boot {
    fileprivate init?(hex text: String) {
        guard let bytes = Hexadecimal.bytes(text), bytes.count == 16 else { return nil }
        self = bytes.withUnsafeBytes { buffer in
            Boot(
                high: UInt64(bigEndian: buffer.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        guard hex == text else { return nil }
    }
}

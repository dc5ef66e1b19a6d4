import AuditModel
import EventModel
import EventProofs
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SQLiteEventStore {
    /// Stores a stretch in the transaction that is open; whatever is thrown rolls it back.
    static func accept(
        _ upload: EventUpload,
        _ sealed: SealedPayloads,
        in database: Database
    ) throws -> DurabilityProof {
        let known = try ledger(of: upload.partition, in: database)
        var ledger = known ?? PartitionLedger(owner: upload.owner, partition: upload.partition)
        let addition = try ledger.accept(upload, SQLiteStoredPartition(partition: upload.partition, database: database))
        guard !addition.isEmpty else { return ledger.proof }

        let columns = try columns(for: addition.events, of: upload, in: database)
        let owner = try Self.owner(upload.owner, in: database)
        try insert(addition.events, of: upload, sealed, owner: owner, columns, in: database)
        try Self.write(ledger, addition.seal, owner: owner, received: upload.received, in: database)
        try SQLiteStoredPartition(partition: upload.partition, database: database).insert(addition.nodes)
        if let seal = addition.seal {
            try SQLitePartitionLog(database: database)
                .append(seal, of: upload.owner, owner: owner, received: upload.received)
        }
        return ledger.proof
    }

    // MARK: - Partition

    private static func ledger(of partition: PartitionID, in database: Database) throws -> PartitionLedger? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT app, user, frontier, seal IS NOT NULL AS isSealed FROM Partition JOIN EventOwner ON EventOwner.id = owner \
                WHERE value = ?
                """,
            arguments: [partition.value]
        )
        guard let row else { return nil }
        guard
            let app = String.fromDatabaseValue(row["app"]), let user = String.fromDatabaseValue(row["user"]),
            let frontier = Data.fromDatabaseValue(row["frontier"]).flatMap({ MerkleFrontier(bytes: $0) })
        else { throw AuditServerError.unavailable(reason: "the row of a partition is damaged") }
        return PartitionLedger(
            owner: EventOwner(app: app, user: user),
            partition: partition,
            frontier: frontier,
            isSealed: row["isSealed"]
        )
    }

    private static func write(
        _ ledger: PartitionLedger,
        _ seal: PartitionSeal?,
        owner: Int64,
        received: EventInstant,
        in database: Database
    ) throws {
        let seal = try seal.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try database.execute(
            sql: """
                INSERT INTO Partition (value, id, prefix, owner, count, root, frontier, seal, received)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (value) DO UPDATE SET
                    count = excluded.count, root = excluded.root, frontier = excluded.frontier,
                    seal = coalesce(seal, excluded.seal), received = excluded.received
                """,
            arguments: [
                ledger.partition.value, ledger.partition.id.stringValue, ledger.partition.prefix, owner,
                Int64(ledger.frontier.count), Data(ledger.frontier.root.bytes), Data(ledger.frontier.bytes), seal,
                received.microseconds,
            ]
        )
    }

    private static func owner(_ owner: EventOwner, in database: Database) throws -> Int64 {
        try database.execute(
            sql: "INSERT INTO EventOwner (app, user) VALUES (?, ?) ON CONFLICT DO NOTHING",
            arguments: [owner.app, owner.user]
        )
        let id = try Int64.fetchOne(
            database,
            sql: "SELECT id FROM EventOwner WHERE app = ? AND user = ?",
            arguments: [owner.app, owner.user]
        )
        guard let id else { throw AuditServerError.unavailable(reason: "the owner of a partition cannot be stored") }
        return id
    }

    // MARK: - Schema

    /// Returns the metadata columns of the app, with those that the new events need.
    ///
    /// - Throws: `AuditServerError.invalidSchemaChange(column:reason:)` when the upload may not extend the schema.
    private static func columns(
        for fresh: Range<Int>,
        of upload: EventUpload,
        in database: Database
    ) throws -> MetadataColumns {
        let app = upload.owner.app
        let known = try MetadataColumns.read(of: app, in: database)
        guard known != nil || upload.extendsSchema else { throw AuditServerError.missingCollection }
        var columns = try known ?? MetadataColumns.readOrCreate(of: app, in: database)
        for index in fresh {
            for entry in upload.events[index].metadata.entries where columns.position(of: entry.key) == nil {
                guard upload.extendsSchema else { throw AuditServerError.missingColumn(entry.key) }
                guard columns.keys.count < min(upload.columnLimit, EventSchema.maximumMetadataColumns) else {
                    throw AuditServerError.tooManyColumns(adding: entry.key, to: columns.keys.count)
                }
                try columns.add(entry.key, in: database)
            }
        }
        return columns
    }

    // MARK: - Events

    private static func insert(
        _ fresh: Range<Int>,
        of upload: EventUpload,
        _ sealed: SealedPayloads,
        owner: Int64,
        _ columns: MetadataColumns,
        in database: Database
    ) throws {
        guard !fresh.isEmpty else { return }
        try insert(
            sealed.keys(fresh),
            of: upload.partition,
            from: upload.firstSequence + UInt64(fresh.lowerBound),
            in: database
        )
        let statement = try PreparedStatement(EventRow.insertion(columns), in: database)
        defer { statement.reset() }
        for index in fresh {
            statement.reset()
            try EventRow.bind(index, of: upload, sealed: sealed, owner: owner, columns: columns, to: statement)
            try EventRow.bind(.first, to: statement)
            do {
                _ = try statement.step()
            } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
                let isSame = try isRepetition(index, of: upload, owner: owner, in: database)
                statement.reset()
                try EventRow.bind(index, of: upload, sealed: sealed, owner: owner, columns: columns, to: statement)
                try EventRow.bind(isSame ? .repeated : .conflicting, to: statement)
                _ = try statement.step()
                if !isSame { try insertConflict(index, of: upload, owner: owner, in: database) }
            }
        }
    }

    /// Stores the keys of a stretch, in one row.
    private static func insert(
        _ keys: ArraySlice<UInt8>,
        of partition: PartitionID,
        from first: UInt64,
        in database: Database
    ) throws {
        let statement = try PreparedStatement(
            "INSERT INTO PayloadKey (partition, first, keys) VALUES (?, ?, ?)",
            in: database
        )
        defer { statement.reset() }
        try statement.bind(partition.value, at: 1)
        try statement.bind(Int64(clamping: first), at: 2)
        try keys.withUnsafeBytes { try statement.bind(blob: $0, at: 3) }
        _ = try statement.step()
    }

    /// Returns whether the event that has the id already is the same one: a recorder offers it again when a sync failed.
    private static func isRepetition(
        _ index: Int,
        of upload: EventUpload,
        owner: Int64,
        in database: Database
    ) throws -> Bool {
        let leaf = try Data.fetchOne(
            database,
            sql: "SELECT daybook_leaf FROM AuditEvent WHERE daybook_owner = ? AND _id = ? AND daybook_repeated = 0",
            arguments: [owner, upload.events[index].id.stringValue]
        )
        return leaf.flatMap { Digest($0) } == upload.leaves[index]
    }

    private static func insertConflict(
        _ index: Int,
        of upload: EventUpload,
        owner: Int64,
        in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO EventConflict (partition, sequence, owner, id, received) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                upload.partition.value, Int64(upload.firstSequence) + Int64(index), owner,
                upload.events[index].id.stringValue, upload.received.microseconds,
            ]
        )
    }
}

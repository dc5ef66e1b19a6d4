public import AuditModel
public import EventModel
public import EventProofs
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
public import Foundation
#endif

/// The embedded store: one SQLite database that only its owner may read.
///
/// Uses write-ahead logging with `synchronous=FULL`, so that a commit is on the disk when it returns; one connection
/// writes, several read beside it.
public final class SQLiteEventStore: AuditStore {
    /// The largest database that an erasure writes anew, in bytes; that takes a second or two.
    private static let rewrittenBytes: Int64 = 134_217_728

    private let pool: DatabasePool
    private let uploads: SQLiteUploadQueue

    /// Opens the database at a path, or makes one.
    ///
    /// - Parameter path: The file; its folder exists.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be opened or is no database of ours.
    public init(path: String) throws(AuditServerError) {
        pool = try DatabasePool.durable(path: path, label: "AuditEvent") { pool in
            try SQLiteSchema.migrator.migrate(pool)
            try SQLiteKeyFile.join(path, to: pool)
        }
        uploads = SQLiteUploadQueue(pool: pool, store: Self.accept)
    }

    /// Stores a stretch in one transaction, which it may share with others that arrive at the same time.
    public func accept(_ upload: EventUpload) async throws -> DurabilityProof {
        try await SQLiteFailure.naming { try await uploads.accept(upload) }
    }

    /// Returns what is kept of a partition, or nil.
    public func partition(_ partition: PartitionID) async throws -> PartitionRecord? {
        try await read { database in
            try Self.records("WHERE value = ?", [partition.value], maximumBytes: 0, in: database).first
        }
    }

    /// Lists partitions by age.
    public func partitions(
        after: PartitionID?,
        limit: Int,
        maximumBytes: Int
    ) async throws -> [PartitionRecord] {
        try await read { database in
            try Self.records(
                "WHERE (Partition.id, prefix) > (?, ?) ORDER BY Partition.id, prefix LIMIT ?",
                [after?.id.stringValue ?? "", after?.prefix ?? "", limit],
                maximumBytes: maximumBytes,
                in: database
            )
        }
    }

    /// Lists events, partitions by age and events by sequence.
    ///
    /// - Complexity: O(*n*) in the events that are looked at, which without a partition are all behind the cursor.
    public func events(
        _ filter: EventFilter,
        after: EventCursor?,
        limit: Int,
        maximumBytes: Int
    ) async throws -> EventPage {
        try await read { database in
            try SQLiteEventListing(filter: filter, limit: limit, maximumBytes: maximumBytes)
                .page(after: after, in: database)
        }
    }

    /// Lists the apps that have a collection.
    public func collections() async throws -> [String] {
        try await read { database in try String.fetchAll(database, sql: "SELECT app FROM Collection ORDER BY app") }
    }

    /// Returns the metadata columns of an app, or nil.
    public func metadataColumns(of app: String) async throws -> [String]? {
        try await read { database in try MetadataColumns.read(of: app, in: database)?.keys }
    }

    /// Creates the collection of an app and adds columns, in one transaction.
    public func extendCollection(of app: String, by columns: [String]) async throws {
        try await SQLiteFailure.naming {
            try await pool.write { database in
                var known = try MetadataColumns.readOrCreate(of: app, in: database)
                for column in columns { try known.add(column, in: database) }
            }
        }
    }

    /// Returns events by where they lie.
    public func events(at addresses: [EventAddress], maximumBytes: Int) async throws -> AddressedEvents {
        try await read { database in
            try SQLiteEventListing.events(at: addresses, maximumBytes: maximumBytes, in: database)
        }
    }

    /// Returns the stored leaf hashes of a partition.
    public func leaves(of partition: PartitionID, _ sequences: ClosedRange<UInt64>) async throws -> [Digest] {
        try await read { database in
            try SQLiteStoredPartition(partition: partition, database: database).leaves(sequences)
        }
    }

    /// Returns the stored hashes of complete subtrees of a partition.
    public func hashes(of nodes: [MerkleNode], in partition: PartitionID) async throws -> [Digest] {
        try await read { database in
            try SQLiteStoredPartition(partition: partition, database: database).hashes(of: nodes)
        }
    }
}

// MARK: - Connections

extension SQLiteEventStore {
    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await SQLiteFailure.naming { try await pool.read(body) }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await SQLiteFailure.naming { try await pool.write(body) }
    }

    /// Writes the database anew, unless uploads would wait for that too long.
    ///
    /// Pages between which rows were moved keep parts of them, also after these rows are cleared.
    func rewriteIfSmall() async throws {
        try await SQLiteFailure.naming {
            try await pool.writeWithoutTransaction { database in
                let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
                if pages * size <= Self.rewrittenBytes { try database.execute(sql: "VACUUM") }
            }
        }
    }

    /// Moves everything from the log beside the database into it, and empties the log.
    func emptyLog() async throws {
        try await SQLiteFailure.naming {
            try await pool.barrierWriteWithoutTransaction { database in _ = try database.checkpoint(.truncate) }
        }
    }
}

// MARK: - Partitions

extension SQLiteEventStore {
    /// Reads partitions; the clause is one of ours, and everything that comes from outside is an argument.
    ///
    /// Ends before their seals have more than so many bytes, but not before the first.
    static func records(
        _ clause: String,
        _ arguments: StatementArguments,
        maximumBytes: Int,
        in database: Database
    ) throws -> [PartitionRecord] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT value, Partition.id AS age, prefix, app, user, count, root, seal, received, \(Self.byteCount(of: "seal")) AS bytes \
                FROM Partition JOIN EventOwner ON EventOwner.id = owner \(clause)
                """,
            arguments: arguments
        )
        return try Self.page(rows, maximumBytes: maximumBytes) { row in
            // Whatever makes a column unreadable, the partition itself as well, the answer is the same.
            guard
                let value = String.fromDatabaseValue(row["value"]), let partition = try? PartitionID(value),
                // Listings are in the order of these, and would go round in circles.
                String.fromDatabaseValue(row["age"]) == partition.id.stringValue,
                let prefix = String.fromDatabaseValue(row["prefix"]), prefix.hasSameBytes(as: partition.prefix),
                let app = String.fromDatabaseValue(row["app"]), let user = String.fromDatabaseValue(row["user"]),
                let count = Int64.fromDatabaseValue(row["count"]), count >= 0,
                let root = Data.fromDatabaseValue(row["root"]).flatMap({ Digest($0) }),
                let received = Int64.fromDatabaseValue(row["received"])
            else { throw AuditServerError.unavailable(reason: "the row of a partition is damaged") }
            return PartitionRecord(
                partition: partition,
                owner: EventOwner(app: app, user: user),
                count: UInt64(count),
                root: root,
                seal: try seal(row["seal"]),
                received: EventInstant(microseconds: received)
            )
        }
    }

    /// What selects the size of a text; `length` alone counts characters.
    static func byteCount(of column: String) -> String { "coalesce(length(CAST(\(column) AS BLOB)), 0)" }

    /// Reads rows, of which each says its `bytes`, until there would be more than so many; but not before the first.
    static func page<Element>(
        _ rows: RowCursor,
        maximumBytes: Int,
        _ body: (Row) throws -> Element
    ) throws -> [Element] {
        var page: [Element] = []
        var byteCount = 0
        while let row = try rows.next() {
            byteCount += row["bytes"] as Int
            if !page.isEmpty, byteCount > maximumBytes { break }
            page.append(try body(row))
        }
        return page
    }

    /// Decodes a stored seal; nil stands for none.
    static func seal(_ value: DatabaseValue) throws -> PartitionSeal? {
        guard !value.isNull else { return nil }
        guard let text = String.fromDatabaseValue(value) else {
            throw AuditServerError.unavailable(reason: "the seal of a partition is damaged")
        }
        do {
            return try JSONDecoder().decode(PartitionSeal.self, from: Data(text.utf8))
        } catch {
            throw AuditServerError.unavailable(reason: "the seal of a partition is damaged")
        }
    }
}

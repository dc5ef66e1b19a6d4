import AuditModel
import EventModel
import EventProofs
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The log of sealed partitions in the tables of a database; used in a transaction that is open.
struct SQLitePartitionLog {
    let database: Database

    // MARK: - Appending

    /// Makes the head of an empty log, and enters what was sealed before there was one.
    func begin() throws {
        try database.execute(
            sql: "INSERT INTO PartitionLogHead (id, frontier) VALUES (0, ?)",
            arguments: [Data(MerkleFrontier().bytes)]
        )
        let earlier = try Row.fetchAll(
            database,
            sql: """
                SELECT app, user, owner, seal, received FROM Partition JOIN EventOwner ON EventOwner.id = owner
                WHERE seal IS NOT NULL ORDER BY received, Partition.id, prefix
                """
        )
        for row in earlier {
            guard let seal = try SQLiteEventStore.seal(row["seal"]) else { continue }
            try append(
                seal,
                of: EventOwner(app: row["app"], user: row["user"]),
                owner: row["owner"],
                received: EventInstant(microseconds: row["received"])
            )
        }
    }

    /// Enters a partition; the transaction has the only writing connection, so nobody else appends meanwhile.
    func append(_ seal: PartitionSeal, of owner: EventOwner, owner key: Int64, received: EventInstant) throws {
        var frontier = try frontier()
        let row = PartitionLogRow(sealing: seal, of: owner, received: received, frontier: &frontier)
        let previous = try seal.previousRoot.flatMap { root in
            try Data.fetchOne(
                database,
                sql: "SELECT key FROM PartitionLog WHERE owner = ? AND name = ? ORDER BY position LIMIT 1",
                arguments: [key, Data(root.bytes)]
            )
        }
        let publicKey = Data(seal.publicKey)
        try database.execute(
            sql: """
                INSERT INTO PartitionLog (position, partition, owner, received, seal, name, key, replaced, nodes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Int64(row.entry.index), seal.partition.value, key, received.microseconds,
                String(decoding: try JSONEncoder().encode(seal), as: UTF8.self), row.name.map { Data($0.bytes) },
                publicKey, previous == publicKey ? nil : previous, Data(row.nodes),
            ]
        )
        try database.execute(
            sql: "UPDATE PartitionLogHead SET frontier = ? WHERE id = 0",
            arguments: [Data(frontier.bytes)]
        )
    }

    private func frontier() throws -> MerkleFrontier {
        let bytes = try Data.fetchOne(database, sql: "SELECT frontier FROM PartitionLogHead WHERE id = 0")
        guard let frontier = bytes.flatMap({ MerkleFrontier(bytes: $0) }) else { throw damaged }
        return frontier
    }

    // MARK: - Reading

    /// The tree over the log; good as long as the transaction is open.
    func tree() throws -> StoredMerkleTree<any Error> {
        StoredMerkleTree(count: try frontier().count) { level, index throws(any Error) in
            let bytes = try Data.fetchOne(
                database,
                sql: "SELECT nodes FROM PartitionLog WHERE position = ?",
                arguments: [Int64(PartitionLogRow.index(level: level, index))]
            )
            guard let node = bytes.flatMap({ PartitionLogRow.node(level, in: Array($0)) }) else { throw damaged }
            return node
        }
    }

    /// Reads entries; the clause is one of ours, and everything that comes from outside is an argument.
    ///
    /// Ends before their seals have more than so many bytes, but not before the first.
    func entries(
        _ clause: String,
        _ arguments: StatementArguments,
        maximumBytes: Int
    ) throws -> [PartitionLogEntry] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT position, app, user, received, seal, \(SQLiteEventStore.byteCount(of: "seal")) AS bytes
                FROM PartitionLog JOIN EventOwner ON EventOwner.id = owner \(clause)
                """,
            arguments: arguments
        )
        return try SQLiteEventStore.page(rows, maximumBytes: maximumBytes) { row in
            guard
                let position = Int64.fromDatabaseValue(row["position"]), position >= 0,
                let app = String.fromDatabaseValue(row["app"]), let user = String.fromDatabaseValue(row["user"]),
                let received = Int64.fromDatabaseValue(row["received"]),
                let seal = try SQLiteEventStore.seal(row["seal"])
            else { throw damaged }
            return PartitionLogEntry(
                index: UInt64(position),
                app: app,
                user: user,
                received: EventInstant(microseconds: received),
                seal: seal
            )
        }
    }

    /// Lists the keys that were first seen at a place or later.
    func deviceKeys(from index: UInt64, limit: Int) throws -> [DeviceKeyRecord] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT app, user, key, MIN(received) AS first, MAX(received) AS last, COUNT(*) AS partitions,
                    MIN(position) AS position, MAX(replaced) AS replaced
                FROM PartitionLog JOIN EventOwner ON EventOwner.id = owner
                GROUP BY owner, key HAVING MIN(position) >= ? ORDER BY MIN(position) LIMIT ?
                """,
            arguments: [Int64(clamping: index), limit]
        )
        return try rows.map { row in
            guard
                let app = String.fromDatabaseValue(row["app"]), let user = String.fromDatabaseValue(row["user"]),
                let key = Data.fromDatabaseValue(row["key"]),
                let first = Int64.fromDatabaseValue(row["first"]), let last = Int64.fromDatabaseValue(row["last"]),
                let position = Int64.fromDatabaseValue(row["position"]), position >= 0,
                let partitions = Int64.fromDatabaseValue(row["partitions"])
            else { throw damaged }
            return DeviceKeyRecord(
                owner: EventOwner(app: app, user: user),
                publicKey: Array(key),
                firstSeen: EventInstant(microseconds: first),
                lastSeen: EventInstant(microseconds: last),
                partitions: UInt64(partitions),
                firstEntry: UInt64(position),
                replaced: Data.fromDatabaseValue(row["replaced"]).map { Array($0) }
            )
        }
    }

    private var damaged: AuditServerError { .unavailable(reason: "the log of partitions is damaged") }
}

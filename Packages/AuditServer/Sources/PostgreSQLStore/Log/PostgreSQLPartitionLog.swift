import AuditModel
import EventModel
import EventProofs

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The log of sealed partitions in the tables of a database; used in a transaction that is open.
///
/// The row of the head is locked by whoever appends, until the commit: entries of several servers come one after the
/// other, without gaps, and none is seen before those in front of it.
struct PostgreSQLPartitionLog {
    let connection: PostgreSQLConnection

    // MARK: - Appending

    /// Enters what was sealed before there was a log.
    func begin() throws {
        let rows = try connection.rows(
            """
            SELECT app, userid, owner, seal, received FROM EventPartition JOIN EventOwner ON EventOwner.id = owner
            WHERE seal IS NOT NULL ORDER BY received, EventPartition.id, prefix
            """
        )
        for row in 0..<rows.count {
            guard
                let app = rows.text(row, 0), let user = rows.text(row, 1), let owner = rows.integer(row, 2),
                let seal = try PartitionRow.seal(rows, row, 3), let received = rows.integer(row, 4)
            else { throw PostgreSQLFailure.damaged(what: "the row of a partition") }
            try append(
                seal,
                of: EventOwner(app: app, user: user),
                owner: owner,
                received: EventInstant(microseconds: received)
            )
        }
    }

    /// Enters a partition.
    func append(_ seal: PartitionSeal, of owner: EventOwner, owner key: Int64, received: EventInstant) throws {
        var frontier = try frontier(locking: true)
        let row = PartitionLogRow(sealing: seal, of: owner, received: received, frontier: &frontier)
        let previous = try seal.previousRoot.flatMap { root in
            try connection.rows(
                "SELECT key FROM PartitionLog WHERE owner = $1 AND name = $2 ORDER BY position LIMIT 1",
                [.bigint(key), .bytes(root.bytes)]
            )
            .firstBytes
        }
        let replaced = previous == seal.publicKey ? nil : previous
        try connection.rows(
            """
            INSERT INTO PartitionLog (position, partition, owner, received, seal, name, key, replaced, nodes)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .bigint(Int64(row.entry.index)), .text(seal.partition.value), .bigint(key),
                .bigint(received.microseconds), try PartitionRow.value(seal),
                row.name.map { .bytes($0.bytes) } ?? .null, .bytes(seal.publicKey),
                replaced.map { .bytes($0) } ?? .null, .bytes(row.nodes),
            ]
        )
        try connection.rows("UPDATE PartitionLogHead SET frontier = $1 WHERE id = 0", [.bytes(frontier.bytes)])
    }

    /// Writes the row of the head again, so that the commit waits for standbys to have the whole log.
    func acknowledge() throws {
        try connection.rows("UPDATE PartitionLogHead SET frontier = frontier WHERE id = 0")
    }

    private func frontier(locking: Bool) throws -> MerkleFrontier {
        let bytes =
            try connection.rows(
                "SELECT frontier FROM PartitionLogHead WHERE id = 0\(locking ? " FOR UPDATE" : "")"
            )
            .firstBytes
        guard let frontier = bytes.flatMap({ MerkleFrontier(bytes: $0) }) else { throw damaged }
        return frontier
    }

    // MARK: - Reading

    /// The tree over the log; good as long as the transaction is open.
    func tree() throws -> StoredMerkleTree<any Error> {
        StoredMerkleTree(count: try frontier(locking: false).count) { level, index throws(any Error) in
            let bytes =
                try connection.rows(
                    "SELECT nodes FROM PartitionLog WHERE position = $1",
                    [.bigint(Int64(PartitionLogRow.index(level: level, index)))]
                )
                .firstBytes
            guard let node = bytes.flatMap({ PartitionLogRow.node(level, in: $0) }) else { throw damaged }
            return node
        }
    }

    /// Reads entries; the table and the clause are ours, and everything that comes from outside is an argument.
    func entries(_ table: String, _ clause: String, _ arguments: [SQLValue]) throws -> [PartitionLogEntry] {
        let rows = try connection.rows(
            """
            SELECT position, app, userid, log.received, seal
            FROM \(table) AS log JOIN EventOwner ON EventOwner.id = owner \(clause)
            """,
            arguments
        )
        return try (0..<rows.count)
            .map { row in
                guard
                    let position = rows.integer(row, 0), position >= 0,
                    let app = rows.text(row, 1), let user = rows.text(row, 2),
                    let received = rows.integer(row, 3), let seal = try PartitionRow.seal(rows, row, 4)
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
        let rows = try connection.rows(
            """
            SELECT app, userid, key, min(received), max(received), count(*), min(position),
                (array_agg(replaced) FILTER (WHERE replaced IS NOT NULL))[1]
            FROM PartitionLog JOIN EventOwner ON EventOwner.id = owner
            GROUP BY owner, app, userid, key HAVING min(position) >= $1 ORDER BY min(position) LIMIT $2
            """,
            [.bigint(Int64(clamping: index)), .bigint(Int64(max(0, limit)))]
        )
        return try (0..<rows.count)
            .map { row in
                guard
                    let app = rows.text(row, 0), let user = rows.text(row, 1), let key = rows.bytes(row, 2),
                    let first = rows.integer(row, 3), let last = rows.integer(row, 4),
                    let partitions = rows.integer(row, 5), let position = rows.integer(row, 6), position >= 0
                else { throw damaged }
                return DeviceKeyRecord(
                    owner: EventOwner(app: app, user: user),
                    publicKey: key,
                    firstSeen: EventInstant(microseconds: first),
                    lastSeen: EventInstant(microseconds: last),
                    partitions: UInt64(partitions),
                    firstEntry: UInt64(position),
                    replaced: rows.bytes(row, 7)
                )
            }
    }

    private var damaged: PostgreSQLFailure { .damaged(what: "the log of partitions") }
}

extension SQLRows {
    /// The bytes in the first column of the first row; nil when there is no row.
    fileprivate var firstBytes: [UInt8]? { count > 0 ? bytes(0, 0) : nil }
}

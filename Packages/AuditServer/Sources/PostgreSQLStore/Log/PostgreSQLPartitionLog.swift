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

    /// How many entries are made at once of what was sealed before there was a log.
    private static let groupCount = 256

    /// Enters what was sealed before there was a log.
    func begin() throws {
        let rows = try connection.rows(
            """
            SELECT app, userid, owner, seal, received FROM EventPartition JOIN EventOwner ON EventOwner.id = owner
            WHERE seal IS NOT NULL ORDER BY received, EventPartition.id, prefix
            """
        )
        for start in stride(from: 0, to: rows.count, by: Self.groupCount) {
            let group = start..<min(start + Self.groupCount, rows.count)
            try append(
                group.map { row in
                    guard
                        let app = rows.text(row, 0), let user = rows.text(row, 1), let owner = rows.integer(row, 2),
                        let seal = try PartitionRow.seal(rows, row, 3), let received = rows.integer(row, 4)
                    else { throw PostgreSQLFailure.damaged(what: "the row of a partition") }
                    return try SealedPartition(
                        seal,
                        of: EventOwner(app: app, user: user),
                        ownerKey: owner,
                        received: EventInstant(microseconds: received)
                    )
                }
            )
        }
    }

    /// Enters partitions, in their order.
    ///
    /// - Returns: The log after them.
    @discardableResult
    func append(_ partitions: [SealedPartition]) throws -> MerkleFrontier {
        var frontier = try frontier(locking: true)
        let rows = partitions.map { partition in
            PartitionLogRow(
                sealing: partition.seal,
                of: partition.owner,
                received: partition.received,
                frontier: &frontier
            )
        }
        let replaced = try replacedKeys(partitions, rows)
        try connection.rows(
            """
            INSERT INTO PartitionLog (position, partition, owner, received, seal, name, key, replaced, nodes)
            SELECT * FROM unnest(
                $1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[],
                $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[]
            )
            """,
            [
                .array(ofNumbers: rows.map { Int64($0.entry.index) }),
                .array(ofTexts: partitions.map(\.seal.partition.value)),
                .array(ofNumbers: partitions.map(\.ownerKey)),
                .array(ofNumbers: partitions.map(\.received.microseconds)),
                .array(ofTexts: partitions.map(\.text)),
                .array(ofBytes: rows.map { $0.name?.bytes }),
                .array(ofBytes: partitions.map(\.seal.publicKey)),
                .array(ofBytes: replaced), .array(ofBytes: rows.map(\.nodes)),
            ]
        )
        try connection.rows("UPDATE PartitionLogHead SET frontier = $1 WHERE id = 0", [.bytes(frontier.bytes)])
        return frontier
    }

    /// Returns for each partition the key of the one that it follows, where that is another key.
    private func replacedKeys(_ partitions: [SealedPartition], _ rows: [PartitionLogRow]) throws -> [[UInt8]?] {
        let previous = partitions.map { partition in
            partition.seal.previousRoot.map { PartitionName(ownerKey: partition.ownerKey, root: $0) }
        }
        var keys = try storedKeys(of: previous.compactMap(\.self))
        return zip(partitions, zip(previous, rows))
            .map { partition, place in
                let (previous, row) = place
                let key = previous.flatMap { keys[$0] }
                // The first that has a name keeps it, also among those that come at once.
                if let root = row.name {
                    let name = PartitionName(ownerKey: partition.ownerKey, root: root)
                    if keys[name] == nil { keys[name] = partition.seal.publicKey }
                }
                return key == partition.seal.publicKey ? nil : key
            }
    }

    /// Reads the keys that sealed partitions of these names first.
    private func storedKeys(of names: [PartitionName]) throws -> [PartitionName: [UInt8]] {
        guard !names.isEmpty else { return [:] }
        let rows = try connection.rows(
            """
            SELECT wanted.place, log.key
            FROM unnest($1::bigint[], $2::bytea[]) WITH ORDINALITY AS wanted (owner, name, place)
            CROSS JOIN LATERAL (
                SELECT key FROM PartitionLog WHERE owner = wanted.owner AND name = wanted.name ORDER BY position LIMIT 1
            ) AS log
            """,
            [.array(ofNumbers: names.map(\.ownerKey)), .array(ofBytes: names.map(\.root.bytes))]
        )
        var keys: [PartitionName: [UInt8]] = [:]
        for row in 0..<rows.count {
            guard let place = rows.integer(row, 0), let key = rows.bytes(row, 1) else { throw damaged }
            keys[names[Int(place) - 1]] = key
        }
        return keys
    }

    /// Makes the commit wait until standbys have all that can be read, without a lock and without a row.
    ///
    /// PostgreSQL waits for nobody when nothing was written, so that a message of no bytes is written to its log.
    func acknowledge() throws {
        try connection.rows("SELECT pg_logical_emit_message(true, 'daybook', '')")
    }

    /// Reads the head.
    func frontier() throws -> MerkleFrontier { try frontier(locking: false) }

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

    /// The tree over the log with a head that was read; good as long as the transaction is open.
    func tree(_ head: MerkleFrontier) -> StoredMerkleTree<any Error> {
        StoredMerkleTree(count: head.count) { level, index throws(any Error) in
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

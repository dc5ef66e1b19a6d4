import AuditModel
import EventModel
import EventProofs

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The row of a partition, as the storing of a stretch sees it.
struct PartitionRow {
    /// The key of the owner's row.
    let owner: Int64
    /// The month that the events lie in.
    let month: EventMonth
    /// What is known of the partition.
    let ledger: PartitionLedger

    /// The columns that ``record(_:_:)`` reads, in its order; the tables are `EventPartition` and `EventOwner`.
    static let recordColumns = """
        value, app, userid, count, root, seal, received, month, EventPartition.id, EventPartition.prefix
        """
    /// The place of the month among them.
    static let monthColumn = 7
    /// The place of the first column behind them.
    static let columnBehind = 10

    /// Reads the row of a partition and keeps everybody else from it until the transaction ends; nil when there is none.
    static func locked(_ partition: PartitionID, on connection: PostgreSQLConnection) throws -> PartitionRow? {
        let rows = try connection.rows(
            """
            SELECT owner, month, app, userid, frontier, seal IS NOT NULL
            FROM EventPartition JOIN EventOwner ON EventOwner.id = owner
            WHERE value = $1 FOR UPDATE OF EventPartition
            """,
            [.text(partition.value)]
        )
        guard rows.count > 0 else { return nil }
        guard
            let owner = rows.integer(0, 0), let month = rows.integer(0, 1).flatMap({ Int32(exactly: $0) }),
            let app = rows.text(0, 2), let user = rows.text(0, 3),
            let frontier = rows.bytes(0, 4).flatMap({ MerkleFrontier(bytes: $0) }),
            let isSealed = rows.boolean(0, 5)
        else { throw PostgreSQLFailure.damaged(what: "the row of a partition") }
        return PartitionRow(
            owner: owner,
            month: EventMonth(number: month),
            ledger: PartitionLedger(
                owner: EventOwner(app: app, user: user),
                partition: partition,
                frontier: frontier,
                isSealed: isSealed
            )
        )
    }

    /// Reads a partition for a listing; the columns are ``recordColumns``.
    static func record(_ rows: SQLRows, _ row: Int) throws -> PartitionRecord {
        // Whatever makes a column unreadable, the partition itself as well, the answer is the same.
        guard
            let value = rows.text(row, 0), let partition = try? PartitionID(value),
            // Listings are in the order of these, and would go round in circles.
            rows.text(row, 8) == partition.id.stringValue,
            let prefix = rows.text(row, 9), prefix.hasSameBytes(as: partition.prefix),
            let app = rows.text(row, 1), let user = rows.text(row, 2),
            let count = rows.integer(row, 3), count >= 0,
            let root = rows.bytes(row, 4).flatMap({ Digest($0) }),
            let received = rows.integer(row, 6)
        else { throw PostgreSQLFailure.damaged(what: "the row of a partition") }
        return PartitionRecord(
            partition: partition,
            owner: EventOwner(app: app, user: user),
            count: UInt64(count),
            root: root,
            seal: try seal(rows, row, 5),
            received: EventInstant(microseconds: received)
        )
    }

    /// Returns the stored form of a seal.
    static func value(_ seal: PartitionSeal?) throws -> SQLValue {
        .text(try seal.map { try text($0) })
    }

    /// Returns the stored form of a seal as a text.
    static func text(_ seal: PartitionSeal) throws -> String {
        String(decoding: try JSONEncoder().encode(seal), as: UTF8.self)
    }

    /// Reads a stored seal; nil stands for none.
    static func seal(_ rows: SQLRows, _ row: Int, _ column: Int) throws -> PartitionSeal? {
        if rows.isNull(row, column) { return nil }
        do {
            return try JSONDecoder().decode(PartitionSeal.self, from: Data(rows.textBytes(row, column) ?? []))
        } catch {
            throw PostgreSQLFailure.damaged(what: "the seal of a partition")
        }
    }
}

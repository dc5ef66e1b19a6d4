public import AuditModel
public import EventModel
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
public import Foundation
#endif

extension SQLiteEventStore {
    /// Finds where the events with an id lie.
    ///
    /// - Complexity: O(*n* log *m*) for users *n* and events *m*: ids are told apart within the events of a user.
    public func addresses(of id: ObjectId) async throws -> [EventAddress] {
        try await read { database in
            // In this order SQLite looks into the index of ids once for each user; those that came later are not in it.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT _partition, daybook_sequence FROM EventOwner CROSS JOIN AuditEvent
                    WHERE daybook_owner = EventOwner.id AND _id = ?1 AND daybook_repeated = 0
                    UNION SELECT partition, sequence FROM EventConflict WHERE id = ?1
                    ORDER BY 1, 2 LIMIT 100
                    """,
                arguments: [id.stringValue]
            )
            return rows.compactMap { Self.address($0[0], $0[1]) }
        }
    }

    /// Finds the event that ends the stretch of an event.
    ///
    /// - Complexity: O(*n*) in the events of the stretch, of which none is read.
    public func stretchEnd(of address: EventAddress) async throws -> StretchEnd? {
        try await read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT daybook_sequence, daybook_receipt FROM AuditEvent
                    WHERE _partition = ? AND daybook_sequence >= ? AND daybook_receipt IS NOT NULL
                    ORDER BY daybook_sequence LIMIT 1
                    """,
                arguments: [address.partition.value, Int64(clamping: address.sequence)]
            )
            guard let row else { return nil }
            guard let sequence = Int64.fromDatabaseValue(row[0]), sequence > 0 else {
                throw AuditServerError.unavailable(reason: "the row of an event is damaged")
            }
            let bytes = Data.fromDatabaseValue(row[1]).map { Array($0) }
            return StretchEnd(sequence: UInt64(sequence), mark: bytes.map { StretchMark(bytes: $0) } ?? .damaged)
        }
    }

    /// Lists the events that came with an id that another event of their owner has.
    public func conflicts(after number: Int64, limit: Int) async throws -> [EventConflict] {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT number, partition, sequence, app, user, EventConflict.id, received
                    FROM EventConflict JOIN EventOwner ON EventOwner.id = owner
                    WHERE number > ? ORDER BY number LIMIT ?
                    """,
                arguments: [number, limit]
            )
            return try rows.map { row in
                guard let number = Int64.fromDatabaseValue(row[0]), let address = Self.address(row[1], row[2]),
                    let app = String.fromDatabaseValue(row[3]), let user = String.fromDatabaseValue(row[4]),
                    let id = String.fromDatabaseValue(row[5]).flatMap({ try? ObjectId(string: $0) }),
                    let received = Int64.fromDatabaseValue(row[6])
                else { throw AuditServerError.unavailable(reason: "the row of a conflict is damaged") }
                return EventConflict(
                    number: number,
                    address: address,
                    owner: EventOwner(app: app, user: user),
                    id: id,
                    received: EventInstant(microseconds: received)
                )
            }
        }
    }

    private static func address(_ partition: DatabaseValue, _ sequence: DatabaseValue) -> EventAddress? {
        guard let text = String.fromDatabaseValue(partition), let partition = try? PartitionID(text),
            let sequence = Int64.fromDatabaseValue(sequence), sequence > 0
        else { return nil }
        return EventAddress(partition: partition, sequence: UInt64(sequence))
    }
}

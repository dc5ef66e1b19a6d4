import AuditServer
import EventModel

/// The ids of all events of an owner, each with the leaf hash of the event that had it first.
///
/// A recorder offers an event again when a sync failed: the same event may follow itself, another one may not.
struct EventIdentities {
    let connection: PostgreSQLConnection

    /// Enters the ids of new events.
    ///
    /// - Returns: The positions of events whose id the same event has already.
    /// - Throws: ``AuditServerError/conflict(partition:sequence:reason:)`` when another event has an id.
    func claim(_ fresh: Range<Int>, of upload: EventUpload, owner: Int64) throws -> Set<Int> {
        guard !fresh.isEmpty else { return [] }
        let ids = fresh.map { Self.bytes(upload.events[$0].id) }
        let rows = try connection.rows(
            """
            INSERT INTO EventIdentity (owner, id, leaf)
            SELECT $1::bigint, id, leaf FROM unnest($2::bytea[], $3::bytea[]) AS offered (id, leaf)
            ON CONFLICT DO NOTHING RETURNING id
            """,
            [
                .bigint(owner), .array(ofBytes: ids),
                .array(ofBytes: upload.leaves[fresh].map(\.bytes)),
            ]
        )
        guard rows.count < fresh.count else { return [] }
        var firsts = Set((0..<rows.count).compactMap { rows.bytes($0, 0) })
        // The first of several in one stretch is the one that was entered.
        let repeated = fresh.filter { firsts.remove(ids[$0 - fresh.lowerBound]) == nil }
        try check(repeated, of: upload, owner: owner)
        return Set(repeated)
    }

    private func check(_ repeated: [Int], of upload: EventUpload, owner: Int64) throws {
        let rows = try connection.rows(
            "SELECT id, leaf FROM EventIdentity WHERE owner = $1 AND id = ANY ($2::bytea[])",
            [.bigint(owner), .array(ofBytes: repeated.map { Self.bytes(upload.events[$0].id) })]
        )
        var leaves: [[UInt8]: [UInt8]] = [:]
        for row in 0..<rows.count {
            if let id = rows.bytes(row, 0) { leaves[id] = rows.bytes(row, 1) }
        }
        for index in repeated where leaves[Self.bytes(upload.events[index].id)] != upload.leaves[index].bytes {
            throw AuditServerError.conflict(
                partition: upload.partition,
                sequence: upload.firstSequence + UInt64(index),
                reason: "another event has its id"
            )
        }
    }

    private static func bytes(_ id: ObjectId) -> [UInt8] {
        SQLValue.bigEndian(id.high) + SQLValue.bigEndian(id.low)
    }
}

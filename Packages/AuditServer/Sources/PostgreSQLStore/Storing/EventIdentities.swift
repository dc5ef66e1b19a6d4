import AuditModel
import EventModel

/// The ids of all events of an owner, each with the leaf hash of the event that had it first.
///
/// A recorder offers an event again when a sync failed: the same event may follow itself, and another one is told of.
struct EventIdentities {
    let connection: PostgreSQLConnection

    /// Enters the ids of new events, and those that another event has in the list of conflicts.
    ///
    /// - Returns: The positions of events whose id the same event has already.
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
        return try withoutConflicts(repeated, of: upload, owner: owner)
    }

    private func withoutConflicts(_ repeated: [Int], of upload: EventUpload, owner: Int64) throws -> Set<Int> {
        let rows = try connection.rows(
            "SELECT id, leaf FROM EventIdentity WHERE owner = $1 AND id = ANY ($2::bytea[])",
            [.bigint(owner), .array(ofBytes: repeated.map { Self.bytes(upload.events[$0].id) })]
        )
        var leaves: [[UInt8]: [UInt8]] = [:]
        for row in 0..<rows.count {
            if let id = rows.bytes(row, 0) { leaves[id] = rows.bytes(row, 1) }
        }
        let same = Set(repeated.filter { leaves[Self.bytes(upload.events[$0].id)] == upload.leaves[$0].bytes })
        try insertConflicts(repeated.filter { !same.contains($0) }, of: upload, owner: owner)
        return same
    }

    private func insertConflicts(_ others: [Int], of upload: EventUpload, owner: Int64) throws {
        guard !others.isEmpty else { return }
        try connection.rows(
            """
            INSERT INTO EventConflict (partition, sequence, owner, id, received)
            SELECT $1, sequence, $2, id, $3 FROM unnest($4::bigint[], $5::text[]) AS other (sequence, id)
            ORDER BY sequence
            """,
            [
                .text(upload.partition.value), .bigint(owner), .bigint(upload.received.microseconds),
                .array(ofNumbers: others.map { Int64(upload.firstSequence) + Int64($0) }),
                .array(ofTexts: others.map { upload.events[$0].id.stringValue }),
            ]
        )
    }

    private static func bytes(_ id: ObjectId) -> [UInt8] {
        SQLValue.bigEndian(id.high) + SQLValue.bigEndian(id.low)
    }
}

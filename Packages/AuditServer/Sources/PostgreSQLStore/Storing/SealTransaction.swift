import AuditModel
import EventModel
import EventProofs

/// What happens in the transaction that seals partitions of many uploads at once.
///
/// The plain case alone: each partition is exactly as its upload left it, and nobody else is at it. Whatever is not as plain, a lost
/// event, another seal, a damaged row, is left to ``StretchTransaction``, which decides it by the rules and hinders nobody.
///
/// No partition is waited for, so that neither a long upload nor an erasure keeps others from being sealed, and no circle of those who
/// wait can go through here: the head of the log is the one lock that is waited for, and it is the last.
struct SealTransaction {
    /// What came of it.
    struct Outcome: Sendable {
        /// Which of the partitions are sealed, in their order.
        let areSealed: [Bool]
        /// The log after it.
        let log: MerkleFrontier
    }

    let connection: PostgreSQLConnection

    /// Seals what can be and enters it in the log; the transaction is open.
    ///
    /// - Parameter sealings: The partitions, in the order in which they come in the log. One may be there twice, when its device has sent
    ///   it again.
    /// - Returns: What is sealed; nil when nothing is.
    /// - Throws: ``PostgreSQLFailure``; nothing is sealed then.
    func seal(_ sealings: [PartitionSealing]) throws -> Outcome? {
        let stored = try lock(sealings.map(\.partition.seal.partition))
        var sealed: [PartitionID: PartitionSealing] = [:]
        var fresh: [SealedPartition] = []
        let areSealed = sealings.map { sealing in
            let partition = sealing.partition.seal.partition
            if let first = sealed[partition] { return first.partition.seal == sealing.partition.seal }
            guard let row = stored[partition], row.owner == sealing.partition.owner,
                row.ownerKey == sealing.partition.ownerKey, row.frontier == sealing.frontier.bytes
            else { return false }
            sealed[partition] = sealing
            fresh.append(sealing.partition)
            return true
        }
        guard !fresh.isEmpty else { return nil }
        try write(fresh)
        return Outcome(areSealed: areSealed, log: try PostgreSQLPartitionLog(connection: connection).append(fresh))
    }

    private struct Row {
        let owner: EventOwner
        let ownerKey: Int64
        let frontier: [UInt8]
    }

    /// Reads the partitions that are not sealed, and keeps everybody else from them; those that somebody else has are left out.
    private func lock(_ partitions: [PartitionID]) throws -> [PartitionID: Row] {
        let rows = try connection.rows(
            """
            SELECT value, owner, app, userid, frontier
            FROM EventPartition JOIN EventOwner ON EventOwner.id = owner
            WHERE value = ANY ($1::text[]) AND seal IS NULL
            ORDER BY value FOR UPDATE OF EventPartition SKIP LOCKED
            """,
            [.array(ofTexts: partitions.map(\.value))]
        )
        var found: [PartitionID: Row] = [:]
        for row in 0..<rows.count {
            // One that is damaged is left out, too.
            guard let value = rows.text(row, 0).flatMap({ try? PartitionID($0) }), let key = rows.integer(row, 1),
                let app = rows.text(row, 2), let user = rows.text(row, 3), let frontier = rows.bytes(row, 4)
            else { continue }
            found[value] = Row(owner: EventOwner(app: app, user: user), ownerKey: key, frontier: frontier)
        }
        return found
    }

    private func write(_ partitions: [SealedPartition]) throws {
        try connection.rows(
            """
            UPDATE EventPartition SET seal = sealed.seal, received = sealed.received
            FROM unnest($1::text[], $2::text[], $3::bigint[]) AS sealed (value, seal, received)
            WHERE EventPartition.value = sealed.value
            """,
            [
                .array(ofTexts: partitions.map(\.seal.partition.value)), .array(ofTexts: partitions.map(\.text)),
                .array(ofNumbers: partitions.map(\.received.microseconds)),
            ]
        )
    }
}

import AuditModel
import EventModel
import EventProofs

/// What happens in the transaction that stores a stretch and answers for it.
///
/// Locks are taken in one order, so that two servers never wait for each other: the partition, its owner, metadata
/// keys, ids of events, the head of the log. The head is locked here only for a seal that is not entered together with
/// others, see ``SealTransaction``.
struct StretchTransaction {
    let connection: PostgreSQLConnection

    /// Stores a stretch; the transaction is open, and whatever is thrown takes it back.
    ///
    /// Something is written in any case, so that the commit waits for the standbys also when a retry inserts nothing: what was
    /// stored before may be on one machine alone.
    ///
    /// - Returns: How far the partition is stored, and whether there is anything of it.
    func accept(_ upload: EventUpload, _ sealed: SealedPayloads) throws -> (proof: DurabilityProof, isKnown: Bool) {
        let decision = try decide(upload)
        let (ledger, addition) = (decision.ledger, decision.addition)
        if !addition.isEmpty {
            try store(decision, of: upload, sealed, seal: addition.seal)
            if let seal = addition.seal {
                let partition = try SealedPartition(
                    seal,
                    of: upload.owner,
                    ownerKey: decision.row.owner,
                    received: upload.received
                )
                try PostgreSQLPartitionLog(connection: connection).append([partition])
            }
        }
        try acknowledge(upload.partition)
        return (ledger.proof, ledger != PartitionLedger(owner: upload.owner, partition: upload.partition))
    }

    /// Stores a stretch but for its seal, which was found to fit; the transaction is open.
    ///
    /// - Returns: What is to be sealed; nil when there is nothing to seal, and nothing is to be committed.
    func acceptUnsealed(_ upload: EventUpload, _ sealed: SealedPayloads) throws -> PartitionSealing? {
        let decision = try decide(upload)
        guard let seal = decision.addition.seal else { return nil }
        if !decision.addition.events.isEmpty { try store(decision, of: upload, sealed, seal: nil) }
        return PartitionSealing(
            partition: try SealedPartition(
                seal,
                of: upload.owner,
                ownerKey: decision.row.owner,
                received: upload.received
            ),
            frontier: decision.ledger.frontier,
            proof: decision.ledger.proof
        )
    }

    /// What the rules say of a stretch.
    private struct Decision {
        let row: PartitionRow
        let ledger: PartitionLedger
        let addition: PartitionLedger.Addition
    }

    private func decide(_ upload: EventUpload) throws -> Decision {
        let row = try PartitionRow.locked(upload.partition, on: connection) ?? make(upload)
        var ledger = row.ledger
        let tree = PostgreSQLStoredPartition(partition: upload.partition, connection: connection)
        let addition = try ledger.accept(upload, tree)
        return Decision(row: row, ledger: ledger, addition: addition)
    }

    private func store(
        _ decision: Decision,
        of upload: EventUpload,
        _ sealed: SealedPayloads,
        seal: PartitionSeal?
    ) throws {
        let (row, fresh) = (decision.row, decision.addition.events)
        try CollectionKeys(connection: connection).require(upload.events[fresh], of: upload)
        let repeated = try EventIdentities(connection: connection).claim(fresh, of: upload, owner: row.owner)
        try EventColumns.copy(fresh, of: upload, sealed, in: row, repeated: repeated, to: connection)
        try PostgreSQLStoredPartition(partition: upload.partition, connection: connection)
            .insert(decision.addition.nodes)
        try write(decision.ledger, seal, received: upload.received)
    }

    /// Writes the row that makes the commit wait.
    func acknowledge(_ partition: PartitionID) throws {
        try connection.rows(
            """
            INSERT INTO PartitionAck (partition, acks) VALUES ($1, 1)
            ON CONFLICT (partition) DO UPDATE SET acks = PartitionAck.acks + 1
            """,
            [.text(partition.value)]
        )
    }

    // MARK: - Partition

    /// Makes the row of a new partition, or waits for whoever makes it at the same time.
    private func make(_ upload: EventUpload) throws -> PartitionRow {
        let owner = try owner(upload.owner)
        let empty = MerkleFrontier()
        try connection.rows(
            """
            INSERT INTO EventPartition (value, id, prefix, owner, month, count, root, frontier, received)
            VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $8) ON CONFLICT DO NOTHING
            """,
            [
                .text(upload.partition.value), .text(upload.partition.id.stringValue), .text(upload.partition.prefix),
                .bigint(owner), .integer(EventMonth(upload.received).number), .bytes(empty.root.bytes),
                .bytes(empty.bytes), .bigint(upload.received.microseconds),
            ]
        )
        guard let row = try PartitionRow.locked(upload.partition, on: connection) else {
            throw PostgreSQLFailure.damaged(what: "the row of a partition")
        }
        return row
    }

    private func owner(_ owner: EventOwner) throws -> Int64 {
        let values: [SQLValue] = [.text(owner.app), .text(owner.user)]
        let known = "SELECT id FROM EventOwner WHERE app = $1 AND userid = $2"
        if let id = try connection.rows(known, values).first { return id }
        try connection.rows("INSERT INTO EventOwner (app, userid) VALUES ($1, $2) ON CONFLICT DO NOTHING", values)
        guard let id = try connection.rows(known, values).first else {
            throw PostgreSQLFailure.damaged(what: "the row of an owner")
        }
        return id
    }

    private func write(_ ledger: PartitionLedger, _ seal: PartitionSeal?, received: EventInstant) throws {
        try connection.rows(
            """
            UPDATE EventPartition
            SET count = $2, root = $3, frontier = $4, seal = coalesce(seal, $5), received = $6 WHERE value = $1
            """,
            [
                .text(ledger.partition.value), .bigint(Int64(ledger.frontier.count)),
                .bytes(ledger.frontier.root.bytes),
                .bytes(ledger.frontier.bytes), try PartitionRow.value(seal), .bigint(received.microseconds),
            ]
        )
    }
}

extension SQLRows {
    /// The number in the first column of the first row; nil when there is no row.
    fileprivate var first: Int64? { count > 0 ? integer(0, 0) : nil }
}

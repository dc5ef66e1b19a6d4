import AuditModel
import EventModel
import EventProofs

/// The hashes of a partition's tree in the tables of a database; used while a transaction is open.
struct PostgreSQLStoredPartition: StoredPartition {
    let partition: PartitionID
    let connection: PostgreSQLConnection

    // MARK: - Reading

    /// Reads the stored leaf hashes.
    func leaves(_ sequences: ClosedRange<UInt64>) throws -> [Digest] {
        try connection.rows(
            """
            SELECT daybook_leaf FROM EventPartition
            JOIN AuditEvent ON daybook_month = month AND _partition = value
            WHERE value = $1 AND daybook_sequence BETWEEN $2 AND $3 ORDER BY daybook_sequence
            """,
            [
                .text(partition.value), .bigint(Int64(clamping: sequences.lowerBound)),
                .bigint(Int64(clamping: sequences.upperBound)),
            ]
        )
        .leaves()
    }

    /// Reads the stored hashes of complete subtrees, all inner ones in one round trip.
    func hashes(of nodes: [MerkleNode]) throws -> [Digest] {
        let inner = nodes.filter { $0.level > 0 }
        let rows = try connection.rows(
            """
            SELECT row.first, row.hashes FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (last, place)
            CROSS JOIN LATERAL (
                SELECT first, hashes FROM TreeNode WHERE partition = $1 AND first <= wanted.last
                ORDER BY first DESC LIMIT 1
            ) AS row ORDER BY place
            """,
            [.text(partition.value), .array(ofNumbers: inner.map { Int64(clamping: $0.end) })]
        )
        guard rows.count == inner.count else { throw damaged }
        var found: [MerkleNode: Digest] = [:]
        for (row, node) in inner.enumerated() {
            guard let first = rows.integer(row, 0), first > 0, let hashes = rows.bytes(row, 1),
                let hash = PartitionNodes.hash(of: node, in: hashes, from: UInt64(first))
            else { throw damaged }
            found[node] = hash
        }
        return try nodes.map { node in
            guard let hash = try found[node] ?? leaves(node.end...node.end).first else { throw damaged }
            return hash
        }
    }

    /// Reads the stored seal.
    func seal() throws -> PartitionSeal? {
        let rows = try connection.rows("SELECT seal FROM EventPartition WHERE value = $1", [.text(partition.value)])
        return rows.count > 0 ? try PartitionRow.seal(rows, 0, 0) : nil
    }

    private var damaged: PostgreSQLFailure { .damaged(what: "the tree of a partition") }

    // MARK: - Writing

    /// Stores rows of the tree.
    func insert(_ nodes: [PartitionNodes]) throws {
        guard !nodes.isEmpty else { return }
        try connection.rows(
            """
            INSERT INTO TreeNode (partition, first, hashes)
            SELECT $1, first, hashes FROM unnest($2::bigint[], $3::bytea[]) AS row (first, hashes)
            """,
            [
                .text(partition.value), .array(ofNumbers: nodes.map { Int64(clamping: $0.first) }),
                .array(ofBytes: nodes.map(\.hashes)),
            ]
        )
    }

    // MARK: - Databases of earlier versions

    /// Makes the rows of all partitions out of their leaves.
    ///
    /// A partition whose leaves are not those of its tree any more gets none: verification says what is wrong with it.
    ///
    /// - Complexity: O(*n*) in all events.
    static func fill(_ connection: PostgreSQLConnection) throws {
        let rows = try connection.rows("SELECT value, frontier FROM EventPartition ORDER BY id, prefix")
        for row in 0..<rows.count {
            // Whatever is wrong with the name, its events cannot be asked for anyway.
            guard let partition = rows.text(row, 0).flatMap({ try? PartitionID($0) }),
                let stored = rows.bytes(row, 1).flatMap({ MerkleFrontier(bytes: $0) })
            else { continue }
            try PostgreSQLStoredPartition(partition: partition, connection: connection).fill(through: stored)
        }
    }

    private func fill(through stored: MerkleFrontier) throws {
        var frontier = MerkleFrontier()
        while frontier.count < stored.count {
            let end = min(frontier.count + 4096, stored.count)
            let leaves = try intactLeaves(frontier.count + 1...end)
            guard frontier.count + UInt64(leaves.count) == end else { break }
            try insert(PartitionNodes.append(leaves, to: &frontier))
        }
        if frontier != stored {
            try connection.rows("DELETE FROM TreeNode WHERE partition = $1", [.text(partition.value)])
        }
    }

    /// Reads leaves; none when one of them is damaged.
    private func intactLeaves(_ sequences: ClosedRange<UInt64>) throws -> [Digest] {
        do {
            return try leaves(sequences)
        } catch PostgreSQLFailure.damaged {
            return []
        }
    }
}

import AuditModel
import EventModel
import EventProofs
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The hashes of a partition's tree in the tables of a database; used while a transaction is open.
struct SQLiteStoredPartition: StoredPartition {
    let partition: PartitionID
    let database: Database

    // MARK: - Reading

    /// Reads the stored leaf hashes.
    func leaves(_ sequences: ClosedRange<UInt64>) throws -> [Digest] {
        let statement = try PreparedStatement(
            """
            SELECT daybook_leaf FROM AuditEvent WHERE _partition = ? AND daybook_sequence BETWEEN ? AND ? \
            ORDER BY daybook_sequence
            """,
            in: database
        )
        defer { statement.reset() }
        try statement.bind(partition.value, at: 1)
        try statement.bind(Int64(clamping: sequences.lowerBound), at: 2)
        try statement.bind(Int64(clamping: sequences.upperBound), at: 3)
        var leaves: [Digest] = []
        while try statement.step() {
            guard let leaf = statement.bytes(0).flatMap({ Digest($0) }) else {
                throw AuditServerError.unavailable(reason: "the leaf hash of an event is damaged")
            }
            leaves.append(leaf)
        }
        return leaves
    }

    /// Reads the stored hashes of complete subtrees, one row for each.
    func hashes(of nodes: [MerkleNode]) throws -> [Digest] {
        let statement = try PreparedStatement(
            "SELECT first, hashes FROM TreeNode WHERE partition = ? AND first <= ? ORDER BY first DESC LIMIT 1",
            in: database
        )
        defer { statement.reset() }
        return try nodes.map { node in
            guard node.level > 0 else {
                guard let leaf = try leaves(node.end...node.end).first else { throw damaged }
                return leaf
            }
            statement.reset()
            try statement.bind(partition.value, at: 1)
            try statement.bind(Int64(clamping: node.end), at: 2)
            guard try statement.step(), let first = statement.integer(0), first > 0, let hashes = statement.bytes(1),
                let hash = PartitionNodes.hash(of: node, in: hashes, from: UInt64(first))
            else { throw damaged }
            return hash
        }
    }

    /// Reads the stored seal.
    func seal() throws -> PartitionSeal? {
        let value = try DatabaseValue.fetchOne(
            database,
            sql: "SELECT seal FROM Partition WHERE value = ?",
            arguments: [partition.value]
        )
        return try value.flatMap { try SQLiteEventStore.seal($0) }
    }

    private var damaged: AuditServerError { .unavailable(reason: "the tree of a partition is damaged") }

    // MARK: - Writing

    /// Stores rows of the tree.
    func insert(_ nodes: [PartitionNodes]) throws {
        guard !nodes.isEmpty else { return }
        let statement = try PreparedStatement(
            "INSERT INTO TreeNode (partition, first, hashes) VALUES (?, ?, ?)",
            in: database
        )
        defer { statement.reset() }
        for row in nodes {
            statement.reset()
            try statement.bind(partition.value, at: 1)
            try statement.bind(Int64(clamping: row.first), at: 2)
            try row.hashes.withUnsafeBytes { try statement.bind(blob: $0, at: 3) }
            _ = try statement.step()
        }
    }

    // MARK: - Databases of earlier versions

    /// Makes the rows of all partitions out of their leaves.
    ///
    /// A partition whose leaves are not those of its tree any more gets none: verification says what is wrong with it.
    ///
    /// - Complexity: O(*n*) in all events.
    static func fill(_ database: Database) throws {
        let partitions = try Row.fetchAll(database, sql: "SELECT value, frontier FROM Partition ORDER BY id, prefix")
        for row in partitions {
            // Whatever is wrong with the name, its events cannot be asked for anyway.
            guard let value = String.fromDatabaseValue(row["value"]), let partition = try? PartitionID(value),
                let bytes = Data.fromDatabaseValue(row["frontier"]), let stored = MerkleFrontier(bytes: bytes)
            else { continue }
            try SQLiteStoredPartition(partition: partition, database: database).fill(through: stored)
        }
    }

    private func fill(through stored: MerkleFrontier) throws {
        var frontier = MerkleFrontier()
        try database.inSavepoint {
            while frontier.count < stored.count {
                let end = min(frontier.count + 1024, stored.count)
                let leaves: [Digest]
                do {
                    leaves = try self.leaves(frontier.count + 1...end)
                } catch is AuditServerError {
                    return .rollback
                }
                guard frontier.count + UInt64(leaves.count) == end else { return .rollback }
                try insert(PartitionNodes.append(leaves, to: &frontier))
            }
            return frontier == stored ? .commit : .rollback
        }
    }
}

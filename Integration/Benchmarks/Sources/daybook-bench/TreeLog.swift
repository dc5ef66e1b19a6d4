import AuditModel
import EventModel
import EventProofs

/// A log of which there is the tree alone: its proofs cost no database.
struct TreeLog: SealLog {
    let tree: MerkleTree

    /// A log of so many entries.
    init(count: Int) {
        tree = MerkleTree(leaves: (0..<count).map { MerkleHash.leaf(withUnsafeBytes(of: $0) { Array($0) }) })
    }

    func withLog<T: Sendable>(
        durably: Bool,
        _ body: @escaping @Sendable (StoredMerkleTree<any Error>) throws -> T
    ) async throws -> T {
        try body(StoredMerkleTree(count: tree.count) { tree.hash(of: MerkleNode(level: $0, index: $1)) })
    }

    func logEntries(from index: UInt64, limit: Int, maximumBytes: Int) async throws -> [PartitionLogEntry] { [] }

    func logEntry(of partition: PartitionID) async throws -> PartitionLogEntry? { nil }

    func deviceKeys(from index: UInt64, limit: Int) async throws -> [DeviceKeyRecord] { [] }
}

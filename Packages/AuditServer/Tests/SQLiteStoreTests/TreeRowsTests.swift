import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import GRDB
import SQLiteStore
import Testing

@Suite("Stored trees of partitions")
struct TreeRowsTests {
    private static let count = 600
    private static let device = {
        var device = SampleDevice()
        device.record(Array(repeating: "a", count: count))
        return device
    }()
    private static let tree = MerkleTree(leaves: device.events.map { MerkleHash.leaf($0.encoded) })

    private static func store(_ path: String) async throws -> SQLiteEventStore {
        let store = try SQLiteEventStore(path: path)
        // Stretches of all kinds of lengths, one event and a hundred.
        var first = 1
        for length in [1, 1, 2, 3, 100, 31, 33, 1, 400, 28] {
            _ = try await store.accept(device.upload(first...first + length - 1))
            first += length
        }
        return store
    }

    private static func empty(at sequence: Int, root: Digest? = nil) throws -> EventUpload {
        try EventUpload(
            PartitionStretch(
                partition: device.partition,
                firstSequence: UInt64(sequence + 1),
                events: EncodedEvents(),
                root: root ?? tree.root(at: UInt64(sequence))
            ),
            owner: SampleDevice.owner,
            received: SampleDevice.received,
            signedBy: SampleDevice.serverKey
        )
    }

    @Test("an empty stretch needs no row but those of the few hashes at its place", arguments: [2, 64, 256, 510, 598])
    func rowsThatAreRead(sequence: Int) async throws {
        let folder = try TestFolder.made()
        let store = try await Self.store(folder.file("db"))
        try await DatabaseQueue.beside(folder.file("db"))
            .write { database in
                try database.execute(sql: "UPDATE AuditEvent SET daybook_leaf = x'00'")
                let firsts = try Int64.fetchAll(database, sql: "SELECT first FROM TreeNode ORDER BY first")
                let needed = MerkleNode.peaks(of: UInt64(sequence))
                    .compactMap { node in
                        firsts.last { $0 <= Int64(node.end) }
                    }
                for first in firsts where !needed.contains(first) {
                    try database.execute(sql: "UPDATE TreeNode SET hashes = x'00' WHERE first = ?", arguments: [first])
                }
            }

        let proof = try await store.accept(Self.empty(at: sequence))

        #expect(proof.durableThrough == UInt64(Self.count))
        await #expect(throws: AuditServerError.self) {
            try await store.accept(Self.empty(at: sequence, root: MerkleHash.empty))
        }
    }

    @Test("the root at every place is that of the tree")
    func everyPlace() async throws {
        let folder = try TestFolder.made()
        let store = try await Self.store(folder.file("db"))

        for sequence in 0...Self.count {
            #expect(try await store.accept(Self.empty(at: sequence)).root == Self.tree.root)
        }
        for sequence in [1, 300, 599] {
            await #expect(throws: AuditServerError.self) {
                try await store.accept(Self.empty(at: sequence, root: Self.tree.root))
            }
        }
    }

    @Test("a database of an earlier version gets the rows of its trees when it is opened")
    func migration() async throws {
        let folder = try TestFolder.made()
        _ = try await Self.store(folder.file("db"))
        try await DatabaseQueue.beside(folder.file("db")).write { try Self.takeBack($0) }

        let store = try SQLiteEventStore(path: folder.file("db"))

        for sequence in stride(from: 0, through: Self.count, by: 37) {
            #expect(try await store.accept(Self.empty(at: sequence)).root == Self.tree.root)
        }
        var longer = Self.device
        longer.record(["b", "c", "d"])
        #expect(try await store.accept(longer.upload(601...602)).durableThrough == 602)
        #expect(try await store.accept(longer.upload(603...603)).durableThrough == 603)
        #expect(try await store.accept(Self.empty(at: 600)).durableThrough == 603)
    }

    @Test(
        "a partition that was damaged before the update hinders no start, takes no word for its tree, and takes new events",
        arguments: [
            "UPDATE AuditEvent SET daybook_leaf = x'00' WHERE daybook_sequence = 5",
            "UPDATE AuditEvent SET daybook_leaf = zeroblob(32) WHERE daybook_sequence = 5",
            "DELETE FROM AuditEvent WHERE daybook_sequence = 5",
            "UPDATE Partition SET frontier = x'00'",
        ]
    )
    func damagedBefore(change: String) async throws {
        let folder = try TestFolder.made()
        _ = try await Self.store(folder.file("db"))
        var other = SampleDevice(2)
        other.record(["a", "b", "c"])
        _ = try await SQLiteEventStore(path: folder.file("db")).accept(other.upload(1...3))
        try await DatabaseQueue.beside(folder.file("db"))
            .write { database in
                try Self.takeBack(database)
                try database.execute(
                    sql: change + (change.contains("WHERE") ? " AND" : " WHERE")
                        + (change.contains("frontier") ? " value = ?" : " _partition = ?"),
                    arguments: [Self.device.partition.value]
                )
            }

        let store = try SQLiteEventStore(path: folder.file("db"))

        await #expect(throws: AuditServerError.self) { try await store.accept(Self.empty(at: 510)) }
        #expect(try await store.accept(other.upload(1...2)).durableThrough == 3)
        guard !change.contains("frontier") else { return }
        var longer = Self.device
        longer.record(["b"])
        #expect(try await store.accept(longer.upload(601...601)).durableThrough == 601)
    }

    /// Makes the database one of the version before.
    private static func takeBack(_ database: Database) throws {
        try database.execute(
            sql: """
                DROP TABLE TreeNode;
                DELETE FROM grdb_migrations WHERE identifier = '5 trees of partitions';
                """
        )
    }
}

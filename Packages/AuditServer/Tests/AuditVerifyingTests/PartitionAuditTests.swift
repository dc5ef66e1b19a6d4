import AuditModel
import AuditServerTesting
import AuditVerifying
import EventModel
import EventModelTesting
import EventProofs
import GRDB
import SQLiteStore
import Testing

@Suite("Verification of stored events")
struct PartitionAuditTests {
    /// Stores a sealed partition of three events, changes the database by SQL, and returns what the audit finds.
    private func problems(after sql: String, isSealed: Bool = true) async throws -> [String] {
        let folder = try TestFolder.made()
        let store = try SQLiteEventStore(path: folder.file("db"))
        var device = SampleDevice()
        for activity in ["a", "b", "c"] {
            device.record(device.event(activity, metadata: try EventMetadata(["userId": "nurse1"])))
        }
        _ = try await store.accept(device.upload(1...3, seal: isSealed ? device.seal() : nil))
        try await DatabaseQueue.beside(folder.file("db")).write { try $0.execute(sql: sql) }

        let record = try #require(try await store.partition(device.partition))
        let page = try await store.events(
            EventFilter(partition: device.partition, includesRepeated: true),
            after: nil,
            limit: 100,
            maximumBytes: 1_000_000
        )
        var audit = PartitionAudit(partition: device.partition)
        for stored in page.events { audit.add(StoredLeaf(stored)) }
        audit.finish(count: record.count, root: record.root, seal: record.seal)
        return audit.problems
    }

    @Test("what was received is verified", arguments: [true, false])
    func intact(isSealed: Bool) async throws {
        #expect(try await problems(after: "SELECT 1", isSealed: isSealed) == [])
    }

    @Test(
        "a change of any column is found, and the event is named",
        arguments: [
            "_id = '000000000000070000000009'", "activity = 'x'", "event = NULL", "event = ''", "data = 'x'",
            "data = NULL", "timestamp = timestamp + 1", "daybook_monotonic = 0",
            "daybook_boot = '00000000000000010000000000000003'", "daybook_committed = NULL", "daybook_marks = 1",
            "userId = 'nurse2'", "userId = NULL",
        ]
    )
    func changedColumn(change: String) async throws {
        let problems = try await problems(after: "UPDATE AuditEvent SET \(change) WHERE daybook_sequence = 2")

        #expect(
            problems.first
                == "Partition ward-000000000000000700000001: event 2 is not what was received: its leaf hash differs."
        )
        #expect(problems.count == 3)
    }

    @Test(
        "a column that no longer holds its kind of value is found, and the event is named",
        arguments: ["timestamp = 'noon'", "_id = 'x'", "daybook_boot = 'x'", "daybook_marks = 300"]
    )
    func damagedColumn(change: String) async throws {
        let problems = try await problems(after: "UPDATE AuditEvent SET \(change) WHERE daybook_sequence = 2")

        #expect(
            problems.first
                == "Partition ward-000000000000000700000001: the columns of event 2 no longer make up an event."
        )
    }

    @Test("removed events are found, and their sequences are named")
    func removed() async throws {
        let middle = try await problems(after: "DELETE FROM AuditEvent WHERE daybook_sequence = 2")
        let last = try await problems(after: "DELETE FROM AuditEvent WHERE daybook_sequence = 3")

        #expect(middle.first == "Partition ward-000000000000000700000001: events 2 to 2 are missing.")
        #expect(last.first == "Partition ward-000000000000000700000001: events 3 to 3 are missing.")
    }

    @Test("a leaf hash that was changed together with its column is found by the root")
    func consistentChange() async throws {
        var forged = SampleDevice()
        forged.record(["x"])
        let event = AuditEvent(
            id: forged.events[0].id,
            clock: forged.events[0].clock,
            activity: "x",
            event: "read",
            data: forged.events[0].data,
            metadata: try EventMetadata(["userId": "nurse1"]),
            scopeCommitted: forged.events[0].scopeCommitted
        )
        let leaf = MerkleHash.leaf(event.encoded)
        let problems = try await problems(
            after: "UPDATE AuditEvent SET activity = 'x', daybook_leaf = x'\(leaf)' WHERE daybook_sequence = 1",
            isSealed: false
        )

        #expect(
            problems == [
                "Partition ward-000000000000000700000001: the root over the events differs from the stored one."
            ]
        )
    }

    @Test("a changed root or count of a partition is found")
    func changedPartition() async throws {
        let root = try await problems(after: "UPDATE Partition SET root = zeroblob(32)", isSealed: false)
        let fewer = try await problems(after: "UPDATE Partition SET count = 2", isSealed: false)

        #expect(
            root == ["Partition ward-000000000000000700000001: the root over the events differs from the stored one."]
        )
        #expect(fewer == ["Partition ward-000000000000000700000001: there are 3 events, and 2 were received."])
    }

    @Test("a changed seal is found by its signature")
    func changedSeal() async throws {
        let problems = try await problems(
            after: #"UPDATE Partition SET seal = replace(seal, '"count":3', '"count":4')"#
        )

        #expect(
            problems == [
                "The signature of the seal of ward-000000000000000700000001 does not belong to what the seal says."
            ]
        )
    }
}

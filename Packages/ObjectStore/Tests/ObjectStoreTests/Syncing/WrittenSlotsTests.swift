import ChangeModel
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What was written of which rows")
struct WrittenSlotsTests {
    @Test(
        "is told in the order of the keys, in whatever order it was written",
        arguments: [[1, 2, 3], [3, 1, 2], [2, 3, 1]]
    )
    func order(_ keys: [Int64]) {
        var written = WrittenSlots()
        #expect(written.isEmpty)
        for key in keys { written.insert(key, Int(key)) }
        for key in keys { written.insert(key, 0) }

        #expect(!written.isEmpty)
        #expect(written.rows.map(\.key) == [1, 2, 3])
        #expect(written.rows.allSatisfy { $0.slots.contains(0) && $0.slots.contains(Int($0.key)) })
        #expect((0..<5).filter(written.all.contains) == [0, 1, 2, 3])
    }

    @Test("is known by row and property", arguments: [[10, 20, 30], [30, 10, 20]])
    func known(_ keys: [Int64]) {
        var written = WrittenSlots()
        #expect(!written.contains(10, 1))
        for key in keys { written.insert(key, 1) }

        for key in keys { #expect(written.contains(key, 1) && !written.contains(key, 2)) }
        for key in [Int64.min, 0, 15, 25, 31, .max] { #expect(!written.contains(key, 1)) }
    }
}

@Suite("Objects that a transaction wrote to")
struct WrittenObjectTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([SyncedChart.self]) { $0.keepsChanges = true }
        realm = try file.open()
    }

    /// The keys and values of the assignments of the last change, each a text of its own.
    private func assignments() throws -> [ChangeOperation] {
        let store = realm.core.store
        let pending = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded() }
        return try #require(pending.last).operations
    }

    @Test(
        "are sent in the order of their keys, whether they lie close together or far apart",
        arguments: [Array(1...9), [3, 1, 2], [5, 1, 1_000_000], [-4_000_000_000, 7], [.min, 0, .max]]
    )
    func closeAndFar(_ keys: [Int]) throws {
        let others = (1...20).filter { !keys.contains($0) }
        try realm.write { for id in keys + others { realm.create(SyncedChart.self, value: ["id": id]) } }
        try realm.write {
            for id in keys { realm.object(ofType: SyncedChart.self, forPrimaryKey: id)?.count = id }
        }

        #expect(
            try assignments()
                == keys.sorted()
                .map { ChangeOperation(ObjectAddress("SyncedChart", .int(Int64($0))), .set("count", .int(Int64($0)))) }
        )
    }

    @Test("and were deleted afterwards are sent as deleted alone")
    func deleted() throws {
        let charts = try realm.write { (1...3).map { realm.create(SyncedChart.self, value: ["id": $0]) } }
        try realm.write {
            for chart in charts { chart.title = "x" }
            realm.delete(charts[1])
        }

        #expect(
            try assignments() == [
                ChangeOperation(ObjectAddress("SyncedChart", .int(2)), .delete),
                ChangeOperation(ObjectAddress("SyncedChart", .int(1)), .set("title", "x")),
                ChangeOperation(ObjectAddress("SyncedChart", .int(3)), .set("title", "x")),
            ]
        )
    }

    @Test("may be of more than one change, each with names of its own")
    func severalChanges() throws {
        let text = String(repeating: "é", count: 1 << 21)
        try realm.write {
            for id in 1...4 { realm.create(SyncedChart.self, value: ["id": id, "title": text] as [String: Any]) }
        }
        let store = realm.core.store
        let pending = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded() }
        #expect(pending.count == 4)
        #expect(
            pending.flatMap(\.operations)
                == (1...4)
                .map { id in
                    ChangeOperation(
                        ObjectAddress("SyncedChart", .int(id)),
                        .create(given: ["title": .string(ExactText(text))], defaults: ["count": .null, "next": .null])
                    )
                }
        )
    }
}

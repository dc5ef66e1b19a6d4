import ChangeModel
import ChangeModelTesting
import Dispatch
import EventModel
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

final class SyncedChart: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = "untitled"
    @Persisted var count: Int?
    @Persisted var tags: List<String>
    @Persisted var marks: MutableSet<Int>
    @Persisted var scores: Map<String, Int>
    @Persisted var next: SyncedChart?
    @Persisted var others: List<SyncedChart>
}

/// A class without a primary key, which no server could name.
final class NamelessChart: Object {
    @Persisted var title: String
}

@Suite("What a transaction is kept as")
struct CollectedChangeTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let chart = ObjectAddress("SyncedChart", .int(1))

    init() throws {
        file = try TemporaryRealm([SyncedChart.self]) { $0.keepsChanges = true }
        realm = try file.open()
    }

    /// The operations of each change, in a line each.
    private func changes() throws -> [[String]] {
        let store = realm.core.store
        let pending = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded() }
        return pending.map { $0.operations.map(\.description) }
    }

    /// The operations of the last change, with the names of elements replaced by their values.
    private func last() throws -> [ChangeOperation] {
        let store = realm.core.store
        let pending = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded() }
        return try #require(pending.last).operations
    }

    private func made() throws -> SyncedChart {
        try realm.write {
            realm.create(
                SyncedChart.self,
                value: ["id": 1, "tags": ["a", "b", "c"], "marks": [1, 2]] as [String: Any]
            )
        }
    }

    @Test("of a created object what was given and what is a default are told apart")
    func defaults() throws {
        try realm.write { _ = realm.create(SyncedChart.self, value: ["id": 1, "title": "x"] as [String: Any]) }
        #expect(
            try last() == [
                ChangeOperation(chart, .create(given: ["title": "x"], defaults: ["count": .null, "next": .null]))
            ]
        )
    }

    @Test("what is assigned to a new object afterwards is given")
    func assignedLater() throws {
        try realm.write {
            let chart = realm.create(SyncedChart.self, value: ["id": 1] as [String: Any])
            chart.count = 3
        }
        #expect(
            try last() == [
                ChangeOperation(
                    chart,
                    .create(given: ["count": 3], defaults: ["title": "untitled", "next": .null])
                )
            ]
        )
    }

    @Test("a cell that is written twice is there once, and a transaction that wrote nothing is no change")
    func net() throws {
        let made = try made()
        let before = try changes().count
        try realm.write {
            made.count = 1
            made.count = 2
        }
        try realm.write {}
        #expect(try changes().count == before + 1)
        #expect(try last() == [ChangeOperation(chart, .set("count", 2))])
    }

    @Test("what came and went in one transaction is not there; what went and came is a pair")
    func cameAndWent() throws {
        _ = try made()
        let before = try changes().count
        try realm.write {
            let passing = realm.create(SyncedChart.self, value: ["id": 7] as [String: Any])
            realm.delete(passing)
        }
        #expect(try changes().count == before)
        try realm.write {
            realm.delete(realm.objects(SyncedChart.self))
            realm.create(SyncedChart.self, value: ["id": 1] as [String: Any])
        }
        let kinds = try last().map { operation in if case .delete = operation.action { "delete" } else { "other" } }
        #expect(kinds == ["delete", "other"])
    }

    @Test("a transaction that was cancelled is no change")
    func cancelled() throws {
        let made = try made()
        let before = try changes()
        realm.beginWrite()
        made.tags.append("d")
        made.count = 9
        realm.cancelWrite()
        #expect(try changes() == before)
    }

    @Test("links that a deletion clears are no operations")
    func cascade() throws {
        let made = try made()
        try realm.write {
            let other = realm.create(SyncedChart.self, value: ["id": 2] as [String: Any])
            made.next = other
            made.others.append(other)
        }
        try realm.write { if let other = made.next { realm.delete(other) } }
        #expect(try last() == [ChangeOperation(ObjectAddress("SyncedChart", .int(2)), .delete)])
        #expect(made.next == nil && made.others.isEmpty)
    }

    @Test("an element given to an object that goes in the same transaction is taken out: nobody else sees it go")
    func givenAndUnlinked() throws {
        let mine = try made()
        let other = try realm.write { realm.create(SyncedChart.self, value: ["id": 3]) }
        try realm.write {
            mine.others.append(objectsIn: [mine, mine])
            realm.create(SyncedChart.self, value: ["id": 2])
        }
        var kept = KeptChanges()
        try kept.take(from: realm)

        try realm.write {
            mine.others[0] = other
            realm.delete(other)
        }
        try kept.take(from: realm)

        #expect(mine.others.count == 1)
        #expect(try RealmContents(realm).condensed.differences(from: kept.contents) == [])
    }

    @Test("an element keeps its name when it is replaced, moved, exchanged or sorted")
    func names() throws {
        let made = try made()
        func names() throws -> [Int64] {
            try realm.core.store.use { () throws(Realm.Error) in
                try realm.core.store.connection
                    .prepare("SELECT \"$element\" FROM \"SyncedChart.tags\" ORDER BY \"$position\"").keys()
            }
        }
        let first = try names()
        try realm.write { made.tags[1] = "z" }
        #expect(try names() == first)
        try realm.write { made.tags.move(from: 0, to: 2) }
        #expect(try names() == [first[1], first[2], first[0]])
        try realm.write { made.tags.swapAt(0, 2) }
        #expect(try names() == [first[0], first[2], first[1]])
        try realm.write { made.tags.sort() }
        #expect(Array(made.tags) == ["a", "c", "z"])
        #expect(try names() == [first[0], first[2], first[1]])
        try realm.write { made.tags.reverse() }
        #expect(try names() == [first[1], first[2], first[0]])
        #expect(
            Set(try last().map { operation in if case .listMove = operation.action { "move" } else { "other" } }) == [
                "move"
            ]
        )
    }

    @Test("to assign a whole list clears it, and no element is one of before")
    func assignment() throws {
        let made = try made()
        let list = List<String>()
        list.append(objectsIn: ["a", "b"])
        try realm.write { made.tags = list }
        let operations = try last()
        #expect(operations.first == ChangeOperation(chart, .clear("tags")))
        #expect(operations.count == 3)
        try realm.write { made.tags.removeAll() }
        #expect(try last() == [ChangeOperation(chart, .clear("tags"))])
    }

    @Test("members and entries are sent as what became of them")
    func membersAndEntries() throws {
        let made = try made()
        try realm.write {
            made.marks.insert(3)
            made.marks.remove(1)
            made.marks.insert(9)
            made.marks.remove(9)
            made.scores["a"] = 1
            made.scores["a"] = 2
            made.scores["b"] = 1
            made.scores["b"] = nil
        }
        #expect(
            try last() == [
                ChangeOperation(chart, .mapSet("scores", "a", 2)), ChangeOperation(chart, .mapRemove("scores", "b")),
                ChangeOperation(chart, .setRemove("marks", 1)), ChangeOperation(chart, .setInsert("marks", 3)),
                ChangeOperation(chart, .setRemove("marks", 9)),
            ]
        )
    }

    @Test("whoever opens the file without asking for it keeps changes, too")
    func otherConfiguration() throws {
        _ = try made()
        var configuration = file.configuration
        configuration.keepsChanges = false
        let other = configuration
        let before = try changes().count
        let queue = DispatchQueue(label: "other")
        try queue.sync {
            let realm = try Realm(configuration: other, queue: queue)
            try realm.write { realm.objects(SyncedChart.self).first?.count = 5 }
        }
        realm.refresh()
        #expect(try changes().count == before + 1)
    }
}

@Suite("A file that is to keep its changes")
struct KeepingFileTests {
    @Test("is one from its beginning: a file that did not is refused, and stays as it is")
    func notConverted() throws {
        let file = try TemporaryRealm([SyncedChart.self])
        try file.open().write {}
        var configuration = file.configuration
        configuration.keepsChanges = true
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(error?.code == .incompatibleHistories)
        #expect(throws: Never.self) { try file.open() }
    }

    @Test("has no class without a primary key")
    func nameless() throws {
        let file = try TemporaryRealm([NamelessChart.self]) { $0.keepsChanges = true }
        let error = #expect(throws: Realm.Error.self) { try file.open() }
        #expect(error?.code == .invalidInput)
    }

    @Test("says so in its format, so that older programs refuse it")
    func format() throws {
        let file = try TemporaryRealm([SyncedChart.self]) { $0.keepsChanges = true }
        let realm = try file.open()
        #expect(try StoredSchema(realm.core.store.connection).currentFormat() == StoredSchema.syncedFormat)
        let plain = try TemporaryRealm([SyncedChart.self]).open()
        #expect(try StoredSchema(plain.core.store.connection).currentFormat() == StoredSchema.format)
    }
}

@Suite("Sets of slots")
struct ExactSlotsTests {
    @Test("tell every property of a wide class apart")
    func wide() {
        var slots = ExactSlots()
        for slot in [0, 63, 64, 127, 128, 300] { slots.insert(slot) }
        #expect((0..<400).filter { slots.contains($0) } == [0, 63, 64, 127, 128, 300])
        slots.remove(64)
        slots.remove(0)
        slots.remove(5)
        #expect((0..<400).filter { slots.contains($0) } == [63, 127, 128, 300])
        for slot in [63, 127, 128, 300] { slots.remove(slot) }
        #expect(slots.isEmpty)
    }
}

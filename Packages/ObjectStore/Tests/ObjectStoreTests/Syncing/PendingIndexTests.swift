import ChangeModel
import ChangeModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Changes that wait, by what they touch")
struct PendingIndexTests {
    private let chart = ObjectAddress("SyncedChart", .int(1))
    private let other = ObjectAddress("SyncedChart", .int(2))

    private func change(_ number: Int, _ operations: [ChangeOperation]) -> Change {
        Change(number: number, base: 0, clock: HybridClock(milliseconds: Int64(number)), operations: operations)
    }

    @Test("are found by their object, and by a cell with what lies below it")
    func found() throws {
        let element = try #require(ElementID(bits: 5))
        var pending = PendingIndex()
        #expect(pending.isEmpty)
        pending.append([
            change(1, [ChangeOperation(chart, .set("title", "a"))]),
            change(
                2,
                [
                    ChangeOperation(chart, .listRemove("tags", element)), ChangeOperation(other, .set("title", "b")),
                    ChangeOperation(chart, .set("title", "c")),
                ]
            ),
            change(3, [ChangeOperation(chart, .clear("tags"))]),
        ])

        #expect(!pending.isEmpty)
        #expect(pending[chart].map(\.stamp.change) == [1, 2, 2, 3])
        #expect(pending[chart, "title"].map(\.stamp.change) == [1, 2])
        #expect(pending[chart, "title"].map(\.stamp.operation) == [0, 2])
        #expect(pending[chart, "tags"].map(\.stamp.change) == [2, 3])
        #expect(pending[chart, CellPath("tags").appending(.element(element))].map(\.stamp.change) == [2])
        #expect(pending[other, "tags"].isEmpty)
        #expect(!pending.covers(chart))
    }

    @Test("go in order, each with all that it did")
    func removed() {
        var pending = PendingIndex()
        pending.append([
            change(
                4,
                [
                    ChangeOperation(chart, .create(given: [:], defaults: [:])),
                    ChangeOperation(chart, .set("title", "a")),
                ]
            ),
            change(5, [ChangeOperation(chart, .set("title", "b")), ChangeOperation(other, .delete)]),
        ])
        #expect(pending.covers(chart) && pending.covers(other))
        pending.removeFirst()

        #expect(pending.first?.number == 5)
        #expect(!pending.covers(chart) && pending.covers(other))
        #expect(pending[chart].map(\.stamp.change) == [5])
        #expect(pending[chart, "title"].map(\.stamp.change) == [5])
        pending.append([change(6, [ChangeOperation(chart, .set("title", "c"))])])
        #expect(pending[chart, "title"].map(\.stamp.change) == [5, 6])
        pending.removeFirst()
        #expect(!pending.covers(other))
        pending.removeFirst()
        #expect(pending.isEmpty && pending.first == nil && pending[chart].isEmpty && pending[chart, "title"].isEmpty)
    }
}

@Suite("Many changes of one property that wait")
struct RepeatedChangeTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let store: LiveSyncedStore

    init() throws {
        file = try TemporaryRealm([SyncedChart.self]) { $0.keepsChanges = true }
        realm = try file.open()
        store = try LiveSyncedStore(file.configuration) { Digest.mixing($0) }
        try store.bind(FileBinding(history: .sample(1), file: 1, salt: [1]))
    }

    @Test("show the last one, whatever another device wrote there meanwhile")
    func last() throws {
        let chart = try realm.write { realm.create(SyncedChart.self, value: ["id": 1]) }
        for value in 1...5 { try realm.write { chart.count = value } }
        let changes = try store.pendingChanges(after: 0, limit: .max)
            .map { try Change(number: $0.number, body: $0.body) }
        try store.noteSent(through: 6)
        try store.acknowledge(through: 6, chain: Digest.mixing([]))
        let foreign = ChangeOperation(ObjectAddress("SyncedChart", .int(1)), .set("count", 99))
        var number = 0
        for (index, change) in changes.enumerated() {
            number += 1
            _ = try store.integrate([own(number, change)])
            realm.refresh()
            #expect(chart.count == 5)
            guard index > 0, index < 5 else { continue }
            number += 1
            _ = try store.integrate([Entry.sample(number, [foreign], clock: change.clock)])
            realm.refresh()
            #expect(chart.count == 5)
        }
        #expect(try store.syncState().pendingChanges == 0)
    }

    private func own(_ number: Int, _ change: Change) -> Entry {
        Entry.sample(number, change.operations, file: 1, change: change.number, clock: change.clock)
    }
}

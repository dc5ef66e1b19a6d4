import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What a server said, in a realm that is open")
struct IntegratedEntryTests {
    private let file: TemporaryRealm
    private let spy = ObserverSpy(seesShownObjects: true)
    private let store: LiveSyncedStore
    private let chart = ObjectAddress("SyncedChart", .int(1))

    init() throws {
        let spy = spy
        file = try TemporaryRealm([SyncedChart.self]) {
            $0.keepsChanges = true
            $0.attachment = spy
        }
        store = try LiveSyncedStore(file.configuration) { Digest.mixing($0) }
        try store.bind(FileBinding(history: .sample(1), file: 1, salt: [1]))
    }

    private func create(_ cells: ChangeOperation.Cells = [:]) -> ChangeOperation {
        ChangeOperation(chart, .create(given: cells, defaults: [:]))
    }

    @Test("is one version for everybody, and no act of the user for who records")
    func oneVersion() throws {
        let realm = try file.open()
        #expect(realm.isEmpty)
        let before = realm.core.store.version
        spy.gate.open()
        defer { spy.gate.close() }
        _ = try store.integrate([
            Entry.sample(1, [create(["title": "a"]), ChangeOperation(chart, .set("count", 3))]),
            Entry.sample(2, [ChangeOperation(chart, .setInsert("marks", 7))]),
        ])
        realm.refresh()
        let found = try #require(realm.object(ofType: SyncedChart.self, forPrimaryKey: 1))
        #expect(found.title == "a" && found.count == 3 && Array(found.marks) == [7])
        #expect(realm.core.store.version == before + 1)
        #expect(spy.commits.isEmpty)
        try realm.write { found.count = 4 }
        #expect(spy.commits.count == 1)
    }

    @Test("is no commit that the store itself is told of")
    func notTold() async throws {
        let commits = store.commits()
        _ = try store.integrate([Entry.sample(1, [create()])])
        store.close()
        #expect(await commits.reduce(0) { count, _ in count + 1 } == 0)
    }

    @Test("that does not fit the class is refused with a sentence, and nothing of it is written")
    func unfit() throws {
        _ = try store.integrate([Entry.sample(1, [create(["title": "a"])])])
        let error = #expect(throws: Realm.Error.self) {
            try store.integrate([
                Entry.sample(2, [ChangeOperation(chart, .set("count", 1))]),
                Entry.sample(3, [ChangeOperation(chart, .set("count", "many"))]),
            ])
        }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message.contains("SyncedChart.count") == true)
        #expect(try store.syncState().position == 1)
        let realm = try file.open()
        realm.refresh()
        #expect(realm.object(ofType: SyncedChart.self, forPrimaryKey: 1)?.count == nil)
    }

    @Test("of classes and properties that are not here is put aside, and the position moves on")
    func unknown() throws {
        _ = try store.integrate([
            Entry.sample(1, [create(["colour": "red"]), ChangeOperation(ObjectAddress("Car", .int(1)), .delete)]),
            Entry.sample(
                2,
                [ChangeOperation(chart, .set("colour", "blue")), ChangeOperation(chart, .clear("wheels"))]
            ),
        ])
        #expect(try store.syncState().position == 2)
    }

    @Test("is shown under what is pending, and over it when it is later")
    func overlay() throws {
        _ = try store.integrate([Entry.sample(1, [create(["title": "a", "count": 1])])])
        let realm = try file.open()
        realm.refresh()
        let found = try #require(realm.object(ofType: SyncedChart.self, forPrimaryKey: 1))
        try realm.write { found.count = 5 }
        _ = try store.integrate([Entry.sample(2, [ChangeOperation(chart, .set("count", 2))])])
        realm.refresh()
        #expect(found.count == 5)
        let later = Entry(
            number: 3,
            change: ChangeReference(file: 2, number: 3),
            user: 1,
            clock: HybridClock(milliseconds: 1 << 46),
            received: EventInstant(microseconds: 0),
            results: [.asSent],
            literals: [ChangeOperation(chart, .set("count", 3))],
            corrections: [],
            digest: .sample
        )
        _ = try store.integrate([later])
        realm.refresh()
        #expect(found.count == 3)
    }

    @Test("a link shows when its target comes")
    func links() throws {
        let other = ObjectAddress("SyncedChart", .int(2))
        let id = try #require(ElementID(bits: 9))
        _ = try store.integrate([
            Entry.sample(
                1,
                [
                    create(["next": .link(other)]),
                    ChangeOperation(chart, .listInsert("others", id, before: nil, .link(other))),
                ]
            )
        ])
        let realm = try file.open()
        realm.refresh()
        let found = try #require(realm.object(ofType: SyncedChart.self, forPrimaryKey: 1))
        #expect(found.next == nil && found.others.isEmpty)
        _ = try store.integrate([Entry.sample(2, [ChangeOperation(other, .create(given: [:], defaults: [:]))])])
        realm.refresh()
        #expect(found.next?.id == 2 && found.others.map(\.id) == [2])
    }

    @Test("a link that another device made later than the deletion shows when this device creates its target anew")
    func ownTarget() throws {
        let other = ObjectAddress("SyncedChart", .int(2))
        let (id, link) = (try #require(ElementID(bits: 9)), CellValue.link(other))
        _ = try store.integrate([
            Entry.sample(
                1,
                [
                    create(["next": link]),
                    ChangeOperation(chart, .listInsert("others", id, before: nil, link)),
                ]
            )
        ])
        let realm = try file.open()
        realm.refresh()
        let found = try #require(realm.object(ofType: SyncedChart.self, forPrimaryKey: 1))

        try realm.write { realm.create(SyncedChart.self, value: ["id": 2]) }
        #expect(found.next == nil && found.others.isEmpty)
        try store.acknowledge(through: 1, chain: .sample)
        let creation = ChangeOperation(other, .create(given: [:], defaults: [:]))
        _ = try store.integrate([Entry.sample(2, [creation], file: 1, change: 1)])
        realm.refresh()
        #expect(found.next?.id == 2 && found.others.map(\.id) == [2])
    }

    @Test("an element comes where it is moved to, also where there is no room left between its neighbours")
    func moves() throws {
        var (number, expected) = (0, [[String]]())
        func integrate(_ operation: ChangeOperation) throws {
            number += 1
            _ = try store.integrate([Entry.sample(number, [operation])])
        }
        // Each insertion halves the room in front of the last element, until a move finds none.
        for count in 0..<20 as Range<UInt64> {
            let object = ObjectAddress("SyncedChart", .int(Int64(count)))
            let ids = try (1...count + 2).map { try #require(ElementID(bits: $0)) }
            func insert(_ index: Int, before right: ElementID?) throws {
                let text = CellValue.string(ExactText("\(index)"))
                try integrate(ChangeOperation(object, .listInsert("tags", ids[index], before: right, text)))
            }
            try integrate(ChangeOperation(object, .create(given: [:], defaults: [:])))
            try insert(0, before: nil)
            try insert(1, before: nil)
            for index in 2..<ids.count { try insert(index, before: ids[1]) }
            try integrate(ChangeOperation(object, .listMove("tags", ids[0], before: ids[1])))
            expected.append((2..<ids.count).map { "\($0)" } + ["0", "1"])
        }
        let realm = try file.open()
        realm.refresh()
        #expect(realm.objects(SyncedChart.self).sorted(byKeyPath: "id").map { Array($0.tags) } == expected)
    }
}

import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What a recorder is told of the place of a realm in sync")
struct RecordedPlaceTests {
    private let file: TemporaryRealm
    private let spy = ObserverSpy(seesShownObjects: true)
    private let store: LiveSyncedStore
    private let chart = ObjectAddress("SyncedChart", .int(1))
    private let binding = FileBinding(history: .sample(1), file: 5, salt: [1])

    init() throws {
        let spy = spy
        file = try TemporaryRealm([SyncedChart.self]) {
            $0.keepsChanges = true
            $0.attachment = spy
        }
        store = try LiveSyncedStore(file.configuration) { Digest.mixing($0) }
    }

    private func integrate(_ number: Int, _ operations: ChangeOperation...) throws {
        _ = try store.integrate([Entry.sample(number, operations)])
    }

    private func title(_ text: String) -> ChangeOperation {
        ChangeOperation(chart, .set("title", .string(ExactText(text))))
    }

    private func place(_ position: Int, _ change: Int, _ count: Int = 0) -> SyncReference {
        SyncReference(
            file: SyncReference.File(history: binding.history.bytes, number: binding.file),
            position: position,
            change: change,
            changeCount: count
        )
    }

    /// Reads with an open gate, and returns what was said meanwhile.
    private func places(_ body: () throws -> Void) rethrows -> [SyncReference] {
        let before = spy.places.count
        _ = try spy.record(body)
        return spy.places[before...].map(\.place)
    }

    @Test("before the server has named the file a place has its numbers alone")
    func unnamed() throws {
        let realm = try file.open()
        let said = try places {
            try realm.write { realm.create(SyncedChart.self, value: ["id": 1]) }
            _ = realm.objects(SyncedChart.self).first?.title
        }

        #expect(spy.commits.map(\.sync) == [SyncReference(file: nil, position: 0, change: 1, changeCount: 1)])
        #expect(said.last == SyncReference(file: nil, position: 0, change: 1))
    }

    @Test("a write names the changes that it became, a read what the file had, each version once")
    func numbers() throws {
        try store.bind(binding)
        try integrate(1, ChangeOperation(chart, .create(given: ["title": "a"], defaults: [:])))
        try integrate(2, title("b"))
        let realm = try file.open()
        realm.refresh()
        let found = try #require(realm.object(ofType: SyncedChart.self, forPrimaryKey: 1))

        let first = try places {
            #expect(found.title == "b")
            #expect(found.title == "b")
            try realm.write { found.count = 1 }
            // What the instance wrote itself is no read; a query is.
            #expect(found.count == 1)
            #expect(realm.objects(SyncedChart.self).first?.count == 1)
            try realm.write { found.count = 2 }
            #expect(realm.objects(SyncedChart.self).first?.count == 2)
        }
        #expect(first == [place(2, 0), place(2, 1), place(2, 2)])
        #expect(spy.commits.map(\.sync) == [place(2, 1, 1), place(2, 2, 1)])

        try integrate(3, title("c"))
        realm.refresh()
        let later = places { #expect(found.title == "c") }
        #expect(later == [place(3, 2)])
        // Whoever begins to listen is told again.
        let again = places { #expect(realm.objects(SyncedChart.self).first?.count == 2) }
        #expect(again == [place(3, 2)])
    }

    @Test("each read names a version that was said before it", arguments: [false, true])
    func versions(readsThroughQueries: Bool) throws {
        try store.bind(binding)
        try integrate(1, ChangeOperation(chart, .create(given: ["title": "a"], defaults: [:])))
        let realm = try file.open()
        realm.refresh()
        let found = try #require(realm.object(ofType: SyncedChart.self, forPrimaryKey: 1))
        spy.gate.open()
        defer { spy.gate.close() }
        for number in 2...20 {
            try integrate(number, title("\(number)"))
            realm.refresh()
            if readsThroughQueries {
                let matches = realm.objects(SyncedChart.self).where { $0.title == "\(number)" }
                #expect(matches.first != nil)
            } else {
                #expect(found.title == "\(number)")
            }
        }

        let said = Dictionary(spy.places.map { ($0.version, $0.place) }) { $1 }
        let versions = spy.calls.flatMap { call in
            call.read.map { [$0.version] } ?? call.matches?.map(\.version) ?? []
        }
        #expect(Set(versions).count == 19)
        for version in versions { #expect(said[version] != nil) }
        #expect(Set(said.values.map(\.position)).isSuperset(of: 2...20))
    }

    @Test("a frozen realm says the place of its own version, on whichever thread")
    @MainActor
    func frozen() async throws {
        try store.bind(binding)
        try integrate(1, ChangeOperation(chart, .create(given: ["title": "a"], defaults: [:])))
        let realm = try file.open()
        realm.refresh()
        let frozen = Frozen(realm.objects(SyncedChart.self).freeze())
        try integrate(2, title("b"))
        realm.refresh()
        spy.gate.open()
        defer { spy.gate.close() }

        await Task { @concurrent in
            #expect(frozen.value.first?.title == "a")
        }
        .value
        #expect(spy.places.map(\.place) == [place(1, 0)])
        #expect(realm.object(ofType: SyncedChart.self, forPrimaryKey: 1)?.title == "b")
        #expect(spy.places.map(\.place) == [place(1, 0), place(2, 0)])
    }

    @Test("a realm that does not sync says nothing")
    func unsynced() throws {
        let other = ObserverSpy()
        let plain = try TemporaryRealm([SyncedChart.self]) { $0.attachment = other }
        let unsynced = try plain.open()
        other.gate.open()
        defer { other.gate.close() }
        try unsynced.write { unsynced.create(SyncedChart.self, value: ["id": 1]) }
        #expect(unsynced.objects(SyncedChart.self).first?.title == "untitled")
        #expect(other.commits.map(\.sync) == [nil])
        #expect(other.places.isEmpty)
    }
}

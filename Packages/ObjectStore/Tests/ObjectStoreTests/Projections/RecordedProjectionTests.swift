import EventModel
import EventModelTesting
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Recording of projections and sections")
struct RecordedProjectionTests {
    private let spy = ObserverSpy()
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm(Juggler.types) { [spy] in $0.attachment = spy }
        realm = try file.open()
        try realm.write { Juggler.fill($0) }
    }

    @Test("an object that a projection shows is read, and so is what its links lead to")
    func projection() {
        let calls = spy.record {
            let act = realm.act(1)
            _ = act?.firstName
            _ = act?.years
            _ = act?.partnerName
        }

        #expect(calls.map { $0.read?.primaryKey ?? $0.followed?.target.primaryKey } == [.int(1), .int(2)])
    }

    @Test("a projection that was there before a scope tells of its object when it is shown")
    func held() throws {
        let spy = ObserverSpy(seesShownObjects: true)
        let file = try TemporaryRealm(Juggler.types) { $0.attachment = spy }
        let realm = try file.open()
        try realm.write { Juggler.fill($0) }
        let act = try #require(realm.act(1))

        let calls = spy.record {
            _ = act.capitals
            _ = act.years
        }

        #expect(calls.map(\.read?.primaryKey) == [.int(1)])
    }

    @Test("results of projections tell what results of their objects tell")
    func results() {
        let ofActs = spy.record {
            for act in realm.objects(Act.self) { _ = act.firstName }
            _ = realm.objects(Act.self).where { $0.years > 21 }.first?.years
        }
        let ofObjects = spy.record {
            for juggler in realm.objects(Juggler.self) { _ = juggler.firstName }
            _ = realm.objects(Juggler.self).where { $0.age > 21 }.first?.age
        }

        #expect(ofActs.count == 6)
        #expect(ofActs.map(\.read?.primaryKey) == ofObjects.map(\.read?.primaryKey))
        #expect(ofActs.last?.matches?.count == 3)
    }

    @Test("sections tell the complete result behind them")
    func sections() {
        let sections = realm.objects(Juggler.self).sectioned(by: \.lastName)
        let calls = spy.record { _ = sections.allKeys }
        let again = spy.record { _ = sections[1].first?.firstName }

        #expect(calls.count == 1)
        #expect(calls.first?.matches?.count == 5)
        #expect(again.first?.matches?.count == 5)
    }
}

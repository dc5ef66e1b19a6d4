import EventModel
import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Recording of frozen reads")
struct RecordedFrozenReadTests {
    private let spy: ObserverSpy
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        let spy = ObserverSpy()
        self.spy = spy
        file = try Band.file { $0.attachment = spy }
        realm = try file.open()
    }

    @Test("nothing is told of frozen reads while the gate is closed")
    func closedGate() throws {
        let frozen = realm.freeze()
        _ = try #require(frozen.band).players.first?.name

        #expect(spy.calls.isEmpty)
    }

    @Test("reading a frozen realm is told as reading a live one")
    func same() throws {
        func read(_ realm: Realm) throws {
            let band = try #require(realm.object(ofType: Band.self, forPrimaryKey: "Owls"))
            _ = band.leader?.name
            _ = Array(band.players.map(\.name))
            _ = realm.objects(Player.self).where { $0.name == "Bo" }.first
            for player in realm.objects(Player.self) { _ = player.name }
            _ = band.players.first?.bands.first
        }
        let frozen = realm.freeze()
        let live = try spy.record { try read(realm) }

        let calls = try spy.record { try read(frozen) }

        #expect(!calls.isEmpty)
        #expect(calls == live)
    }

    @Test("a version that was frozen before others wrote is told with its own version and values")
    func oldVersion() throws {
        let frozen = realm.freeze()
        try realm.write { $0.band?.rank = 2 }

        let calls = try spy.record { _ = try #require(frozen.band).rank }

        let snapshot = try #require(calls.first?.read)
        #expect(snapshot.value(try #require(snapshot.shape.slot(named: "rank"))) == .int(1))
        let live = try spy.record { _ = try #require(realm.band).rank }
        #expect(try #require(live.first?.read).version > snapshot.version)
    }

    @Test("an object that is frozen or thawed is handed to the program, and told")
    func handing() throws {
        let band = try #require(realm.band)
        let calls = try spy.record { _ = try #require(band.freeze().thaw()) }
        #expect(calls.count == 2)
        #expect(calls.allSatisfy { $0.read?.primaryKey == .string("Owls") })
    }

    @Test("an object that a reference leads to is told")
    func resolving() throws {
        let reference = ThreadSafeReference(to: try #require(realm.band))
        let calls = spy.record { _ = realm.resolve(reference) }
        #expect(calls.compactMap(\.read).map(\.primaryKey) == [.string("Owls")])
    }

    @Test("frozen reads of other threads are told, too")
    func otherThread() throws {
        let frozen = Frozen(try #require(realm.band).freeze())
        let calls = try spy.record { try onThread { _ = frozen.value.leader?.name } }
        #expect(calls.count == 1)
    }

    @Test("what comes to be observed after freezing is told as well")
    func laterAttachment() throws {
        let plain = try Band.file()
        let frozen = try plain.open().freeze()
        let late = ObserverSpy()
        _ = try plain.open { $0.attachment = late }

        let calls = late.record { _ = frozen.band }

        #expect(calls.count == 1)
    }
}

import EventModel
import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

/// An object that encodes itself.
private final class Memo: Object, Codable {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String
}

@Suite("Recording of objects that were got before")
struct HeldObjectTests {
    private let spy = ObserverSpy(seesShownObjects: true)
    private let file: TemporaryRealm
    private let realm: Realm
    private let band: Band

    /// What the band may be held by, and what looking at it tells.
    private static let looks: [Look<Band>] = [
        Look("a property", tells: ["Band"], { $0 }, { _ = $0.rank }),
        Look("a property by its key path", tells: ["Band"], { $0 }, { _ = $0[keyPath: \.rank] }),
        Look("a property by its name", tells: ["Band"], { $0 }, { _ = $0["rank"] }),
        Look("a property by key-value coding", tells: ["Band"], { $0 }, { _ = $0.value(forKey: "rank") }),
        Look("a description", tells: ["Band"], { $0 }, { _ = $0.description }),
        Look("a link", tells: ["Band", "follow Player"], { $0 }, { _ = $0.leader?.name }),
        Look("a target", tells: ["Player"], { $0.leader }, { _ = $0?.name }),
        Look("a copy", tells: ["Band", "follow Player"], { $0 }, { _ = Band(value: $0) }),
        Look("an array", tells: ["Player"], { Array($0.players) }, { _ = $0[0].name }),
        Look("a list", tells: ["Band", "follow Player"], { $0.players }, { _ = $0[0].name }),
        Look("the first of a list", tells: ["Band", "follow Player"], { $0.players }, { _ = $0.first?.name }),
        Look(
            "a loop over a list",
            tells: ["Band", "follow Player"],
            { $0.players },
            { for one in $0 { _ = one.name } }
        ),
        Look("a description of a list", tells: ["Band", "follow Player"], { $0.players }, { _ = $0.description }),
        Look(
            "a property of a list",
            tells: ["Band", "follow Player"],
            { $0.players },
            { _ = $0.value(forKey: "name") as [Any] }
        ),
        Look("a sorted list", tells: ["query Player"], { $0.players.sorted(byKeyPath: "name") }, { _ = $0.last?.name }),
        Look(
            "a dynamic list",
            tells: ["Band", "follow Player"],
            { $0.dynamicList("players") },
            { _ = $0.first?["name"] }
        ),
        Look(
            "a dynamic object",
            tells: ["Band"],
            { $0.realm?.dynamicObject(ofType: "Band", forPrimaryKey: "Owls") },
            { _ = $0?["rank"] }
        ),
        Look("a dynamic result", tells: ["Band"], { $0.realm?.dynamicObjects("Band") }, { _ = $0?.first?["rank"] }),
        Look("a result", tells: ["Band"], { $0.realm?.objects(Band.self) }, { _ = $0?.last?.rank }),
        Look(
            "a result that was read",
            tells: ["Band"],
            { ($0.realm?.objects(Band.self), $0.realm?.band).0 },
            { _ = $0?[0].rank }
        ),
        Look(
            "a query",
            tells: ["query Band"],
            { $0.realm?.objects(Band.self).filter("rank > 0") },
            { _ = $0?.first?.rank }
        ),
        Look(
            "a sum",
            tells: ["query Band"],
            { $0.realm?.objects(Band.self).filter("rank > 0") },
            { _ = $0?.sum(of: \.rank) }
        ),
        Look(
            "a least value",
            tells: ["query Band"],
            { $0.realm?.objects(Band.self).filter("rank > 0") },
            { _ = $0?.min(of: \.rank) }
        ),
        Look("origins of links", tells: ["Player", "Band"], { $0.leader?.bands }, { _ = $0?.first?.rank }),
        Look("the last origin", tells: ["Player", "Band"], { $0.leader?.bands }, { _ = $0?.last?.rank }),
        Look(
            "a loop over origins",
            tells: ["Player", "Band"],
            { $0.leader?.bands.makeIterator },
            { make in
                guard var bands = make?() else { return }
                while let band = bands.next() { _ = band.rank }
            }
        ),
        Look("the count of origins", tells: ["Player"], { $0.leader?.bands }, { _ = $0?.count }),
        Look("a frozen object", tells: ["Band"], { $0.freeze() }, { _ = $0.rank }),
        Look("a frozen target", tells: ["Player"], { $0.freeze().leader }, { _ = $0?.name }),
        Look("a frozen list of values", tells: ["Band"], { $0.freeze().songs }, { _ = $0.first }),
        Look("frozen keys", tells: ["Band"], { $0.fees.freeze() }, { _ = $0.keys }),
        Look("frozen sorted values", tells: ["Band"], { $0.songs.sorted(ascending: true).freeze() }, { _ = $0.first }),
        Look("a frozen list", tells: ["Band", "follow Player"], { $0.players.freeze() }, { _ = $0.first?.name }),
        Look("a frozen result", tells: ["Band"], { $0.realm?.objects(Band.self).freeze() }, { _ = $0?.first?.rank }),
        Look("frozen origins", tells: ["Player", "Band"], { $0.freeze().leader?.bands }, { _ = $0?.first?.rank }),
        Look("a thawed object", tells: ["Band"], { $0.freeze().thaw() }, { _ = $0?.rank }),
        Look(
            "a reference",
            tells: ["Band"],
            { ($0.realm, ThreadSafeReference(to: $0)) },
            { _ = $0.0?.resolve($0.1)?.rank }
        ),
        Look(
            "a reference to a list",
            tells: ["Band"],
            { ($0.realm, ThreadSafeReference(to: $0.songs)) },
            { _ = $0.0?.resolve($0.1)?.first }
        ),
        Look(
            "a reference to a part",
            tells: ["Band"],
            { ($0.realm, $0.studio.map { ThreadSafeReference(to: $0) }) },
            { held in _ = held.1.flatMap { held.0?.resolve($0)?.street } }
        ),
        Look("a list that is frozen now", tells: ["Band"], { $0.songs }, { _ = $0.freeze().first }),
        Look("keys that are frozen now", tells: ["Band"], { $0.fees }, { _ = $0.freeze().keys }),
        Look(
            "values that are frozen now",
            tells: ["Band"],
            { $0.songs.sorted(ascending: true) },
            { _ = $0.freeze().first }
        ),
        Look("a part that is frozen now", tells: ["Band"], { $0.studio }, { _ = $0?.freeze().street }),
        Look(
            "what is no property",
            tells: [],
            { ($0, $0.players) },
            { band, players in
                _ = (band.isInvalidated, band.realm, band.isFrozen, band == band, band.hashValue)
                _ = (players.isInvalidated, players.realm, players == players)
            }
        ),
    ]

    init() throws {
        file = try Band.file { [spy] in $0.attachment = spy }
        realm = try file.open()
        band = try #require(realm.band)
    }

    @Test("what is shown is told, whatever the program got before", arguments: looks)
    func heldObjects(_ look: Look<Band>) throws {
        let show = look.prepare(band)
        #expect(spy.calls.isEmpty)

        #expect(spy.told(show) == look.expected)
        #expect(spy.told {}.isEmpty)
    }

    @Test("an object that encodes itself is told")
    func encoded() throws {
        let file = try TemporaryRealm([Memo.self]) { [spy] in $0.attachment = spy }
        let realm = try file.open()
        let memo = try realm.write { $0.create(Memo.self, value: ["id": 1, "text": "a"]) }

        #expect(spy.told { _ = try? JSONEncoder().encode(memo) } == ["Memo"])
    }

    @Test("a handler that is handed values shows the object, and the object that it now links to once that is read")
    func notification() throws {
        let place = try QueueRealm(file)
        let targets = Log<Player>()
        let token = try place.run { realm in
            try #require(realm.band)
                .observe { (change: ObjectChange<Band>) in
                    guard case .change(_, let properties) = change else { return }
                    for property in properties { (property.newValue as? Player).map(targets.add) }
                }
        }
        defer { token.invalidate() }
        spy.gate.open()
        defer { spy.gate.close() }

        try place.writeElsewhere { realm in
            realm.band?.rank = 8
            realm.band?.leader = realm.band?.players.last
        }

        let told = try #require(spy.calls.compactMap(\.read).last { $0.shape.name == "Band" })
        #expect(told.value(try #require(told.shape.slot(named: "rank"))) == .int(8))
        let target = try #require(targets.take().first)
        let count = spy.calls.count
        place.run { _ in #expect(target.name == "Bo") }
        #expect(spy.calls[count...].compactMap(\.read).map(\.shape.name) == ["Player"])
    }

    @Test("an object of an instance that was opened before the file had an observer is told")
    func earlierInstance() throws {
        let file = try Band.file()
        let realm = try file.open()
        let band = try #require(realm.band)
        let songs = band.songs
        _ = (band.rank, songs.first)

        try onThread { [spy] in _ = try file.open { $0.attachment = spy } }

        #expect(spy.told { _ = band.rank } == ["Band"])
        #expect(spy.told { _ = songs.first } == ["Band"])
    }

    @Test("two scopes at once are both told by their openings, one that goes on is not told twice")
    func openings() {
        spy.gate.open()
        _ = (band.rank, band.name)
        #expect(spy.calls.count == 1)
        #expect(spy.told { _ = (band.rank, band.name) } == ["Band"])
        _ = band.rank
        spy.gate.close()
        _ = band.rank

        #expect(spy.calls.count == 2)
    }
}

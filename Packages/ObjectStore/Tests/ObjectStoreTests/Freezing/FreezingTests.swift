import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Freezing")
struct FreezingTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let band: Band

    init() throws {
        file = try Band.file()
        realm = try file.open()
        band = try #require(realm.band)
    }

    /// Changes everything that a band has.
    private func changeAll() throws {
        try realm.write { realm in
            band.rank = 2
            band.leader?.name = "Eve"
            band.players.removeLast()
            band.cities.insert("Wien")
            band.fees["Linz"] = 99
            band.songs.append("three")
            band.studio?.street = "Oak"
            band.notes = .int(1)
            realm.create(Band.self, value: ["name": "Rooks"])
        }
    }

    // MARK: What can be frozen

    @Test("F2: a frozen object keeps every property as it was, the live one goes on")
    func object() throws {
        let frozen = band.freeze()
        try changeAll()

        #expect(frozen.isFrozen && !band.isFrozen)
        #expect(frozen.rank == 1)
        #expect(frozen.leader?.name == "Ada")
        #expect(frozen.players.map(\.name) == ["Ada", "Bo"])
        #expect(frozen.cities.sorted() == ["Graz", "Linz"])
        #expect(frozen.fees["Linz"] == 10)
        #expect(Array(frozen.songs) == ["one", "two"])
        #expect(frozen.studio?.street == "Elm")
        #expect(frozen.notes.listValue?.first == .string("a"))
        #expect(band.rank == 2)
        #expect(band.players.map(\.name) == ["Eve"])
    }

    @Test("F2: everything that is reached from something frozen is frozen")
    func reached() throws {
        let frozen = band.freeze()

        #expect(try #require(frozen.realm).isFrozen)
        #expect(try #require(frozen.leader).isFrozen)
        #expect(frozen.players.isFrozen && frozen.players[1].isFrozen)
        #expect(frozen.cities.isFrozen && frozen.fees.isFrozen && frozen.songs.isFrozen)
        #expect(try #require(frozen.studio).isFrozen)
        #expect(try #require(frozen.notes.listValue).isFrozen)
        #expect(try #require(frozen.players.first).bands.isFrozen)
        #expect(try #require(frozen.players.first?.bands.first).isFrozen)
        #expect(frozen.players.where { $0.name == "Bo" }.isFrozen)
        #expect(frozen.players.sorted(byKeyPath: "name", ascending: false).first?.isFrozen == true)
        #expect(try #require(frozen.realm?.objects(Band.self).first).isFrozen)
        #expect(try #require(frozen.realm?.object(ofType: Band.self, forPrimaryKey: "Owls")).isFrozen)
        for player in frozen.players { #expect(player.isFrozen) }
    }

    @Test("a frozen embedded object stays, and knows its parent's realm")
    func embedded() throws {
        let studio = try #require(band.studio).freeze()
        try changeAll()

        #expect(studio.isFrozen)
        #expect(studio.street == "Elm")
        #expect(studio.thaw()?.street == "Oak")
    }

    @Test("a frozen list of objects stays as it was")
    func list() throws {
        let frozen = band.players.freeze()
        try changeAll()

        #expect(frozen.isFrozen && !band.players.isFrozen)
        #expect(frozen.map(\.name) == ["Ada", "Bo"])
        #expect(frozen.count == 2)
        #expect(frozen.thaw()?.map(\.name) == ["Eve"])
        #expect(frozen.index(of: frozen[1]) == 1)
    }

    @Test("a frozen list of values stays as it was")
    func listOfValues() throws {
        let frozen = band.songs.freeze()
        try changeAll()

        #expect(Array(frozen) == ["one", "two"])
        #expect(frozen.last == "two")
        #expect(frozen.sorted(ascending: false).first == "two")
        #expect(frozen.thaw()?.count == 3)
    }

    @Test("a frozen set stays as it was")
    func set() throws {
        let frozen = band.cities.freeze()
        try changeAll()

        #expect(frozen.isFrozen)
        #expect(frozen.count == 2)
        #expect(frozen.contains("Linz") && !frozen.contains("Wien"))
        #expect(frozen.thaw()?.contains("Wien") == true)
    }

    @Test("a frozen map stays as it was")
    func map() throws {
        let frozen = band.fees.freeze()
        try changeAll()

        #expect(frozen.isFrozen)
        #expect(frozen.keys == ["Graz", "Linz"])
        #expect(frozen["Linz"] == 10)
        #expect(frozen.values == [20, 10])
        #expect(frozen.thaw()?["Linz"] == 99)
    }

    @Test("lists and dictionaries inside of a value of any type are frozen alone")
    func nested() throws {
        let list = try #require(band.notes.listValue).freeze()
        let map = try #require(band.notes.listValue?.last?.dictionaryValue).freeze()
        #expect(list.thaw()?.isFrozen == false)
        #expect(map.thaw()?["b"] == .int(1))
        try changeAll()

        #expect(list.count == 2)
        #expect(map.isFrozen && map["b"] == .int(1))
        #expect(list.thaw() == nil)
    }

    @Test("a frozen result stays as it was, with its query and its order")
    func results() throws {
        let all = realm.objects(Band.self).freeze()
        let query = realm.objects(Band.self).where { $0.rank > 0 }.sorted(byKeyPath: "name").freeze()
        let values = band.songs.sorted(ascending: false).freeze()
        try changeAll()

        #expect(all.isFrozen && query.isFrozen && values.isFrozen)
        #expect(all.count == 1)
        #expect(query.map(\.rank) == [1])
        #expect(query.filter("rank == 1").count == 1)
        #expect(query.sum(ofProperty: "rank") as Int == 1)
        #expect(Array(values) == ["two", "one"])
        #expect(all.thaw()?.count == 2)
        #expect(query.thaw()?.map(\.rank) == [2])
        #expect(values.thaw().map(Array.init) == ["two", "three", "one"])
    }

    @Test("frozen linking objects stay as they were")
    func linkingObjects() throws {
        let bo = try #require(band.players.last)
        let frozen = bo.bands.freeze()
        try changeAll()

        #expect(frozen.isFrozen && !bo.bands.isFrozen)
        #expect(frozen.map(\.name) == ["Owls"])
        #expect(frozen.thaw()?.isEmpty == true)
    }

    @Test("a frozen collection of any kind keeps its kind")
    func anyCollection() throws {
        let bo = try #require(band.players.last)
        let list = AnyRealmCollection(band.songs).freeze()
        let set = AnyRealmCollection(band.cities).freeze()
        let result = AnyRealmCollection(realm.objects(Band.self)).freeze()
        let links = AnyRealmCollection(bo.bands).freeze()
        try changeAll()

        #expect(list.isFrozen && set.isFrozen && result.isFrozen && links.isFrozen)
        #expect(Array(list) == ["one", "two"])
        #expect(set.count == 2 && result.count == 1 && links.count == 1)
        #expect(list.thaw()?.count == 3)
        #expect(set.thaw()?.count == 3)
        #expect(result.thaw()?.count == 2)
        #expect(links.thaw()?.isEmpty == true)
        #expect(list.thaw()?.isFrozen == false)
    }

    @Test("a frozen realm shows one version in everything that is read of it")
    func wholeRealm() throws {
        let frozen = realm.freeze()
        try changeAll()

        #expect(frozen.isFrozen && !realm.isFrozen)
        #expect(frozen.objects(Band.self).count == 1)
        #expect(frozen.object(ofType: Band.self, forPrimaryKey: "Rooks") == nil)
        #expect(frozen.band?.rank == 1)
        #expect(!frozen.isEmpty && !frozen.isInWriteTransaction && !frozen.autorefresh)
        #expect(!frozen.refresh())
        #expect(frozen.thaw() == realm)
        #expect(frozen.configuration.fileURL == realm.configuration.fileURL)
        #expect(try frozen.read { $0.objects(Player.self).count } == 2)
        #expect(realm.freeze().objects(Band.self).count == 2)
    }

    @Test("a realm freezes and thaws objects, collections and results, too")
    func byRealm() throws {
        let object = realm.freeze(band)
        let result = realm.freeze(realm.objects(Band.self))

        #expect(object.isFrozen && result.isFrozen)
        #expect(realm.thaw(object)?.isFrozen == false)
        #expect(realm.thaw(result)?.isFrozen == false)
    }

    // MARK: Identity

    @Test("F1: what is frozen already is returned itself")
    func twice() throws {
        let frozen = band.freeze()

        #expect(frozen.freeze() === frozen)
        #expect(frozen.players.freeze() === frozen.players)
        #expect(frozen.cities.freeze() === frozen.cities)
        #expect(frozen.fees.freeze() === frozen.fees)
        let frozenRealm = try #require(frozen.realm)
        #expect(frozenRealm.freeze() == frozenRealm)
    }

    @Test("thawing what is live returns itself")
    func thawingLive() throws {
        #expect(band.thaw() === band)
        #expect(band.players.thaw() === band.players)
        #expect(realm.thaw() == realm)
    }

    @Test("O7: frozen objects are compared by their row, without a primary key, too")
    func equality() throws {
        let ada = try #require(band.players.first)
        let first = ada.freeze()
        let second = ada.freeze()
        #expect(first !== second)
        #expect(first == second)
        #expect(first.hash == second.hash)
        #expect(Set([first, second]).count == 1)
        #expect(first.isSameObject(as: second))
        #expect(first != ada)
        #expect(first != band.players[1].freeze())

        try changeAll()

        #expect(first != ada.freeze())
        #expect(first == second)
    }

    @Test("realms that are frozen at one version are equal, at two they are not")
    func equalRealms() throws {
        let first = realm.freeze()
        #expect(first == realm.freeze())
        try changeAll()
        #expect(first != realm.freeze())
    }

    // MARK: Thawing

    @Test("F3: what was deleted meanwhile thaws to nil")
    func deleted() throws {
        let frozen = band.freeze()
        let (players, cities, fees) = (band.players.freeze(), band.cities.freeze(), band.fees.freeze())
        let studio = try #require(band.studio).freeze()
        let links = try #require(band.players.first).bands.freeze()
        try realm.write { $0.deleteAll() }

        #expect(!frozen.isInvalidated && frozen.rank == 1)
        #expect(frozen.thaw() == nil)
        #expect(players.thaw() == nil && cities.thaw() == nil && fees.thaw() == nil)
        #expect(studio.thaw() == nil && links.thaw() == nil)
        #expect(!players.isInvalidated && players.count == 2)
    }

    @Test("a thawed object is the same object, and can be changed")
    func changingThawed() throws {
        let frozen = band.freeze()
        let live = try #require(frozen.thaw())

        #expect(live == band)
        try realm.write { live.rank = 7 }
        #expect(band.rank == 7 && frozen.rank == 1)
    }

    // MARK: Transactions

    @Test("inside of a write the version before it is frozen")
    func insideOfWrite() throws {
        try realm.write { realm in
            band.rank = 5
            #expect(band.freeze().rank == 1)
            #expect(realm.freeze().band?.rank == 1)
        }
        #expect(band.freeze().rank == 5)
    }

    @Test("the version that is shown is frozen, whoever has committed since")
    func behind() throws {
        #expect(band.rank == 1)
        try writeElsewhere(file) { $0.band?.rank = 2 }

        let frozen = band.freeze()

        #expect(frozen.rank == 1)
        #expect(frozen.players.count == 2)
        realm.refresh()
        #expect(band.rank == 2)
        #expect(band.freeze().rank == 2 && frozen.rank == 1)
        try realm.write { realm in
            band.rank += 1
            realm.create(Band.self, value: ["name": "Rooks"])
        }
        #expect(realm.objects(Band.self).count == 2 && frozen.realm?.objects(Band.self).count == 1)
    }

    @Test("a realm in memory and a realm that is read-only are frozen as well")
    func kinds() throws {
        let configuration = Realm.Configuration(inMemoryIdentifier: "freezing", objectTypes: Band.types)
        let memory = try Realm(configuration: configuration)
        try memory.write { realm in realm.create(Band.self, value: ["name": "Rooks"]) }
        let frozen = memory.freeze()
        try memory.write { $0.deleteAll() }
        #expect(frozen.band?.name == "Rooks")

        let other = try Band.file()
        let readOnly = try other.open { $0.readOnly = true }
        #expect(try #require(readOnly.band).freeze().players.count == 2)
        #expect(readOnly.freeze().thaw() == readOnly)
    }
}

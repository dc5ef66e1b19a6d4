import Dispatch
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Thread-safe references and variables")
struct ThreadSafeReferenceTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let band: Band

    init() throws {
        file = try Band.file()
        realm = try file.open()
        band = try #require(realm.band)
    }

    // MARK: References

    @Test("F4: everything that a realm manages is found by a reference in another place")
    func kinds() throws {
        let bo = try #require(band.players.last)
        let object = ThreadSafeReference(to: band)
        let embedded = ThreadSafeReference(to: try #require(band.studio))
        let list = ThreadSafeReference(to: band.players)
        let set = ThreadSafeReference(to: band.cities)
        let map = ThreadSafeReference(to: band.fees)
        let results = ThreadSafeReference(to: realm.objects(Player.self).sorted(byKeyPath: "name", ascending: false))
        let values = ThreadSafeReference(to: band.songs.sorted(ascending: false))
        let links = ThreadSafeReference(to: bo.bands)
        let anyList = ThreadSafeReference(to: AnyRealmCollection(band.songs))
        let anySet = ThreadSafeReference(to: AnyRealmCollection(band.cities))
        let anyLinks = ThreadSafeReference(to: AnyRealmCollection(bo.bands))
        let anyResults = ThreadSafeReference(to: AnyRealmCollection(realm.objects(Band.self)))
        let nested = ThreadSafeReference(to: try #require(band.notes.listValue))
        let file = file

        try onThread {
            let realm = try file.open()
            #expect(realm.resolve(object)?.rank == 1)
            #expect(realm.resolve(embedded)?.street == "Elm")
            #expect(realm.resolve(list)?.map(\.name) == ["Ada", "Bo"])
            #expect(realm.resolve(set)?.contains("Graz") == true)
            #expect(realm.resolve(map)?["Graz"] == 20)
            #expect(realm.resolve(results)?.map(\.name) == ["Bo", "Ada"])
            #expect(realm.resolve(values).map(Array.init) == ["two", "one"])
            #expect(realm.resolve(links)?.map(\.name) == ["Owls"])
            #expect(realm.resolve(anyList).map(Array.init) == ["one", "two"])
            #expect(realm.resolve(anySet)?.count == 2)
            #expect(realm.resolve(anyLinks)?.first?.name == "Owls")
            #expect(realm.resolve(anyResults)?.first?.realm == realm)
            #expect(realm.resolve(nested)?.first == .string("a"))
        }
    }

    @Test("F4: a reference says whether it was resolved, and copies of it are one reference")
    func isInvalidated() {
        let reference = ThreadSafeReference(to: band)
        let copy = reference
        #expect(!reference.isInvalidated)
        _ = realm.resolve(copy)
        #expect(reference.isInvalidated)
    }

    @Test("F4: what was deleted meanwhile resolves to nil")
    func deleted() throws {
        let object = ThreadSafeReference(to: band)
        let list = ThreadSafeReference(to: band.songs)
        let nested = ThreadSafeReference(to: try #require(band.notes.listValue))
        try realm.write { realm in realm.delete(band) }

        #expect(realm.resolve(object) == nil)
        #expect(realm.resolve(list) == nil)
        #expect(realm.resolve(nested) == nil)
    }

    @Test("F4: the realm that resolves moves to the version of the reference, and not back")
    func moving() throws {
        let place = try QueueRealm(file)
        place.run { $0.autorefresh = false }
        #expect(place.run { $0.band?.rank } == 1)
        try realm.write { band.rank = 2 }
        let reference = ThreadSafeReference(to: band)
        let old = ThreadSafeReference(to: band)
        try realm.write { band.rank = 3 }
        #expect(place.run { $0.band?.rank } == 1)

        #expect(place.run { $0.resolve(reference)?.rank } == 3)
        #expect(realm.resolve(old)?.rank == 3)
    }

    @Test("what an open transaction made is found once it is committed, by an instance that was behind")
    func insideOfWrite() throws {
        let place = try QueueRealm(file)
        place.run { $0.autorefresh = false }
        let before = place.run { $0.objects(Band.self).count }
        let reference = try realm.write { realm in
            ThreadSafeReference(to: realm.create(Band.self, value: ["name": "Rooks"]))
        }

        #expect(before == 1)
        #expect(place.run { $0.resolve(reference)?.name } == "Rooks")
    }

    @Test("a reference is resolved inside of a write, too")
    func resolvingInWrite() throws {
        let reference = ThreadSafeReference(to: band)
        try realm.write { realm in realm.resolve(reference)?.rank = 8 }
        #expect(band.rank == 8)
    }

    @Test("a reference to something frozen finds it live")
    func frozen() throws {
        let reference = ThreadSafeReference(to: band.freeze())
        let found = try #require(realm.resolve(reference))
        #expect(!found.isFrozen && found == band)
    }

    @Test("a reference that is never resolved outlives its realm")
    func unresolved() throws {
        let other = try Band.file()
        let reference = try other.withRealm { ThreadSafeReference(to: try #require($0.band)) }
        #expect(try Realm.deleteFiles(for: other.configuration))
        #expect(!reference.isInvalidated)
    }

    // MARK: Variables

    @Test("F5: a thread-safe variable gives the object of the running code's place, again and again")
    func variable() throws {
        let shared = ThreadSafe(wrappedValue: band)
        let file = file
        #expect(shared.wrappedValue == band)

        try onThread {
            let realm = try file.open()
            #expect(shared.wrappedValue?.realm == realm)
            try realm.write { shared.wrappedValue?.rank = 4 }
            #expect(shared.wrappedValue?.rank == 4)
        }
        realm.refresh()
        DispatchQueue(label: "tests.variable").sync { #expect(shared.wrappedValue?.rank == 4) }

        #expect(shared.wrappedValue?.rank == 4)
        #expect(band.rank == 4)
    }

    @Test("F5: a variable may be declared with a value, and be captured by a closure for another thread")
    func capturing() throws {
        @ThreadSafe var list = band.players
        @ThreadSafe var results = realm.objects(Band.self)
        let (players, bands) = (_list, _results)

        try onThread {
            #expect(players.wrappedValue?.map(\.name) == ["Ada", "Bo"])
            #expect(bands.wrappedValue?.count == 1)
        }
        #expect(list?.count == 2)
        results = nil
        #expect(results == nil)
    }

    @Test("F5: a variable without a value is nil, and so is one whose object was deleted")
    func gone() throws {
        let shared = ThreadSafe<Band>(wrappedValue: nil)
        #expect(shared.wrappedValue == nil)
        shared.wrappedValue = band
        #expect(shared.wrappedValue?.name == "Owls")
        try realm.write { realm in realm.delete(band) }
        #expect(shared.wrappedValue == nil)
        shared.wrappedValue = nil
        #expect(shared.wrappedValue == nil)
    }

    @Test("F5: many threads read and assign one variable")
    func atOnce() async throws {
        let shared = ThreadSafe(wrappedValue: band)
        let file = file
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    #expect(throws: Never.self) {
                        try onThread {
                            let realm = try file.open()
                            for _ in 0..<20 {
                                shared.wrappedValue = realm.band
                                #expect(shared.wrappedValue?.name == "Owls")
                            }
                        }
                    }
                }
            }
        }
    }
}

import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Observation
import Synchronization
import Testing

@Suite("Properties that Swift's Observation tracks")
struct PropertyTrackingTests {
    private let place: TemporaryRealm
    private let realm: Realm
    private let boat: TrackedBoat
    private let other: TrackedBoat

    init() throws {
        place = try TemporaryRealm([
            TrackedBoat.self, TrackedEngine.self, TrackedHarbor.self, UntrackedBoat.self,
        ])
        let realm = try place.open()
        (boat, other) = try realm.write {
            let boats = [TrackedBoat(id: 1, name: "Ada"), TrackedBoat(id: 2, name: "Bea")]
            realm.add(boats)
            return (boats[0], boats[1])
        }
        self.realm = realm
    }

    /// Tracks what a closure reads; the count grows by one when something of it changed.
    private func told(_ reading: () -> Void) -> TellCount {
        let count = TellCount()
        withObservationTracking(reading) { count.add() }
        return count
    }

    private func times(_ reading: () -> Void, _ writing: () -> Void) throws -> Int {
        let count = told(reading)
        try realm.write(writing)
        return count.value
    }

    @Test("a write tells those who read the property of the object, and nobody else")
    func ownWrite() throws {
        let name = told { _ = boat.name }
        let length = told { _ = boat.length }
        let stranger = told { _ = other.name }
        try realm.write { boat.name = "Eva" }
        #expect([name, length, stranger].map(\.value) == [1, 0, 0])

        try realm.write { boat.name = "Ida" }
        #expect(name.value == 1)
        try realm.write { boat.length = 3 }
        #expect(length.value == 1 && stranger.value == 0)
    }

    @Test("whoever is told reads the new value and can track again")
    func again() throws {
        let boat = boat
        let seen = Log<String>()
        func track() {
            withObservationTracking {
                seen.add(boat.name)
            } onChange: {
            }
        }
        for name in ["Eva", "Ida"] {
            let count = told { seen.add(boat.name) }
            try realm.write { boat.name = name }
            #expect(count.value == 1)
        }
        track()
        #expect(seen.entries == ["Ada", "Eva", "Ida"])
    }

    @Test("a write that is cancelled tells nobody")
    func cancelled() throws {
        let name = told { _ = boat.name }
        realm.beginWrite()
        boat.name = "Eva"
        realm.cancelWrite()
        #expect(name.value == 0)
        try realm.write { other.name = "Eva" }
        #expect(name.value == 0)
    }

    @Test("another object of the same row, and another instance of the realm, tell as well")
    func otherAccessors() throws {
        let byKey = told { _ = boat.name }
        try realm.write { realm.object(ofType: TrackedBoat.self, forPrimaryKey: 1)?.name = "Eva" }
        #expect(byKey.value == 1)

        let foreign = told { _ = boat.name }
        let stranger = told { _ = other.name }
        try writeElsewhere(place) { realm in
            realm.object(ofType: TrackedBoat.self, forPrimaryKey: 1)?.name = "Ida"
        }
        #expect(foreign.value == 0)
        realm.refresh()
        #expect(foreign.value == 1 && stranger.value == 0 && boat.name == "Ida")
    }

    @Test("collections, links and embedded objects are told of when they change")
    func kinds() throws {
        #expect(try times({ _ = boat.crew.count }, { boat.crew.append("Kim") }) == 1)
        #expect(try times({ _ = boat.crew.first }, { boat.crew[0] = "Lee" }) == 1)
        #expect(try times({ _ = boat.rooms.count }, { boat.rooms.insert("bridge") }) == 1)
        #expect(try times({ _ = boat.papers["flag"] }, { boat.papers["flag"] = "FR" }) == 1)
        #expect(try times({ _ = boat.crew.count }, { boat.papers["flag"] = "NL" }) == 0)
        #expect(try times({ _ = boat.home }, { boat.home = TrackedHarbor(value: ["name": "Brest"]) }) == 1)
        #expect(try times({ _ = boat.home?.name }, { boat.home?.name = "Le Havre" }) == 1)
        #expect(try times({ _ = boat.engine }, { boat.engine = TrackedEngine(value: ["power": 90]) }) == 1)
        #expect(try times({ _ = boat.engine?.power }, { boat.engine?.power = 95 }) == 1)
    }

    @Test("a property that shows links backwards is told of when one comes or goes")
    func linkingObjects() throws {
        let harbor = try realm.write { realm.create(TrackedHarbor.self, value: ["name": "Brest"]) }
        #expect(try times({ _ = harbor.boats.count }, { boat.home = harbor }) == 1)
        #expect(try times({ _ = harbor.boats.count }, { boat.name = "Eva" }) == 0)
        #expect(try times({ _ = harbor.boats.count }, { boat.home = nil }) == 1)
        try realm.write { boat.home = harbor }
        #expect(try times({ _ = harbor.boats.count }, { realm.delete(boat) }) == 1)
    }

    @Test("those who read an object that is deleted are told, also when they asked only whether it was")
    func deleted() throws {
        let name = told { _ = boat.name }
        let validity = told { _ = boat.isInvalidated }
        let stranger = told { _ = other.isInvalidated }
        try realm.write { realm.delete(boat) }
        #expect([name, validity, stranger].map(\.value) == [1, 1, 0])
        #expect(boat.isInvalidated)
    }

    @Test("values that are read by name are tracked, and so are those of a projection's object")
    func otherWays() throws {
        #expect(try times({ _ = boat["name"] }, { boat.name = "Eva" }) == 1)
        #expect(try times({ _ = boat.value(forKey: "name") }, { boat.setValue("Ida", forKey: "name") }) == 1)
        let projection = TrackedBoatName(projecting: boat)
        #expect(try times({ _ = projection.name }, { boat.name = "Eva" }) == 1)
    }

    @Test("a class that does not ask for it, an unmanaged object and a frozen one are not tracked")
    func untracked() throws {
        let plain = try realm.write { realm.create(UntrackedBoat.self, value: ["name": "Ada"]) }
        #expect(try times({ _ = plain.name }, { plain.name = "Eva" }) == 0)
        let frozen = boat.freeze()
        #expect(try times({ _ = frozen.name }, { boat.name = "Eva" }) == 0)
        let unmanaged = TrackedBoat(id: 3, name: "Ada")
        let count = told { _ = unmanaged.name }
        unmanaged.name = "Eva"
        #expect(count.value == 0)
    }

    @Test("an object whose realm is read-only is read as ever")
    func readOnly() throws {
        var configuration = place.configuration
        configuration.fileURL = place.folder.appendingPathComponent("copy.realm")
        configuration.readOnly = true
        try realm.writeCopy(configuration: configuration)
        let realm = try Realm(configuration: configuration)
        let count = told { _ = realm.objects(TrackedBoat.self).first?.name }
        #expect(count.value == 0)
        #expect(realm.objects(TrackedBoat.self).map(\.name).sorted() == ["Ada", "Bea"])
    }

    @Test("of a random program, exactly those are told whose property changed", arguments: 0..<20 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try realm.write { for id in 3...12 { realm.add(TrackedBoat(id: id, name: "\(id)")) } }
        let boats = Array(realm.objects(TrackedBoat.self))
        let properties = ["name", "length", "crew"]
        for round in 0..<30 {
            var trackers: [(boat: Int, property: Int, count: TellCount)] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let (index, property) = (
                    Int.random(in: boats.indices, using: &random), Int.random(in: 0..<3, using: &random)
                )
                let boat = boats[index]
                trackers.append((index, property, told { _ = boat[properties[property]] }))
            }
            var changed: Set<[Int]> = []
            try realm.write {
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let (index, property) = (
                        Int.random(in: boats.indices, using: &random), Int.random(in: 0..<3, using: &random)
                    )
                    switch property {
                    case 0: boats[index].name = "\(random.next())"
                    case 1: boats[index].length = Double(round) + 0.5
                    default: boats[index].crew.append("\(round)")
                    }
                    changed.insert([index, property])
                }
            }
            for tracker in trackers {
                let isChanged = changed.contains([tracker.boat, tracker.property])
                #expect(tracker.count.value == (isChanged ? 1 : 0), "seed \(seed), round \(round), \(tracker)")
            }
        }
    }
}

private final class TrackedBoatName: Projection<TrackedBoat> {
    @Projected(\TrackedBoat.name) var name
}

/// How often somebody was told.
final class TellCount: Sendable, CustomStringConvertible {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    var description: String { "\(value)" }

    func add() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }
}

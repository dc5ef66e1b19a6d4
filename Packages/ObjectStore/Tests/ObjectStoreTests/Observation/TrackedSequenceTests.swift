import ObjectStore
import ObjectStoreTesting
import Observation
import Testing

@MainActor
@Suite("Sequences of tracked properties")
struct TrackedSequenceTests {
    private let place: TemporaryRealm

    init() throws {
        place = try TemporaryRealm([TrackedBoat.self, TrackedEngine.self, TrackedHarbor.self])
    }

    @Test("a sequence of observations gives what every commit leaves")
    func ownWrites() async throws {
        let realm = try place.open()
        let boat = try realm.write { realm.create(TrackedBoat.self, value: ["id": 1, "name": "Ada"]) }
        var seen: [String] = []
        for await name in Observations({ boat.name }) {
            seen.append(name)
            if seen.count == 4 { break }
            try realm.write { boat.name = "\(seen.count)" }
        }
        #expect(seen == ["Ada", "1", "2", "3"])
    }

    @Test("what other threads commit arrives by itself")
    func foreignWrites() async throws {
        let realm = try place.open()
        let boat = try realm.write { realm.create(TrackedBoat.self, value: ["id": 1, "name": "Ada"]) }
        var seen: [String] = []
        for await name in Observations({ boat.name }) {
            seen.append(name)
            if seen.count == 3 { break }
            let next = "\(seen.count)"
            try writeElsewhere(place) { realm in
                realm.object(ofType: TrackedBoat.self, forPrimaryKey: 1)?.name = next
            }
        }
        #expect(seen == ["Ada", "1", "2"])
    }
}

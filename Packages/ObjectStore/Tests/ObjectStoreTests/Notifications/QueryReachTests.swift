import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private class ReachDog: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var home: ReachHome?
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<ReachPerson>
}

private class ReachPerson: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var dogs: List<ReachDog>
    @Persisted var rooms: List<ReachRoom>
    @Persisted(originProperty: "members") var clubs: LinkingObjects<ReachClub>
}

private class ReachRoom: EmbeddedObject {
    @Persisted var number: Int
    @Persisted var guest: ReachDog?
}

private class ReachClub: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var members: MutableSet<ReachPerson>
}

private class ReachHome: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var byName: Map<String, ReachDog?>
}

/// Lists of ids that are changed by nothing but what handlers are told.
private final class PatchedLists {
    private(set) var lists: [[Int]]

    init(count: Int) { lists = Array(repeating: [], count: count) }

    func patch(_ index: Int, _ change: RealmCollectionChange<Results<ReachDog>>) {
        switch change {
        case .initial(let dogs): lists[index] = dogs.map(\.id)
        case .update(let dogs, let deletions, let insertions, _):
            for place in deletions.reversed() { lists[index].remove(at: place) }
            for place in insertions { lists[index].insert(dogs[place].id, at: place) }
        case .error: Issue.record("The queue's instance is open.")
        }
    }
}

@Suite("What can change the result of a query")
struct QueryReachTests {
    private let place: QueueRealm
    private let told = Log<Told>()

    init() throws {
        place = try QueueRealm(
            TemporaryRealm([ReachDog.self, ReachPerson.self, ReachRoom.self, ReachClub.self, ReachHome.self])
        )
        try place.write { realm in
            let dogs = (1...3).map { realm.create(ReachDog.self, value: ["id": $0, "home": ["id": $0]]) }
            let people = (1...2)
                .map { id in
                    realm.create(
                        ReachPerson.self,
                        value: ["id": id, "dogs": [dogs[id]], "rooms": [["guest": dogs[0]]]]
                    )
                }
            realm.create(ReachClub.self, value: ["id": 1, "members": people])
            realm.objects(ReachHome.self).first?.byName["a"] = dogs[2]
        }
    }

    @Test("a name of an owner, followed backwards, changes what is found")
    func backlink() throws {
        let token = place.run { realm in
            realm.objects(ReachDog.self).filter("ANY owners.name == 'Ann'").observe { [told] in told.add(Told($0)) }
        }
        #expect(told.take() == [.initial(0)])

        try place.write { realm in realm.object(ofType: ReachPerson.self, forPrimaryKey: 1)?.name = "Ann" }

        #expect(told.take() == [.update(1, insertions: [0])])
        place.run { _ in token.invalidate() }
    }

    /// Conditions that lead through every kind of property, forwards and backwards.
    private static let conditions = [
        "ANY owners.name == 'Ann'", "ANY owners.clubs.name == 'Ann'", "owners.@count > 1",
        "home.name == 'Ann'", "ANY owners.rooms.number == 1", "ANY owners.rooms.guest.name == 'Ann'",
        "home.byName['a'].name == 'Ann'", "ANY home.byName.@allKeys == 'b'",
        "SUBQUERY(owners, $owner, $owner.name == 'Ann' AND $owner.dogs.@count > 1).@count > 0",
        "owners.@max.id > 1", "NONE owners.clubs.members.dogs.name == 'Ann'", "TRUEPREDICATE",
    ]

    @Test(
        "after random changes the handlers of queries along all paths know what the queries find",
        arguments: 1...2 as ClosedRange<UInt64>
    )
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        // What each handler knows, patched by nothing but what it is told.
        let known = PatchedLists(count: Self.conditions.count)
        let (tokens, results) = place.run { realm in
            let results = Self.conditions.map { realm.objects(ReachDog.self).filter($0).sorted(byKeyPath: "home.name") }
            return (results.enumerated().map { index, result in result.observe { known.patch(index, $0) } }, results)
        }
        for round in 0..<60 {
            try place.write { realm in for _ in 0...generator.below(2) { change(realm, &generator) } }
            try place.run { _ in
                for (index, result) in results.enumerated() {
                    try #require(
                        known.lists[index] == result.map(\.id),
                        "seed \(seed), round \(round), \(Self.conditions[index])"
                    )
                }
            }
        }
        place.run { _ in for token in tokens { token.invalidate() } }
    }

    private func change(_ realm: Realm, _ generator: inout SeededGenerator) {
        let name = ["Ann", "Bo", "Cy"][generator.below(3)]
        let (first, second) = (1 + generator.below(3), 1 + generator.below(2))
        let dog = realm.object(ofType: ReachDog.self, forPrimaryKey: first)
        let person = realm.object(ofType: ReachPerson.self, forPrimaryKey: second)
        switch generator.below(10) {
        case 0: person?.name = name
        case 1: dog?.name = name
        case 2: dog?.home?.name = name
        case 3: realm.objects(ReachClub.self).first?.name = name
        case 4: person?.rooms.first?.number = generator.below(3)
        case 5: person?.rooms.first?.guest = dog
        case 6:
            if generator.once(in: 2) {
                dog.map { person?.dogs.append($0) }
            } else if person?.dogs.isEmpty == false {
                person?.dogs.removeFirst()
            }
        case 7:
            if generator.once(in: 2) {
                person.map { realm.objects(ReachClub.self).first?.members.insert($0) }
            } else {
                person.map { realm.objects(ReachClub.self).first?.members.remove($0) }
            }
        case 8: dog?.home?.byName[["a", "b"][generator.below(2)]] = generator.once(in: 2) ? nil : .some(dog)
        default:
            dog.map(realm.delete)
            realm.create(ReachDog.self, value: ["id": first, "home": ["id": first, "name": name]], update: .modified)
        }
    }
}

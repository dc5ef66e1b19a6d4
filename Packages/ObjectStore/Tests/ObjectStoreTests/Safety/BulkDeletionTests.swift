import EventModel
import EventModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Deleting many objects at once")
struct BulkDeletionTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
    }

    @Test("the objects of a query go, the others stay, in more groups than one")
    func results() throws {
        try realm.write { realm.add((0..<2500).map(Person.numbered)) }

        try realm.write { realm.delete(realm.objects(Person.self).where { $0.active == true }) }

        #expect(realm.objects(Person.self).count == 1250)
        #expect(realm.objects(Person.self).where { $0.active == true }.isEmpty)
        #expect(realm.object(ofType: Person.self, forPrimaryKey: 2) == nil)
        #expect(realm.object(ofType: Person.self, forPrimaryKey: 3)?.name == "Person 3")
    }

    @Test("links to deleted objects become nil, lists lose them, and the rest of a list keeps its order")
    func links() throws {
        let people = try realm.write { (0..<6).map { realm.create(Person.self, value: Person.numbered($0)) } }
        let home = try realm.write { realm in
            let home = realm.create(Home.self, value: ["name": "x"])
            home.people.append(objectsIn: people + people.reversed())
            home.owner = people[2]
            return home
        }

        try realm.write { realm.delete(realm.objects(Person.self).where { $0._id >= 1 && $0._id <= 3 }) }

        #expect(home.people.map(\._id) == [0, 4, 5, 5, 4, 0])
        #expect(home.owner == nil)
        #expect(people[2].isInvalidated)
        #expect(!people[4].isInvalidated)
    }

    @Test("embedded objects go with their parents, at any depth")
    func embedded() throws {
        try realm.write { realm in
            for number in 0..<1200 {
                realm.create(
                    Home.self,
                    value: [
                        "name": "Home \(number)", "address": ["street": "a"],
                        "formerAddresses": [["street": "b"], ["street": "c"]],
                    ]
                )
            }
        }
        let dump = try FileDump(realm)
        #expect(try dump.lines().count { $0.hasPrefix("Address:") } == 3600)

        try realm.write { realm.delete(realm.objects(Home.self).where { $0.name != "Home 7" }) }

        #expect(try dump.lines().count { $0.hasPrefix("Address:") } == 3)
        #expect(realm.objects(Home.self).first?.formerAddresses.map(\.street) == ["b", "c"])
    }

    @Test("the objects of a list go, also those that it has twice, and the list is empty")
    func list() throws {
        let home = try realm.write { realm in
            realm.create(Home.self, value: ["name": "x", "dogs": [["name": "a"], ["name": "b"]]])
        }
        try realm.write {
            home.dogs.append(objectsIn: Array(home.dogs))
            realm.add(Dog(value: ["name": "c"]))
        }

        try realm.write { realm.delete(home.dogs) }

        #expect(home.dogs.isEmpty)
        #expect(realm.objects(Dog.self).map(\.name) == ["c"])
    }

    @Test("a query over a list deletes what it matches")
    func listQuery() throws {
        let home = try realm.write { realm in
            realm.create(
                Home.self,
                value: ["name": "x", "dogs": [["name": "a", "age": 1], ["name": "b", "age": 5]]]
            )
        }
        try realm.write { home.dogs.append(objectsIn: Array(home.dogs)) }

        try realm.write { realm.delete(home.dogs.where { $0.age > 3 }) }

        #expect(home.dogs.map(\.name) == ["a", "a"])
        #expect(realm.objects(Dog.self).count == 1)
    }

    @Test("the embedded objects of a list go, and the list is empty")
    func embeddedList() throws {
        let home = try realm.write { realm in
            realm.create(Home.self, value: ["name": "x", "formerAddresses": [["street": "a"], ["street": "b"]]])
        }
        let first = try #require(home.formerAddresses.first)

        try realm.write { realm.delete(home.formerAddresses) }

        #expect(home.formerAddresses.isEmpty)
        #expect(first.isInvalidated)
    }

    @Test("results and lists of another realm, and unmanaged lists, are refused and nothing changes")
    func foreign() throws {
        let other = try TemporaryRealm().open()
        let home = try other.write { other in other.create(Home.self, value: ["name": "x", "dogs": [["name": "a"]]]) }

        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm.delete(other.objects(Person.self)) }
        }
        #expect(throws: Realm.Error(.invalidInput, "")) { try realm.write { realm.delete(home.dogs) } }
        #expect(throws: Realm.Error(.invalidInput, "")) { try realm.write { realm.delete([Dog()] as List<Dog>) } }
        #expect(home.dogs.count == 1)
    }

    @Test("a deletion is rolled back like any other change")
    func rollback() throws {
        try realm.write { realm.add((0..<1500).map(Person.numbered)) }
        let person = try #require(realm.objects(Person.self).first)
        let before = try FileDump(realm).lines()

        realm.beginWrite()
        realm.delete(realm.objects(Person.self))
        #expect(realm.objects(Person.self).isEmpty)
        #expect(person.isInvalidated)
        realm.cancelWrite()

        #expect(try FileDump(realm).lines() == before)
        #expect(realm.objects(Person.self).count == 1500)
    }

    @Test("an observer is told each deleted object as it was")
    func observed() throws {
        let spy = ObserverSpy()
        let file = try TemporaryRealm { $0.attachment = spy }
        let realm = try file.open()
        try realm.write { realm.add((0..<1100).map(Person.numbered)) }

        let calls = try spy.record {
            try realm.write { realm.delete(realm.objects(Person.self).where { $0._id > 0 }) }
        }

        let deletions = try #require(spy.commits.last?.classes.first?.deletions)
        #expect(Set(deletions.map(\.primaryKey)) == Set((1..<1100).map { Value.int($0) }))
        #expect(deletions.count == 1099)
        #expect(calls.count == 1)
        #expect(calls.first?.matches?.count == 1099)
    }
}

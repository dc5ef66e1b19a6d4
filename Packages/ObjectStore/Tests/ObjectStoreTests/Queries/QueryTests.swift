import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Queries")
struct QueryTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
        try realm.write { realm in
            realm.add((1...10).map(Person.numbered))
            realm.create(
                Home.self,
                value: [
                    "name": "Villa",
                    "owner": realm.object(ofType: Person.self, forPrimaryKey: 2) as Any,
                    "people": [1, 2, 3].map { realm.object(ofType: Person.self, forPrimaryKey: $0) as Any },
                    "tags": ["old", "red"],
                ]
            )
            realm.create(Home.self, value: ["name": "Hut"])
        }
    }

    @Test("a string predicate filters by properties and arguments")
    func stringPredicate() {
        let people = realm.objects(Person.self).filter("_id > %@ AND name ENDSWITH %@", 3, "5")

        #expect(people.map(\._id) == [5])
    }

    @Test("a predicate from outside of the program throws instead of trapping")
    func parsedPredicate() {
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.objects(Person.self).filter(parsing: "nam == 'x'")
        }
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.objects(Person.self).filter(parsing: "name ==")
        }
    }

    @Test("a typed condition filters by operators, options and ranges")
    func typedConditions() {
        let people = realm.objects(Person.self)

        #expect(people.where { $0._id == 4 }.map(\.name) == ["Person 4"])
        #expect(people.where { $0._id != 4 && $0._id <= 5 }.map(\._id) == [1, 2, 3, 5])
        #expect(people.where { $0._id < 2 || $0._id >= 10 }.map(\._id) == [1, 10])
        #expect(people.where { $0.active }.map(\._id) == [2, 4, 6, 8, 10])
        #expect(people.where { !$0.active && $0._id > 7 }.map(\._id) == [9])
        #expect(people.where { $0.userId == nil }.map(\._id) == [5, 10])
        #expect(people.where { $0.userId == "user-3" }.map(\._id) == [3])
        #expect(people.where { $0._id.in([1, 3, 99]) }.map(\._id) == [1, 3])
        #expect(people.where { $0._id.contains(2...4) }.map(\._id) == [2, 3, 4])
        #expect(people.where { $0._id.contains(2..<4) }.map(\._id) == [2, 3])
        #expect(people.where { $0.name.contains("10") }.map(\._id) == [10])
        #expect(people.where { $0.name.starts(with: "PERSON 1", options: .caseInsensitive) }.map(\._id) == [1, 10])
        #expect(people.where { $0.name.ends(with: "7") }.map(\._id) == [7])
        #expect(people.where { $0.name.like("*son ?") }.count == 9)
    }

    @Test("a typed condition goes through links and lists")
    func linkConditions() {
        let homes = realm.objects(Home.self)

        #expect(homes.where { $0.owner.name == "Person 2" }.map(\.name) == ["Villa"])
        #expect(homes.where { $0.owner == nil }.map(\.name) == ["Hut"])
        #expect(homes.where { $0.people._id == 3 }.map(\.name) == ["Villa"])
        #expect(homes.where { $0.people.count == 0 }.map(\.name) == ["Hut"])
        #expect(homes.where { $0.tags.contains("red") }.map(\.name) == ["Villa"])
        let owner = realm.object(ofType: Person.self, forPrimaryKey: 2)
        #expect(homes.where { $0.owner == owner }.map(\.name) == ["Villa"])
    }

    @Test("sorting orders by properties, also through links, and keeps the earlier order among equals")
    func sorting() {
        let people = realm.objects(Person.self)

        #expect(people.sorted(byKeyPath: "_id", ascending: false).first?._id == 10)
        #expect(people.sorted(by: \.active).sorted(by: \.score, ascending: false).first?._id == 10)
        #expect(
            people.sorted(by: [SortDescriptor(keyPath: "active"), SortDescriptor(keyPath: "_id", ascending: false)])
                .map(\._id) == [9, 7, 5, 3, 1, 10, 8, 6, 4, 2]
        )
        #expect(realm.objects(Home.self).sorted(byKeyPath: "owner.name").map(\.name) == ["Hut", "Villa"])
    }

    @Test("a list filters and sorts its elements")
    func listQueries() throws {
        let people = try #require(realm.object(ofType: Home.self, forPrimaryKey: "Villa")).people

        #expect(people.filter("_id >= 2").map(\._id) == [2, 3])
        #expect(people.where { $0.active }.map(\._id) == [2])
        #expect(people.sorted(by: \._id, ascending: false).map(\._id) == [3, 2, 1])
    }

    @Test("aggregates are computed by the database")
    func aggregates() {
        let people = realm.objects(Person.self)

        #expect(people.min(of: \._id) == 1)
        #expect(people.max(ofProperty: "score") == 10.0 / 3)
        #expect(people.sum(of: \.employeeId) == 385)
        #expect(people.average(ofProperty: "_id") == 5.5)
        #expect(people.where { $0._id > 99 }.sum(of: \._id) == 0)
        #expect(people.where { $0._id > 99 }.min(of: \._id) == nil)
    }

    @Test("a result is live and counts without reading")
    func liveResult() throws {
        let active = realm.objects(Person.self).where { $0.active }
        #expect(active.count == 5)

        try realm.write { realm in
            realm.add(Person.numbered(12))
            #expect(active.count == 6)
        }

        #expect(active.count == 6)
        #expect(active.last?._id == 12)
        let eight = try #require(realm.object(ofType: Person.self, forPrimaryKey: 8))
        #expect(active.index(of: eight) == 3)
    }

    @Test("a loop that deletes what it iterates over visits every object")
    func deletingLoop() throws {
        try realm.write { realm in
            for person in realm.objects(Person.self).where({ $0.active }) { realm.delete(person) }
        }

        #expect(realm.objects(Person.self).map(\._id) == [1, 3, 5, 7, 9])
    }
}

import EventModel
import EventModelTesting
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Recording of collections")
struct RecordedCollectionTests {
    private let spy: ObserverSpy
    private let realm: Realm
    private let file: TemporaryRealm
    private let shelter: Shelter

    init() throws {
        let spy = ObserverSpy()
        self.spy = spy
        file = try TemporaryRealm(Shelter.types) { $0.attachment = spy }
        realm = try file.open()
        shelter = try realm.write { realm in
            realm.create(
                Shelter.self,
                value: [
                    "name": "North",
                    "people": [["_id": 1], ["_id": 2]],
                    "personSet": [["_id": 3], ["_id": 4]],
                    "personMap": ["b": ["_id": 5], "a": ["_id": 6], "c": nil] as [String: Any?],
                    "addressMap": ["home": ["street": "Elm Street"], "none": nil] as [String: Any?],
                    "cities": ["Chicago", "Boston"],
                    "parks": ["b": "B", "a": "A"],
                    "scores": ["x": nil, "y": 1],
                ]
            )
        }
    }

    private func slot(_ name: String, _ snapshot: ObjectSnapshot) throws -> Int {
        try #require(snapshot.shape.slot(named: name))
    }

    private func value(_ name: String, _ snapshot: ObjectSnapshot) throws -> Value {
        snapshot.value(try slot(name, snapshot))
    }

    private func link(_ id: Int, _ key: Int64) -> Value {
        .link(ObjectReference(className: "Person", key: key, primaryKey: .int(Int64(id))))
    }

    @Test(
        "a whole snapshot has sets in the order of their values and maps by their keys, with links and embedded objects"
    )
    func wholeSnapshot() throws {
        let calls = spy.record { _ = realm.objects(Shelter.self).first }
        let snapshot = try #require(calls.first?.read)

        #expect(try value("cities", snapshot) == .list([.string("Boston"), .string("Chicago")]))
        #expect(try value("parks", snapshot) == .dictionary(["a": .string("A"), "b": .string("B")]))
        #expect(try value("scores", snapshot) == .dictionary(["x": .null, "y": .int(1)]))
        #expect(try value("personSet", snapshot) == .list([link(3, 3), link(4, 4)]))
        guard case .dictionary(let people) = try value("personMap", snapshot) else {
            Issue.record("a map is no dictionary")
            return
        }
        #expect(people.keys.sorted() == ["a", "b", "c"])
        #expect(people["c"] == .null)
        guard case .link(let reference) = people["a"] else {
            Issue.record("the value of a map of objects is no link")
            return
        }
        #expect(reference.primaryKey == .int(6))
        guard case .dictionary(let addresses) = try value("addressMap", snapshot),
            case .object(let address) = addresses["home"]
        else {
            Issue.record("an embedded object of a map is missing")
            return
        }
        #expect(address.value(0) == .string("Elm Street"))
        #expect(addresses["none"] == .null)
        #expect(try value("dogMap", snapshot) == .dictionary([:]))
    }

    @Test("objects that are reached through a list, a set or a map are told with all others of the property")
    func following() throws {
        let reads: [(name: String, all: Set<Int64>, read: () -> Void)] = [
            ("people", [1, 2], { _ = shelter.people[0] }),
            ("personSet", [3, 4], { _ = shelter.personSet.first }),
            ("personMap", [5, 6], { _ = shelter.personMap["b"] }),
            ("personMap", [5, 6], { _ = shelter.personMap.makeIterator().next() }),
        ]
        let whole = try #require(spy.record { _ = realm.objects(Shelter.self).first }.first?.read)
        let names = whole.shape.properties.map(\.name)
        for (name, all, read) in reads {
            let calls = spy.record(read)
            let followed = try #require(calls.first?.followed)
            #expect(calls.count == 1)
            #expect(followed.parent.className == "Shelter")
            #expect(followed.slot == names.firstIndex(of: name))
            #expect(Set(followed.all.map(\.primaryKey)) == Set(all.map { Value.int($0) }))
            #expect(followed.all.contains(followed.target))
        }
    }

    @Test("scalars, embedded objects, counting, and asking for keys or for elements of a set tell nothing")
    func silence() {
        let calls = spy.record {
            _ = Array(shelter.cities)
            _ = shelter.parks["a"]
            _ = shelter.addressMap["home"]??.street
            _ = shelter.personSet.count
            _ = shelter.personMap.keys
            _ = shelter.personMap["c"]
            _ = shelter.personMap["missing"]
            _ = shelter.personSet.contains(Person())
            _ = shelter.personSet.isSubset(of: shelter.personSet)
        }
        #expect(calls.isEmpty)
    }

    @Test("nothing is told while the gate is closed, and iterating tells each object once")
    func iterating() {
        for person in shelter.personSet { _ = person._id }
        #expect(spy.calls.isEmpty)
        let calls = spy.record { for person in shelter.personSet { _ = person._id } }
        #expect(calls.compactMap(\.followed).count == 2)
        #expect(calls.count == 2)
    }

    @Test("inside a write that changed a collection, links are told as they were before it")
    func insideWrite() throws {
        try realm.write { realm in
            shelter.personSet.insert(Person.numbered(9))
            shelter.personMap["d"] = Person.numbered(10)
            let calls = spy.record {
                _ = Array(shelter.personSet)
                _ = shelter.personMap.values
            }
            let all = calls.compactMap(\.followed).map { Set($0.all.map(\.primaryKey)) }
            #expect(Set(all) == [[.int(3), .int(4)], [.int(5), .int(6)]])
            #expect(!calls.compactMap(\.followed).contains { $0.target.primaryKey == .int(9) })
        }
    }

    @Test("changes of sets and maps are in the commit, before and after", arguments: ["cities", "parks", "personMap"])
    func commits(_ name: String) throws {
        spy.gate.open()
        try realm.write { realm in
            shelter.cities.insert("Denver")
            shelter.cities.remove("Boston")
            shelter.parks["a"] = nil
            shelter.parks["c"] = "C"
            realm.delete(try #require(realm.object(ofType: Person.self, forPrimaryKey: 6)))
        }

        let changes = try #require(spy.commits.last?.classes.first { $0.shape.name == "Shelter" })
        let modification = try #require(changes.modifications.first)
        #expect(changes.modifications.count == 1)
        let (before, after) = (try value(name, modification.before), try value(name, modification.after))
        switch name {
        case "cities":
            #expect(before == .list([.string("Boston"), .string("Chicago")]))
            #expect(after == .list([.string("Chicago"), .string("Denver")]))
        case "parks":
            #expect(before == .dictionary(["a": .string("A"), "b": .string("B")]))
            #expect(after == .dictionary(["b": .string("B"), "c": .string("C")]))
        default:
            guard case .dictionary(let old) = before, case .dictionary(let new) = after else {
                Issue.record("a map is no dictionary")
                return
            }
            #expect(old["a"] != .null && new["a"] == .null)
            #expect(old["b"] == new["b"])
        }
    }

    @Test("equal changes are no modification under `.modified`, and are under `.all`")
    func equalUpdate() throws {
        spy.gate.open()
        let value: [String: Any] = ["name": "North", "cities": ["Boston", "Chicago"], "parks": ["a": "A", "b": "B"]]
        try realm.write { realm in realm.create(Shelter.self, value: value, update: .modified) }
        #expect(spy.commits.flatMap(\.classes).isEmpty)
        try realm.write { realm in realm.create(Shelter.self, value: value, update: .all) }
        #expect(spy.commits.flatMap(\.classes).count == 1)
    }
}

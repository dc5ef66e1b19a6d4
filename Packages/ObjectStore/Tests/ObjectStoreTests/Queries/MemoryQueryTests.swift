import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private final class Crew: Object {
    @Persisted var name: String
    @Persisted var captain: Sailor?
    @Persisted var sailors: List<Sailor>
    @Persisted var log: AnyRealmValue
}

private final class Sailor: Object {
    @Persisted var name: String
    @Persisted var age: Int?
    @Persisted var marks: Map<String, Int>
    @Persisted(originProperty: "sailors") var crews: LinkingObjects<Crew>
}

@Suite("L8: queries on collections that no realm manages")
struct MemoryQueryTests {
    private let crews = List<Crew>()
    private let ada = Sailor(value: ["name": "Ada", "age": 36, "marks": ["knots": 5]])
    private let bob = Sailor(value: ["name": "Böb", "marks": ["knots": 2, "maps": 4]])

    init() {
        crews.append(Crew(value: ["name": "Sloop", "captain": ada, "sailors": [ada, bob]]))
        crews.append(Crew(value: ["name": "Gig", "sailors": [bob], "log": ["wind": [3, 5]]]))
        crews.append(Crew(value: ["name": "Raft", "log": "calm"]))
    }

    @Test(
        "conditions lead through links, collections and values of any type",
        arguments: [
            ("captain.name == 'Ada'", ["Sloop"]), ("captain == nil", ["Gig", "Raft"]),
            ("ANY sailors.age > 30", ["Sloop"]), ("NONE sailors.name BEGINSWITH 'A'", ["Gig", "Raft"]),
            ("sailors.@count == 0", ["Raft"]), ("sailors.@avg.age == 36", ["Sloop"]),
            ("sailors.@min.age == nil", ["Gig", "Raft"]), ("sailors.@sum.age == 0", ["Gig", "Raft"]),
            ("SUBQUERY(sailors, $s, $s.age == nil AND $s.name LIKE[c] 'b?b').@count == 1", ["Sloop", "Gig"]),
            ("ANY sailors.name ==[cd] 'BOB'", ["Sloop", "Gig"]), ("log == 'calm'", ["Raft"]),
            ("log['wind'][1] == 5", ["Gig"]), ("ANY sailors.marks == 4", ["Sloop", "Gig"]),
            ("ANY captain.marks.@allKeys == 'knots'", ["Sloop"]),
            ("captain.marks['maps'] == nil", ["Sloop", "Gig", "Raft"]),
            ("NOT captain.age < 40", ["Gig", "Raft"]),
            ("name IN {'Gig', 'Sloop'} AND TRUEPREDICATE", ["Sloop", "Gig"]),
            ("captain.age BETWEEN {30, 40}", ["Sloop"]), ("FALSEPREDICATE", []),
        ]
    )
    func conditions(_ format: String, _ names: [String]) throws {
        #expect(try crews.filter("TRUEPREDICATE").filter(parsing: format).map(\.name) == names)
    }

    @Test("what is found is the same in both front ends, and the very objects")
    func typed() {
        let found = crews.where { $0.sailors.age > 30 && !($0.name == "Gig") }

        #expect(found.map(\.name) == ["Sloop"])
        #expect(found.first === crews[0])
        #expect(found.sorted(byKeyPath: "name").filter("captain.age == 36").count == 1)
    }

    @Test("values are compared as themselves")
    func values() {
        let numbers = List<Int>()
        numbers.append(objectsIn: [3, 1, 4, 1, 5])
        let names = MutableSet<String>()
        names.insert(objectsIn: ["Ada", "ada", "Bob"])

        #expect(Array(numbers.filter("self > %@", 2)) == [3, 4, 5])
        #expect(Array(numbers.where { $0 == 1 }) == [1, 1])
        #expect(names.filter("self ==[c] 'ADA'").count == 2)
    }

    @Test("nothing links to an object that no realm manages")
    func backlinks() {
        #expect(crews[0].sailors.filter("ANY crews.name == 'Sloop'").isEmpty)
    }

    @Test("an object is found by itself, and a managed one by another accessor of it")
    func identity() throws {
        let file = try TemporaryRealm([Crew.self, Sailor.self])
        let realm = try file.open()
        try realm.write { realm.add(ada) }
        let other = try #require(realm.objects(Sailor.self).first)

        #expect(crews.filter("captain == %@", other).map(\.name) == ["Sloop"])
        #expect(crews.filter("captain != %@", other).map(\.name) == ["Gig", "Raft"])
        #expect(crews.filter("ANY sailors == %@", other).map(\.name) == ["Sloop"])
    }

    @Test(
        "a condition that makes no sense is refused as for managed objects",
        arguments: ["nope == 1", "name > 5", "captain.name.x == 1", "ANY name == 'x'", "name =="]
    )
    func refusals(_ format: String) {
        #expect(throws: Realm.Error.self) { try crews.filter("TRUEPREDICATE").filter(parsing: format) }
    }
}

import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// The models of the page about models, as it shows them.
private class KennelHound: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted(indexed: true) var name: String
    @Persisted var age = 0
    @Persisted var owner: KennelKeeper?
    @Persisted var toys: List<String>
    @Persisted var tricks: MutableSet<String>
    @Persisted var scores: Map<String, Double>
    @Persisted var address: KennelAddress?
    @Persisted var anything: AnyRealmValue
    @Persisted(originProperty: "dogs") var admirers: LinkingObjects<KennelKeeper>
}

private class KennelKeeper: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name: String
    @Persisted var dogs: List<KennelHound>
}

private class KennelAddress: EmbeddedObject {
    @Persisted var street: String
}

@Suite("What the pages of the documentation show")
struct DocumentationTests {
    private let file: TemporaryRealm

    init() throws { file = try TemporaryRealm([KennelHound.self, KennelKeeper.self, KennelAddress.self]) }

    private func filled() throws -> Realm {
        let realm = try file.open()
        try realm.write { realm in
            let ada = realm.create(KennelKeeper.self, value: ["name": "Ada"])
            let bob = realm.create(KennelKeeper.self, value: ["name": "Bob"])
            let dogs: [(String, Int, KennelKeeper?, [String])] = [
                ("Rex", 1, ada, ["ball"]), ("Bo", 4, ada, ["ball", "bone", "rope"]), ("Zoë", 5, ada, []),
                ("rexi", 3, bob, ["bone"]), ("Max", 21, nil, []),
            ]
            for (name, age, owner, toys) in dogs {
                let dog = realm.create(KennelHound.self, value: ["name": name, "age": age, "toys": toys])
                dog.owner = owner
                owner?.dogs.append(dog)
            }
        }
        return realm
    }

    @Test("each row of the table of queries says the same in both forms")
    func queries() throws {
        let realm = try filled()
        let dogs = realm.objects(KennelHound.self)
        let keepers = realm.objects(KennelKeeper.self)
        func names(_ found: Results<KennelHound>) -> [String] { found.map(\.name).sorted() }
        func same(_ typed: Results<KennelHound>, _ predicate: String, _ arguments: Any..., names expected: [String]) {
            #expect(names(typed) == expected.sorted(), "\(predicate)")
            #expect(names(dogs.filtered(predicate, arguments)) == expected.sorted(), "\(predicate)")
        }

        same(dogs.where { $0.age >= 4 }, "age >= %@", 4, names: ["Bo", "Zoë", "Max"])
        same(dogs.where { $0.name.in(["Rex", "Bo"]) }, "name IN {'Rex', 'Bo'}", names: ["Rex", "Bo"])
        same(dogs.where { $0.age.contains(1...3) }, "age BETWEEN {1, 3}", names: ["Rex", "rexi"])
        same(dogs.where { $0.name.contains("ex") }, "name CONTAINS 'ex'", names: ["Rex", "rexi"])
        same(dogs.where { $0.name.starts(with: "R") }, "name BEGINSWITH 'R'", names: ["Rex"])
        same(dogs.where { $0.name.ends(with: "x") }, "name ENDSWITH 'x'", names: ["Rex", "Max"])
        same(dogs.where { $0.name.like("?o*") }, "name LIKE '?o*'", names: ["Bo", "Zoë"])
        same(
            dogs.where { $0.name.starts(with: "zoe", options: [.caseInsensitive, .diacriticInsensitive]) },
            "name BEGINSWITH[cd] 'zoe'",
            names: ["Zoë"]
        )
        same(dogs.where { $0.owner.name == "Ada" }, "owner.name == 'Ada'", names: ["Rex", "Bo", "Zoë"])
        same(dogs.where { $0.toys.contains("ball") }, "ANY toys == 'ball'", names: ["Rex", "Bo"])
        same(dogs.where { $0.toys.count > 2 }, "toys.@count > 2", names: ["Bo"])
        let old = ["Ada"]
        #expect(keepers.where { $0.dogs.age.avg > 3 }.map(\.name) == old)
        #expect(keepers.filter("dogs.@avg.age > 3").map(\.name) == old)
        #expect(keepers.where { ($0.dogs.age > 3).count > 1 }.map(\.name) == old)
        #expect(keepers.filter("SUBQUERY(dogs, $dog, $dog.age > 3).@count > 1").map(\.name) == old)
    }

    @Test("the example of queries finds puppies in both forms, sorts them and finds the oldest")
    func puppies() throws {
        let dogs = try filled().objects(KennelHound.self)
        let puppies = dogs.where { $0.age < 2 && $0.owner.name.starts(with: "a", options: .caseInsensitive) }
        let same = dogs.filter("age < 2 AND owner.name BEGINSWITH[c] 'A'")
        let oldest: Int? = dogs.max(of: \.age)

        #expect(puppies.sorted(by: \.name).map(\.name) == ["Rex"])
        #expect(same.map(\.name) == ["Rex"])
        #expect(oldest == 21)
    }

    @Test("the example of writing makes, changes and deletes")
    func writing() throws {
        let realm = try filled()
        try realm.write { realm in
            let dog = realm.create(KennelHound.self, value: ["name": "New", "toys": ["ball"]])
            realm.add(KennelKeeper(), update: .modified)
            dog.age += 1
            realm.delete(realm.objects(KennelHound.self).where { $0.age > 20 })
        }

        #expect(realm.objects(KennelHound.self).where { $0.name == "New" }.first?.age == 1)
        #expect(realm.objects(KennelHound.self).where { $0.name == "Max" }.isEmpty)
        #expect(realm.objects(KennelKeeper.self).count == 3)
    }

    @Test("the example of a migration renames a property and moves data")
    func migration() throws {
        do { _ = try filled() }
        let realm = try file.open { configuration in
            configuration.schemaVersion = 2
            configuration.migrationBlock = { migration, oldVersion in
                guard oldVersion < 2 else { return }
                migration.enumerateObjects(ofType: "KennelHound") { old, new in
                    new?["age"] = (old?["age"] as? Int).map { $0 + 1 }
                }
            }
        }

        #expect(realm.objects(KennelHound.self).sorted(byKeyPath: "age").map(\.age) == [2, 4, 5, 6, 22])
    }
}

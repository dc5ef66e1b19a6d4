import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Migrations")
struct MigrationTests {
    private let file: TemporaryRealm

    init() throws {
        file = try TemporaryRealm([V1.Pet.self, V1.Toy.self, V1.Gone.self])
        let realm = try file.open()
        try realm.write {
            for number in 1...3 {
                realm.create(
                    V1.Pet.self,
                    value: [
                        "id": number, "name": "pet \(number)", "age": number * 10, "weight": Double(number) / 2,
                        "nick": number == 2 ? nil : "nick \(number)" as Any?, "dropped": "x",
                        "toys": [["label": "ball \(number)"], ["label": "bone \(number)"]], "tags": ["a", "b"],
                        "favorite": ["label": "favorite \(number)"],
                    ] as [String: Any?]
                )
            }
            realm.create(V1.Gone.self, value: ["text": "kept"])
        }
    }

    /// Opens the file with the second version of the classes.
    private func migrate(
        _ types: [ObjectBase.Type] = [V2.Pet.self, V2.Toy.self],
        _ block: MigrationBlock? = nil
    ) throws -> Realm {
        try file.open {
            $0.objectTypes = types
            $0.schemaVersion = 1
            $0.migrationBlock = block
        }
    }

    @Test("M1: without a higher version all differences are listed, one per line, and the file stays as it is")
    func mismatch() throws {
        let error = #expect(throws: Realm.Error.self) {
            try file.open { $0.objectTypes = [V2.Pet.self, V2.Toy.self] }
        }

        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.details == [
                "The property 'Pet.added' was added.",
                "The property 'Pet.age' is string and was int.",
                "The property 'Pet.born' was added.",
                "The property 'Pet.fresh' was added.",
                "The property 'Pet.name' is optional string and was string.",
                "The property 'Pet.nick' is string and was optional string.",
                "The property 'Pet.numbers' was added.",
                "The property 'Pet.dropped' was removed.",
            ]
        )
        #expect(error?.message.split(separator: "\n").count == 9)
        #expect(try file.open().objects(V1.Pet.self).count == 3)
    }

    @Test("M3: with a higher version and no block values are kept, added or removed")
    func automatic() throws {
        let realm = try migrate()
        let pets = realm.objects(V2.Pet.self).sorted(byKeyPath: "id")

        #expect(pets.map(\.id) == [1, 2, 3])
        #expect(pets.map(\.name) == ["pet 1", "pet 2", "pet 3"])
        #expect(pets.map(\.weight) == [0.5, 1, 1.5])
        #expect(pets.map(\.nick) == ["nick 1", "none", "nick 3"], "Nulls became the default of the class.")
        #expect(pets.map(\.age) == ["", "", ""], "A property of another type begins anew.")
        #expect(pets.map(\.added) == [7, 7, 7], "The default of the class is used.")
        #expect(Set(pets.map(\.fresh)).count == 3, "Each object gets a default of its own.")
        #expect(pets.map(\.numbers.count) == [0, 0, 0])
        #expect(pets.map { $0.toys.map(\.label) }[1] == ["ball 2", "bone 2"])
        #expect(pets.map { Array($0.tags) } == Array(repeating: ["a", "b"], count: 3))
        #expect(pets.map(\.favorite?.label) == ["favorite 1", "favorite 2", "favorite 3"])
    }

    @Test("the migrated realm is written and read as any other, also when it is opened again")
    func usedAfterwards() throws {
        do {
            let realm = try migrate()
            try realm.write {
                realm.create(V2.Pet.self, value: ["id": 4, "age": "old", "numbers": [1, 2]])
                realm.objects(V2.Pet.self).first { $0.id == 1 }?.name = nil
            }
            #expect(throws: Realm.Error.self) {
                try realm.write { _ = realm.create(V2.Pet.self, value: ["id": 4]) }
            }
        }

        let realm = try migrate()
        let pet = try #require(realm.object(ofType: V2.Pet.self, forPrimaryKey: 4))

        #expect(pet.age == "old")
        #expect(Array(pet.numbers) == [1, 2])
        #expect(realm.object(ofType: V2.Pet.self, forPrimaryKey: 1)?.name == nil)
        #expect(realm.objects(V2.Pet.self).filter("age == 'old'").count == 1)
        try realm.write { realm.delete(pet) }
        #expect(realm.objects(V2.Pet.self).count == 3)
    }

    @Test("M4: the block sees old and new objects and converts between them")
    func block() throws {
        let realm = try migrate { migration, oldVersion in
            #expect(oldVersion == 0)
            #expect(migration.oldSchema["Pet"]?["age"]?.type == .int)
            #expect(migration.newSchema["Pet"]?["age"]?.type == .string)
            var seen: [Int] = []
            migration.enumerateObjects(ofType: "Pet") { old, new in
                guard let old, let new, let age = old["age"] as? Int else { return }
                seen.append(age)
                #expect(new["weight"] as? Double == old.weight as? Double)
                #expect(old["dropped"] as? String == "x")
                #expect((old["toys"] as? List<DynamicObject>)?.first?["label"] as? String == "ball \(age / 10)")
                #expect(old.dynamicList("toys").count == 2)
                #expect((old["favorite"] as? DynamicObject)?["label"] as? String == "favorite \(age / 10)")
                #expect((old["tags"] as? List<String>).map(Array.init) == ["a", "b"])
                new["age"] = "\(age) years"
                new["numbers"] = [age, age + 1]
            }
            #expect(seen == [10, 20, 30])
        }

        #expect(realm.objects(V2.Pet.self).sorted(byKeyPath: "id").map(\.age) == ["10 years", "20 years", "30 years"])
        #expect(realm.objects(V2.Pet.self).map { Array($0.numbers) }[2] == [30, 31])
    }

    @Test("the block can follow, create, link and delete objects of the new side")
    func newSide() throws {
        let realm = try migrate { migration, _ in
            let toy = migration.create("Toy", value: ["label": "made"])
            migration.enumerateObjects(ofType: "Pet") { _, new in
                guard let new, let id = new["id"] as? Int else { return }
                new.dynamicList("toys").append(toy)
                (new.favorite as? DynamicObject)?["label"] = "changed \(id)"
                if id == 3 { migration.delete(new) }
            }
            migration.create("Pet", value: ["id": 9, "favorite": toy])
            var ids: [Int?] = []
            migration.enumerateObjects(ofType: "Pet") { _, new in ids.append(new?["id"] as? Int) }
            #expect(ids == [1, 2], "Created and deleted objects are left out.")
        }

        #expect(realm.objects(V2.Pet.self).sorted(byKeyPath: "id").map(\.id) == [1, 2, 9])
        #expect(realm.object(ofType: V2.Pet.self, forPrimaryKey: 1)?.toys.last?.label == "made")
        #expect(realm.object(ofType: V2.Pet.self, forPrimaryKey: 1)?.favorite?.label == "changed 1")
        #expect(realm.object(ofType: V2.Pet.self, forPrimaryKey: 9)?.favorite?.label == "made")
        #expect(realm.objects(V2.Toy.self).filter("label == 'made'").count == 1)
    }

    @Test("an object of the old side can be the value of a new one, with all that it refers to")
    func createFromOld() throws {
        let realm = try migrate([V2.Pet.self, V2.Toy.self, V2.Archive.self]) { migration, _ in
            migration.enumerateObjects(ofType: "Pet") { old, _ in
                if let old { migration.create("Archive", value: old) }
            }
        }

        let archive = realm.objects(V2.Archive.self).sorted(byKeyPath: "age")
        #expect(archive.map(\.age) == [10, 20, 30])
        #expect(archive.first?.toys.map(\.label) == ["ball 1", "bone 1"])
        #expect(realm.objects(V2.Toy.self).count == 3 * 3 + 3 * 3)
    }

    @Test("M5: a new class has no old objects, a removed one no new ones, an unknown one none")
    func classesOfOneSide() throws {
        let realm = try migrate([V2.Pet.self, V2.Toy.self, V2.Archive.self]) { migration, _ in
            var pairs: [String] = []
            migration.create("Archive", value: ["age": 5])
            migration.enumerateObjects(ofType: "Archive") { old, new in
                pairs.append("\(old == nil) \(new?["age"] as? Int ?? 0)")
            }
            migration.enumerateObjects(ofType: "Gone") { old, new in
                pairs.append("\(old?["text"] as? String ?? "") \(new == nil)")
            }
            migration.enumerateObjects(ofType: "Nobody") { _, _ in pairs.append("never") }
            #expect(pairs == ["true 5", "kept true"])
        }

        #expect(realm.objects(V2.Archive.self).count == 1)
    }

    @Test("the data of a removed class is kept, unless the block deletes it")
    func removedClass() throws {
        do { _ = try migrate() }
        do {
            let realm = try file.open {
                $0.objectTypes = [V1.Gone.self]
                $0.schemaVersion = 1
            }
            #expect(realm.objects(V1.Gone.self).map(\.text) == ["kept"])
        }
        do {
            _ = try file.open {
                $0.objectTypes = [V2.Pet.self, V2.Toy.self]
                $0.schemaVersion = 2
                $0.migrationBlock = { migration, _ in
                    #expect(migration.deleteData(forType: "Gone"))
                    #expect(!migration.deleteData(forType: "Gone"))
                    #expect(!migration.deleteData(forType: "Nobody"))
                    #expect(migration.deleteData(forType: "Pet"))
                    migration.enumerateObjects(ofType: "Pet") { _, new in #expect(new == nil) }
                }
            }
        }

        let realm = try file.open {
            $0.objectTypes = [V1.Gone.self, V2.Pet.self, V2.Toy.self]
            $0.schemaVersion = 2
        }
        #expect(realm.objects(V1.Gone.self).isEmpty)
        #expect(realm.objects(V2.Pet.self).isEmpty)
        #expect(realm.objects(V2.Toy.self).count == 9)
    }

    @Test("a higher version alone runs the block, and only once")
    func versionOnly() throws {
        let counter = Calls()
        for _ in 0..<2 {
            _ = try file.open {
                $0.schemaVersion = 5
                $0.migrationBlock = { _, version in counter.add(version) }
            }
        }

        #expect(counter.versions == [0])
        #expect(
            try schemaVersionAtURL(try #require(file.configuration.fileURL), encryptionKey: TemporaryRealm.suiteKey)
                == 5
        )
    }

    @Test("a new file needs no migration")
    func newFile() throws {
        let counter = Calls()
        let fresh = try TemporaryRealm([V2.Toy.self]) {
            $0.schemaVersion = 3
            $0.migrationBlock = { _, version in counter.add(version) }
        }
        _ = try fresh.open()

        #expect(counter.versions.isEmpty)
    }

    @Test("what the block throws is thrown by the opening, and the file stays as it was")
    func throwingBlock() throws {
        struct Stop: Error {}

        #expect(throws: Stop.self) {
            try migrate { migration, _ in
                try migration.enumerateObjects(ofType: "Pet") { old, new in
                    new?["age"] = "changed"
                    if old?["id"] as? Int == 2 { throw Stop() }
                }
            }
        }

        let realm = try file.open()
        #expect(realm.objects(V1.Pet.self).sorted(byKeyPath: "id").map(\.age) == [10, 20, 30])
        #expect(realm.objects(V1.Pet.self).map(\.dropped) == ["x", "x", "x"])
    }

    @Test("a data error in the block is thrown by the opening")
    func dataError() throws {
        let error = #expect(throws: Realm.Error.self) {
            try migrate { migration, _ in
                migration.enumerateObjects(ofType: "Pet") { _, new in new?["age"] = 3 }
            }
        }

        #expect(error?.code == .invalidInput)
        #expect(error?.message.contains("Pet.age") == true)
        #expect(try file.open().objects(V1.Pet.self).count == 3)
    }

    @Test("M6: the file can be deleted instead, and the block is not called")
    func deleteInstead() throws {
        let counter = Calls()
        let realm = try file.open {
            $0.objectTypes = [V2.Pet.self, V2.Toy.self]
            $0.schemaVersion = 1
            $0.deleteRealmIfMigrationNeeded = true
            $0.migrationBlock = { _, version in counter.add(version) }
        }

        #expect(realm.isEmpty)
        #expect(counter.versions.isEmpty)
    }

    @Test("M6: nothing is deleted when only the version differs")
    func deleteNothing() throws {
        let realm = try file.open {
            $0.schemaVersion = 1
            $0.deleteRealmIfMigrationNeeded = true
        }

        #expect(realm.objects(V1.Pet.self).count == 3)
    }

    @Test("performMigration migrates without keeping the realm open, and not one that is open")
    func performMigration() throws {
        var configuration = file.configuration
        configuration.objectTypes = [V2.Pet.self, V2.Toy.self]
        configuration.schemaVersion = 1

        try Realm.performMigration(for: configuration)

        #expect(
            try schemaVersionAtURL(try #require(configuration.fileURL), encryptionKey: TemporaryRealm.suiteKey) == 1
        )
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(V2.Pet.self).count == 3)
        #expect(throws: Realm.Error(.alreadyOpen, "")) { try Realm.performMigration(for: configuration) }
    }

    @Test("pending changes are listed without changing anything")
    func dryRun() throws {
        var configuration = file.configuration
        configuration.objectTypes = [V2.Pet.self, V2.Toy.self, V2.Archive.self]

        let changes = try Realm.pendingSchemaChanges(for: configuration)

        #expect(changes.count == 11)
        #expect(changes.filter(\.needsMigration).count == 8)
        #expect(changes.contains { $0.kind == .classAdded && $0.className == "Archive" })
        #expect(changes.contains { $0.kind == .classRemoved && $0.className == "Gone" })
        #expect(changes.contains { $0.kind == .indexAdded && $0.propertyName == "label" })
        #expect(changes.contains { $0.kind == .propertyChanged && $0.propertyName == "age" })
        #expect(try Realm.pendingSchemaChanges(for: file.configuration).isEmpty)
        #expect(try file.open().objects(V1.Pet.self).count == 3)
    }
}

/// Counts the calls of a block that runs anywhere.
private final class Calls: @unchecked Sendable {
    // SAFETY: the block runs on the thread of the test that opens the realm.
    private(set) var versions: [UInt64] = []
    func add(_ version: UInt64) { versions.append(version) }
}

private enum V1 {
    class Pet: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var age: Int
        @Persisted var weight: Double
        @Persisted var nick: String?
        @Persisted var dropped: String
        @Persisted var toys: List<Toy>
        @Persisted var tags: List<String>
        @Persisted var favorite: Toy?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Toy: Object {
        @Persisted var label: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Gone: Object {
        @Persisted var text: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private enum V2 {
    class Pet: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String?
        @Persisted var age: String
        @Persisted var weight: Double
        @Persisted var nick = "none"
        @Persisted var added = 7
        @Persisted var fresh = UUID().uuidString
        @Persisted var born: Date
        @Persisted var numbers: List<Int>
        @Persisted var toys: List<Toy>
        @Persisted var tags: List<String>
        @Persisted var favorite: Toy?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Toy: Object {
        @Persisted(indexed: true) var label: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Archive: Object {
        @Persisted var age: Int
        @Persisted var toys: List<Toy>
        @Persisted var favorite: Toy?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

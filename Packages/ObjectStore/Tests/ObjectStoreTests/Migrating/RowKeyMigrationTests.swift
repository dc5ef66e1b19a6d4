import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Files whose integer keys become row keys, and back")
struct RowKeyMigrationTests {
    private let file: TemporaryRealm

    init() throws {
        file = try TemporaryRealm(Old.types)
        let realm = try file.open()
        try realm.write { realm in
            // Row keys from 1 on: each primary key is the row key of another object, or of none.
            let clerks = [2, 3, 1, -7, Int.max, Int.min].map { realm.create(Old.Clerk.self, value: ["id": $0]) }
            for (index, clerk) in clerks.enumerated() {
                let others = [clerks[(index + 1) % 6], clerks[(index + 2) % 6]]
                clerk.name = "clerk \(clerk.id ?? 0)"
                clerk.chief = others[0]
                clerk.team.append(objectsIn: [others[0], others[1], others[0]])
                clerk.circle.insert(objectsIn: clerks)
                clerk.byName["first"] = others[0]
                clerk.byName["none"] = .some(nil)
                clerk.marks.append(objectsIn: [index, index * 2])
                clerk.words.insert("word \(index)")
                clerk.payload = .object(others[1])
                clerk.payloads.append(objectsIn: [.object(others[0]), .int(5), .object(clerk)])
                clerk.nested = AnyRealmValue.fromDictionary([
                    "link": .object(others[0]), "list": AnyRealmValue.fromArray([.object(others[1]), .string("x")]),
                ])
                clerk.desk = Old.Desk(value: ["label": "desk \(index)"])
                clerk.desk?.user = others[1]
                realm.create(Old.Room.self, value: ["name": "room \(index)", "users": [clerk, others[0]]])
                    .anything = .object(clerk)
            }
        }
    }

    /// Makes the file one of format 1, where every primary key has a column and an index.
    private func makeOld(_ extra: String = "") throws {
        try execute(
            "UPDATE \"$property\" SET optional = 0 WHERE name = 'id'; UPDATE \"$realm\" SET format = 1; \(extra)"
        )
    }

    private func execute(_ sql: String) throws {
        let url = try #require(file.configuration.fileURL)
        try Connection(fileURL: url, isReadOnly: false, isDurable: true).execute(sql)
    }

    private func text(_ sql: String) throws -> String {
        let url = try #require(file.configuration.fileURL)
        let statement = try Connection(fileURL: url, isReadOnly: true, isDurable: true).prepare(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : ""
    }

    private func open(_ types: [ObjectBase.Type] = New.types, _ change: (inout Realm.Configuration) -> Void = { _ in })
        throws -> Realm
    {
        try file.open {
            $0.objectTypes = types
            change(&$0)
        }
    }

    /// Checks that each object has what was written for it.
    private func expectContents(_ realm: Realm) throws {
        let ids = [2, 3, 1, -7, Int.max, Int.min]
        let clerks = realm.objects(New.Clerk.self)
        #expect(clerks.map(\.id) == ids.sorted())
        for (index, id) in ids.enumerated() {
            let clerk = try #require(realm.object(ofType: New.Clerk.self, forPrimaryKey: id))
            let (next, second) = (ids[(index + 1) % 6], ids[(index + 2) % 6])
            #expect(clerk.id == id)
            #expect(clerk.name == "clerk \(id)")
            #expect(clerk.chief?.id == next)
            #expect(clerk.team.map(\.id) == [next, second, next])
            #expect(clerk.circle.map(\.id).sorted() == ids.sorted())
            #expect(clerk.byName["first"]??.id == next)
            #expect(clerk.byName.keys.sorted() == ["first", "none"])
            #expect(Array(clerk.marks) == [index, index * 2])
            #expect(Array(clerk.words) == ["word \(index)"])
            #expect(clerk.payload.object(New.Clerk.self)?.id == second)
            #expect(clerk.payloads.map { $0.object(New.Clerk.self)?.id } == [next, nil, id])
            #expect(clerk.nested.dictionaryValue?["link"]?.object(New.Clerk.self)?.id == next)
            #expect(clerk.nested.dictionaryValue?["list"]?.listValue?[0].object(New.Clerk.self)?.id == second)
            #expect(clerk.desk?.label == "desk \(index)")
            #expect(clerk.desk?.user?.id == second)
            #expect(clerks.where { $0.chief.id == next }.map(\.id) == [id])
        }
        let url = try #require(file.configuration.fileURL)
        #expect(try FileIntegrity(url).problems() == [])
        #expect(try text("SELECT count(*) FROM pragma_table_info('Clerk') WHERE name = 'id'") == "0")
        #expect(try text("SELECT count(*) FROM sqlite_master WHERE name IN ('Clerk.id$key', '$moved')") == "0")
        #expect(try text("SELECT format FROM \"$realm\"") == "2")
    }

    private func expectRooms(_ realm: Realm) throws {
        for (index, id) in [2, 3, 1, -7, Int.max, Int.min].enumerated() {
            let room = try #require(realm.object(ofType: New.Room.self, forPrimaryKey: "room \(index)"))
            #expect(room.users.first?.id == id)
            #expect(room.anything.object(New.Clerk.self)?.id == id)
        }
    }

    // MARK: Files of format 1

    @Test("the first opening for writing gives rows their primary keys, and everything that names them follows")
    func conversion() throws {
        try makeOld()

        let realm = try open()

        try expectContents(realm)
        try expectRooms(realm)
        try realm.write { realm in
            realm.create(New.Clerk.self, value: ["id": 40, "name": "later"])
            realm.delete(try #require(realm.object(ofType: New.Clerk.self, forPrimaryKey: 2)))
        }
        #expect(try FileIntegrity(try #require(file.configuration.fileURL)).problems() == [])
        #expect(throws: Realm.Error.self) { try realm.write { $0.create(New.Clerk.self, value: ["id": 40]) } }
    }

    @Test("classes that the program does not have are converted as well")
    func unmanaged() throws {
        try makeOld()

        do { #expect(try open([Old.Label.self]).objects(Old.Label.self).isEmpty) }

        try expectContents(try open())
        try expectRooms(try open())
    }

    @Test("what refers to the rows is converted also where the program does not have it")
    func unmanagedReferences() throws {
        try makeOld()

        do { #expect(try open([New.Clerk.self, New.Desk.self]).objects(New.Clerk.self).count == 6) }

        try expectRooms(try open())
    }

    @Test("a file that cannot be converted stays as it is")
    func failure() throws {
        try makeOld("DROP INDEX \"Clerk.id$key\"; UPDATE Clerk SET id = 3 WHERE id = 2")
        let url = try #require(file.configuration.fileURL)
        let before = try text("SELECT group_concat(quote(\"$key\") || quote(id) || quote(chief)) FROM Clerk")

        let error = #expect(throws: Realm.Error.self) { try open() }

        #expect(error?.code == .objectAlreadyExists)
        #expect(try text("SELECT group_concat(quote(\"$key\") || quote(id) || quote(chief)) FROM Clerk") == before)
        #expect(try text("SELECT format FROM \"$realm\"") == "1")
        #expect(try FileIntegrity(url).problems() == [])
    }

    @Test("read-only such a file is refused, with what to do about it")
    func readOnly() throws {
        try makeOld()

        let error = #expect(throws: Realm.Error.self) { try open { $0.readOnly = true } }

        #expect(error?.code == .unsupportedFileFormatVersion)
        #expect(error?.message.contains("open it for writing once") == true)
        try expectContents(try open())
        try expectContents(try open { $0.readOnly = true })
    }

    // MARK: Migrations

    @Test("a key that must not be null any more becomes the row key, and the block sees both sides under the old ones")
    func becomingRowKey() throws {
        let realm = try open {
            $0.schemaVersion = 1
            $0.migrationBlock = { migration, _ in
                migration.enumerateObjects(ofType: "Clerk") { old, new in
                    #expect(old?["id"] as? Int == new?["id"] as? Int)
                    #expect(new?["name"] as? String == "clerk \(new?["id"] as? Int ?? 0)")
                }
            }
        }

        try expectContents(realm)
        try expectRooms(realm)
    }

    @Test("a file of format 1 is converted by the migration that changes it")
    func oldAndMigrated() throws {
        try makeOld()

        let realm = try open {
            $0.schemaVersion = 1
            $0.migrationBlock = { migration, _ in
                migration.enumerateObjects(ofType: "Clerk") { old, new in
                    #expect(old?["name"] as? String == new?["name"] as? String)
                }
                migration.create("Clerk", value: ["id": 99, "name": "new"])
            }
        }

        #expect(realm.object(ofType: New.Clerk.self, forPrimaryKey: 99)?.name == "new")
        try realm.write { $0.delete(try #require($0.object(ofType: New.Clerk.self, forPrimaryKey: 99))) }
        try expectContents(realm)
    }

    @Test("a block gives objects other keys, which may be those of others meanwhile")
    func rekeying() throws {
        do {
            let realm = try open { $0.schemaVersion = 1 }
            // While keys are changed, rows get keys of their own, which come behind all others.
            try realm.write { $0.delete(try #require($0.object(ofType: New.Clerk.self, forPrimaryKey: Int.max))) }
        }

        let realm = try open {
            $0.schemaVersion = 2
            $0.migrationBlock = { migration, _ in
                migration.enumerateObjects(ofType: "Clerk") { _, new in
                    guard let id = new?["id"] as? Int, (1...3).contains(id) else { return }
                    // 1 becomes 2, while there is another 2.
                    new?["id"] = id % 3 + 1
                }
                migration.create("Clerk", value: ["id": 50, "name": "new"])
            }
        }

        for id in 1...3 {
            let clerk = try #require(realm.object(ofType: New.Clerk.self, forPrimaryKey: id % 3 + 1))
            #expect(clerk.name == "clerk \(id)")
        }
        #expect(realm.object(ofType: New.Clerk.self, forPrimaryKey: 3)?.chief?.name == "clerk 3")
        #expect(realm.object(ofType: New.Clerk.self, forPrimaryKey: 50)?.name == "new")
        #expect(try FileIntegrity(try #require(file.configuration.fileURL)).problems() == [])
        #expect(try text("SELECT count(*) FROM pragma_table_info('Clerk') WHERE name = 'id'") == "0")
    }

    @Test("two objects that get the same key are refused, and the file stays as it is")
    func sameKeys() throws {
        do { _ = try open { $0.schemaVersion = 1 } }

        let error = #expect(throws: Realm.Error.self) {
            try open {
                $0.schemaVersion = 2
                $0.migrationBlock = { migration, _ in
                    migration.enumerateObjects(ofType: "Clerk") { _, new in new?["id"] = 5 }
                }
            }
        }

        #expect(error?.code == .objectAlreadyExists)
        try expectContents(try open { $0.schemaVersion = 1 })
    }

    @Test("a key that may be null again gets its column back, and rows keep their keys")
    func back() throws {
        do { _ = try open { $0.schemaVersion = 1 } }
        do {
            let realm = try open { $0.schemaVersion = 1 }
            try realm.write { $0.delete(try #require($0.object(ofType: New.Clerk.self, forPrimaryKey: Int.max))) }
        }

        let realm = try open(Old.types) { $0.schemaVersion = 2 }

        let clerks = realm.objects(Old.Clerk.self)
        #expect(clerks.map(\.id) == [Int.min, -7, 1, 2, 3])
        #expect(realm.object(ofType: Old.Clerk.self, forPrimaryKey: 2)?.chief?.id == 3)
        try realm.write { realm in
            realm.create(Old.Clerk.self, value: ["id": nil] as [String: Any?])
            realm.create(Old.Clerk.self, value: ["id": 100])
        }
        #expect(throws: Realm.Error.self) { try realm.write { $0.create(Old.Clerk.self, value: ["id": 100]) } }
        #expect(try FileIntegrity(try #require(file.configuration.fileURL)).problems() == [])
        #expect(try text("SELECT count(*) FROM sqlite_master WHERE name = 'Clerk.id$key'") == "1")
    }

    @Test("behind the greatest row key there is no other, and the error says so")
    func noKeyLeft() throws {
        do { _ = try open { $0.schemaVersion = 1 } }
        let realm = try open(Old.types) { $0.schemaVersion = 2 }

        let error = #expect(throws: Realm.Error.self) {
            try realm.write { $0.create(Old.Clerk.self, value: ["id": 9]) }
        }

        #expect(error?.message.contains("greatest row key") == true)
        try realm.write { $0.delete(try #require($0.object(ofType: Old.Clerk.self, forPrimaryKey: 2))) }
        #expect(realm.objects(Old.Clerk.self).count == 5)
    }
}

private enum Old {
    static let types: [ObjectBase.Type] = [Clerk.self, Desk.self, Room.self, Label.self]

    class Clerk: Object {
        @Persisted(primaryKey: true) var id: Int?
        @Persisted(indexed: true) var name: String
        @Persisted var chief: Clerk?
        @Persisted var team: List<Clerk>
        @Persisted var circle: MutableSet<Clerk>
        @Persisted var byName: Map<String, Clerk?>
        @Persisted var marks: List<Int>
        @Persisted var words: MutableSet<String>
        @Persisted var payload: AnyRealmValue
        @Persisted var payloads: List<AnyRealmValue>
        @Persisted var nested: AnyRealmValue
        @Persisted var desk: Desk?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Desk: EmbeddedObject {
        @Persisted var label: String
        @Persisted var user: Clerk?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Room: Object {
        @Persisted(primaryKey: true) var name: String
        @Persisted var users: List<Clerk>
        @Persisted var anything: AnyRealmValue
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Label: Object {
        @Persisted var title: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private enum New {
    static let types: [ObjectBase.Type] = [Clerk.self, Desk.self, Room.self, Old.Label.self]

    class Clerk: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String
        @Persisted var chief: Clerk?
        @Persisted var team: List<Clerk>
        @Persisted var circle: MutableSet<Clerk>
        @Persisted var byName: Map<String, Clerk?>
        @Persisted var marks: List<Int>
        @Persisted var words: MutableSet<String>
        @Persisted var payload: AnyRealmValue
        @Persisted var payloads: List<AnyRealmValue>
        @Persisted var nested: AnyRealmValue
        @Persisted var desk: Desk?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Desk: EmbeddedObject {
        @Persisted var label: String
        @Persisted var user: Clerk?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Room: Object {
        @Persisted(primaryKey: true) var name: String
        @Persisted var users: List<Clerk>
        @Persisted var anything: AnyRealmValue
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

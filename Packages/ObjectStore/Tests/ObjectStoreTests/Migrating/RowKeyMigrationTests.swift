import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Files whose integer keys become row keys, and back")
struct RowKeyMigrationTests {
    private let file: TemporaryRealm

    init() throws {
        file = try TemporaryRealm(OldOffice.types)
        let realm = try file.open()
        try realm.write { realm in
            // Row keys from 1 on: each primary key is the row key of another object, or of none.
            let clerks = [2, 3, 1, -7, Int.max, Int.min].map { realm.create(OldOffice.Clerk.self, value: ["id": $0]) }
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
                clerk.desk = OldOffice.Desk(value: ["label": "desk \(index)"])
                clerk.desk?.user = others[1]
                realm.create(OldOffice.Room.self, value: ["name": "room \(index)", "users": [clerk, others[0]]])
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

    private func open(
        _ types: [ObjectBase.Type] = NewOffice.types,
        _ change: (inout Realm.Configuration) -> Void = { _ in }
    )
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
        let clerks = realm.objects(NewOffice.Clerk.self)
        #expect(clerks.map(\.id) == ids.sorted())
        for (index, id) in ids.enumerated() {
            let clerk = try #require(realm.object(ofType: NewOffice.Clerk.self, forPrimaryKey: id))
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
            #expect(clerk.payload.object(NewOffice.Clerk.self)?.id == second)
            #expect(clerk.payloads.map { $0.object(NewOffice.Clerk.self)?.id } == [next, nil, id])
            #expect(clerk.nested.dictionaryValue?["link"]?.object(NewOffice.Clerk.self)?.id == next)
            #expect(clerk.nested.dictionaryValue?["list"]?.listValue?[0].object(NewOffice.Clerk.self)?.id == second)
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
            let room = try #require(realm.object(ofType: NewOffice.Room.self, forPrimaryKey: "room \(index)"))
            #expect(room.users.first?.id == id)
            #expect(room.anything.object(NewOffice.Clerk.self)?.id == id)
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
            realm.create(NewOffice.Clerk.self, value: ["id": 40, "name": "later"])
            realm.delete(try #require(realm.object(ofType: NewOffice.Clerk.self, forPrimaryKey: 2)))
        }
        #expect(try FileIntegrity(try #require(file.configuration.fileURL)).problems() == [])
        #expect(throws: Realm.Error.self) { try realm.write { $0.create(NewOffice.Clerk.self, value: ["id": 40]) } }
    }

    @Test("classes that the program does not have are converted as well")
    func unmanaged() throws {
        try makeOld()

        do { #expect(try open([OldOffice.Label.self]).objects(OldOffice.Label.self).isEmpty) }

        try expectContents(try open())
        try expectRooms(try open())
    }

    @Test("what refers to the rows is converted also where the program does not have it")
    func unmanagedReferences() throws {
        try makeOld()

        do { #expect(try open([NewOffice.Clerk.self, NewOffice.Desk.self]).objects(NewOffice.Clerk.self).count == 6) }

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

    #if os(Linux)
    @Test("a conversion that ends anywhere in the middle leaves the file as it was, and the next one does it all")
    func interrupted() async throws {
        try makeOld()
        let path = file.folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            // The system refuses to let any file of this process grow further; by default it would end the process.
            signal(SIGXFSZ, SIG_IGN)
            let url = URL(fileURLWithPath: "\(path)/test.realm")
            let before = try Self.rows(url)
            var failures = 0
            for size in stride(from: 40_000, to: 4_000_000, by: 12_000) {
                FullDiskTests.limitFiles(to: size)
                let result = Result {
                    _ = try Realm(
                        configuration: Realm.Configuration(
                            fileURL: url,
                            encryptionKey: TemporaryRealm.suiteKey,
                            objectTypes: NewOffice.types
                        )
                    )
                }
                FullDiskTests.limitFiles(to: nil)
                guard case .failure = result else { break }
                failures += 1
                #expect(try Self.rows(url) == before)
            }
            let count = failures
            #expect(count > 3)
            #expect(try Self.rows(url) != before)
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: url,
                    encryptionKey: TemporaryRealm.suiteKey,
                    objectTypes: NewOffice.types
                )
            )
            #expect(realm.object(ofType: NewOffice.Clerk.self, forPrimaryKey: 3)?.chief?.id == 1)
            #expect(try FileIntegrity(url).problems() == [])
        }
    }

    /// The rows of the class as they lie in the file, with its format.
    private static func rows(_ url: URL) throws -> [String] {
        let connection = try Connection(fileURL: url, isReadOnly: true, isDurable: true)
        let statement = try connection.prepare(
            """
            SELECT (SELECT format FROM "$realm") || quote("$key") || quote(name) || quote(chief) || quote(payload) FROM Clerk \
            ORDER BY name
            """
        )
        var rows: [String] = []
        while try statement.step() { rows.append(statement.text(0)) }
        return rows
    }
    #endif

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

        #expect(realm.object(ofType: NewOffice.Clerk.self, forPrimaryKey: 99)?.name == "new")
        try realm.write { $0.delete(try #require($0.object(ofType: NewOffice.Clerk.self, forPrimaryKey: 99))) }
        try expectContents(realm)
    }

    @Test("a block gives objects other keys, which may be those of others meanwhile")
    func rekeying() throws {
        do {
            let realm = try open { $0.schemaVersion = 1 }
            // While keys are changed, rows get keys of their own, which come behind all others.
            try realm.write { $0.delete(try #require($0.object(ofType: NewOffice.Clerk.self, forPrimaryKey: Int.max))) }
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
            let clerk = try #require(realm.object(ofType: NewOffice.Clerk.self, forPrimaryKey: id % 3 + 1))
            #expect(clerk.name == "clerk \(id)")
        }
        #expect(realm.object(ofType: NewOffice.Clerk.self, forPrimaryKey: 3)?.chief?.name == "clerk 3")
        #expect(realm.object(ofType: NewOffice.Clerk.self, forPrimaryKey: 50)?.name == "new")
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
            try realm.write { $0.delete(try #require($0.object(ofType: NewOffice.Clerk.self, forPrimaryKey: Int.max))) }
        }

        let realm = try open(OldOffice.types) { $0.schemaVersion = 2 }

        let clerks = realm.objects(OldOffice.Clerk.self)
        #expect(clerks.map(\.id) == [Int.min, -7, 1, 2, 3])
        #expect(realm.object(ofType: OldOffice.Clerk.self, forPrimaryKey: 2)?.chief?.id == 3)
        try realm.write { realm in
            realm.create(OldOffice.Clerk.self, value: ["id": nil] as [String: Any?])
            realm.create(OldOffice.Clerk.self, value: ["id": 100])
        }
        #expect(throws: Realm.Error.self) { try realm.write { $0.create(OldOffice.Clerk.self, value: ["id": 100]) } }
        #expect(try FileIntegrity(try #require(file.configuration.fileURL)).problems() == [])
        #expect(try text("SELECT count(*) FROM sqlite_master WHERE name = 'Clerk.id$key'") == "1")
    }

    @Test("behind the greatest row key there is no other, and the error says so")
    func noKeyLeft() throws {
        do { _ = try open { $0.schemaVersion = 1 } }
        let realm = try open(OldOffice.types) { $0.schemaVersion = 2 }

        let error = #expect(throws: Realm.Error.self) {
            try realm.write { $0.create(OldOffice.Clerk.self, value: ["id": 9]) }
        }

        #expect(error?.message.contains("greatest row key") == true)
        try realm.write { $0.delete(try #require($0.object(ofType: OldOffice.Clerk.self, forPrimaryKey: 2))) }
        #expect(realm.objects(OldOffice.Clerk.self).count == 5)
    }
}

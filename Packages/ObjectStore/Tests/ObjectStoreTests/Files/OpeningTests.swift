import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Opening a realm")
struct OpeningTests {
    @Test("a new realm is empty and keeps what is written when it is opened again")
    func reopening() throws {
        let file = try TemporaryRealm()
        do {
            let realm = try file.open()
            #expect(realm.isEmpty)
            try realm.write { realm in realm.add(Person.numbered(3)) }
        }

        let realm = try file.open()
        let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 3))

        #expect(!realm.isEmpty)
        #expect(person.name == "Person 3")
        #expect(person.score == 1)
        #expect(person.userId == "user-3")
        #expect(!person.active)
    }

    @Test("opening twice on one thread gives equal handles that share a transaction")
    func sharedInstance() throws {
        let file = try TemporaryRealm()
        let first = try file.open()
        let second = try file.open()

        #expect(first == second)
        first.beginWrite()
        #expect(second.isInWriteTransaction)
        second.cancelWrite()
    }

    @Test("the file can be read by its owner only")
    func fileMode() throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        let path = try #require(realm.configuration.fileURL).path

        for suffix in ["", "-wal", "-shm"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path + suffix)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(suffix)")
        }
    }

    @Test("without objectTypes every model class of the process is found")
    func classDiscovery() throws {
        let file = try TemporaryRealm { $0.objectTypes = nil }
        let realm = try file.open()

        try realm.write { realm in
            realm.add(Hidden())
            realm.create(Person.self, value: ["_id": 1])
            realm.create(Local.Nested.self, value: ["text": "x"])
        }

        #expect(realm.objects(Hidden.self).count == 1)
        #expect(realm.objects(Local.Nested.self).first?.text == "x")
    }

    @Test("an in-memory realm is shared by its name and gone with the last instance")
    func inMemory() throws {
        let configuration = Realm.Configuration(inMemoryIdentifier: "opening", objectTypes: Sample.types)
        do {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm in realm.add(Person.numbered(1)) }
            #expect(try Realm(configuration: configuration).objects(Person.self).count == 1)
        }

        #expect(try Realm(configuration: configuration).isEmpty)
    }

    @Test("a missing file cannot be opened read-only, and the code is a catch pattern")
    func missingFile() throws {
        let file = try TemporaryRealm { $0.readOnly = true }
        do {
            _ = try file.open()
            Issue.record("The file does not exist.")
        } catch Realm.Error.fileNotFound {
            #expect(!Realm.fileExists(for: file.configuration))
        }
    }

    @Test("a read-only realm reads what others wrote")
    func readOnly() throws {
        let file = try TemporaryRealm()
        do {
            let realm = try file.open()
            try realm.write { realm in realm.add(Person.numbered(1)) }
        }

        let realm = try file.open { $0.readOnly = true }

        #expect(realm.objects(Person.self).first?.name == "Person 1")
    }

    @Test("a realm can be deleted when it is closed, not before")
    func deleting() throws {
        let file = try TemporaryRealm()
        do {
            let realm = try file.open()
            #expect(throws: Realm.Error(.alreadyOpen, "")) { try Realm.deleteFiles(for: file.configuration) }
            withExtendedLifetime(realm) {}
        }

        #expect(try Realm.deleteFiles(for: file.configuration))
        #expect(try !Realm.deleteFiles(for: file.configuration))
    }
}

private class Hidden: Object {
    @Persisted var number = 7
}

private enum Local {
    class Nested: Object {
        @Persisted var text: String
    }
}

@Suite("Files that are no realm")
struct ForeignFileTests {
    private let file: TemporaryRealm
    private let url: URL

    init() throws {
        file = try TemporaryRealm()
        url = try #require(file.configuration.fileURL)
    }

    private func expectRefused(_ code: Realm.Error.Code, _ bytes: Data) throws {
        try bytes.write(to: url)

        let error = #expect(throws: Realm.Error.self) { try file.open() }

        #expect(error?.code == code)
        #expect(error?.fileURL != nil)
        #expect(try Data(contentsOf: url) == bytes, "The file must be untouched.")
    }

    private func realmBytes() throws -> Data {
        do {
            let realm = try file.open()
            try realm.write { realm in realm.add((1...500).map(Person.numbered)) }
        }
        return try Data(contentsOf: url)
    }

    @Test("text is refused")
    func text() throws {
        try expectRefused(.invalidDatabase, Data("This is not a realm, but long enough to hold a header.".utf8))
    }

    @Test("a SQLite database of somebody else is refused")
    func foreignDatabase() throws {
        var bytes = try realmBytes()
        bytes.replaceSubrange(68..<72, with: [1, 2, 3, 4])
        try expectRefused(.invalidDatabase, bytes)
    }

    @Test("a file that was cut off is refused", arguments: [40, 4096, 10_000])
    func truncated(_ count: Int) throws {
        try expectRefused(.invalidDatabase, try realmBytes().prefix(count))
    }

    @Test("random bytes behind the header are refused")
    func corrupt() throws {
        var bytes = try realmBytes()
        bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xA5, count: 3996))
        try expectRefused(.invalidDatabase, bytes)
    }
}

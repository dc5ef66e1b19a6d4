import Foundation
import ObjectStoreTesting
import PageEncryption
import Testing

@testable import ObjectStore

@Suite("Other keys for realms")
struct RekeyTests {
    private let file: TemporaryRealm
    private let url: URL
    private let old = TemporaryRealm.key(1)
    private let new = TemporaryRealm.key(2)

    init() throws {
        file = try TemporaryRealm([SealedModels.First.SecretNote.self]) { $0.encryptionKey = TemporaryRealm.key(1) }
        url = try #require(file.configuration.fileURL)
    }

    @Test("a file has all it had under its new key, and nothing under the old one")
    func otherKey() throws {
        try file.writeNotes(0..<700)

        try Realm.rekey(file.configuration, to: new)

        #expect(try file.notes { $0.encryptionKey = new } == Array(0..<700))
        #expect(throws: Realm.Error(.invalidDatabase, "")) { try file.notes() }
        #expect(try file.findings(of: ["Sentinel"]) == [])
    }

    @Test("a file is made readable, and encrypted again")
    func thereAndBack() throws {
        try file.writeNotes(0..<700)
        var configuration = file.configuration

        try Realm.rekey(configuration, to: nil)
        #expect(try file.findings(of: ["Sentinel"]) == ["test.realm"])
        #expect(try file.notes { $0.encryptionKey = nil } == Array(0..<700))
        configuration.encryptionKey = nil
        try Realm.rekey(configuration, to: new)

        #expect(try file.findings(of: ["Sentinel"]) == [])
        #expect(try file.notes { $0.encryptionKey = new } == Array(0..<700))
    }

    @Test("the same key again makes another salt")
    func sameKey() throws {
        try file.writeNotes(0..<3)
        let before = try Data(contentsOf: url).prefix(16)

        try Realm.rekey(file.configuration, to: old)

        #expect(try Data(contentsOf: url).prefix(16) != before)
        #expect(try file.notes() == [0, 1, 2])
    }

    @Test("what was kept for a server goes along")
    func keptChanges() throws {
        let kept = try TemporaryRealm([SealedModels.First.SecretNote.self]) {
            $0.encryptionKey = TemporaryRealm.key(1)
            $0.keepsChanges = true
        }
        try kept.writeNotes(0..<20)
        func pending(_ key: Data) throws -> Int {
            let connection = try Connection(
                fileURL: try #require(kept.configuration.fileURL),
                key: FileKey(key),
                isReadOnly: true,
                isDurable: true
            )
            let count = try connection.prepare("SELECT count(*) FROM \(SyncTables.pending)")
            return try count.step() ? Int(count.int(0)) : -1
        }
        let before = try pending(old)

        try Realm.rekey(kept.configuration, to: new)

        #expect(before > 0)
        #expect(try pending(new) == before)
        #expect(try kept.notes { $0.encryptionKey = new } == Array(0..<20))
    }

    @Test("a copy that a power cut left is deleted by the next opening, and the file has its old key")
    func unfinished() throws {
        try file.writeNotes(0..<100)
        let copy = FileReplacement.path(of: RealmFile.canonicalPath(url))
        let connection = try Connection(fileURL: url, key: FileKey(old), isReadOnly: false, isDurable: true)
        try FileReplacement(path: RealmFile.canonicalPath(url), key: FileKey(new)).write(from: connection)
        #expect(FileManager.default.fileExists(atPath: copy))

        #expect(try file.notes() == Array(0..<100))

        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test(
        "a file of the program's own beside the realm stays, whatever its name is",
        arguments: [".new", ".rekey", ".tmp", "-copy"]
    )
    func ownFiles(suffix: String) throws {
        try file.writeNotes(0..<3)
        let other = URL(fileURLWithPath: url.path + suffix)
        do { try file.open().writeCopy(toFile: other) }
        let before = try Data(contentsOf: other)

        try Realm.rekey(file.configuration, to: new)
        do { _ = try file.notes { $0.encryptionKey = new } }
        #expect(try Data(contentsOf: other) == before)
        #expect(try Realm.deleteFiles(for: file.configuration))
        #expect(try Data(contentsOf: other) == before)
    }

    @Test("a log that comes back beside the new file adds nothing to it")
    func returningLog() throws {
        try file.writeNotes(0..<10)
        let log = URL(fileURLWithPath: "\(url.path)-wal")
        let kept: Data
        do {
            let realm = try file.open()
            try realm.write { realm in realm.deleteAll() }
            kept = try Data(contentsOf: log)
        }
        #expect(kept.count > 4096)

        try Realm.rekey(file.configuration, to: new)
        do { _ = try file.notes { $0.encryptionKey = new } }
        try file.open { $0.encryptionKey = new }
            .write { realm in realm.create(SealedModels.First.SecretNote.self, value: ["id": 5]) }
        try kept.write(to: log)

        #expect(try file.notes { $0.encryptionKey = new } == [5])
    }

    @Test(
        "keys of another length, files that are not there and read-only ones are refused, and the file stays as it was"
    )
    func refusals() throws {
        #expect(throws: Realm.Error(.fileNotFound, "")) { try Realm.rekey(file.configuration, to: new) }
        try file.writeNotes(0..<3)
        var configuration = file.configuration

        #expect(throws: Realm.Error(.invalidInput, "")) { try Realm.rekey(configuration, to: Data(count: 63)) }
        configuration.encryptionKey = new
        #expect(throws: Realm.Error(.invalidDatabase, "")) { try Realm.rekey(configuration, to: new) }
        configuration.readOnly = true
        #expect(throws: Realm.Error(.invalidInput, "")) { try Realm.rekey(configuration, to: new) }
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try Realm.rekey(Realm.Configuration(inMemoryIdentifier: "x"), to: new)
        }
        #expect(try file.notes() == [0, 1, 2])
    }
}

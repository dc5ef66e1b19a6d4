import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Encrypted realms")
struct EncryptedRealmTests {
    private let file: TemporaryRealm
    private let url: URL
    private static let secrets = ["Sentinel", "SecretNote", "CREATE TABLE", "SQLite format"]

    init() throws {
        file = try TemporaryRealm([SealedModels.First.SecretNote.self]) { $0.encryptionKey = TemporaryRealm.key(1) }
        url = try #require(file.configuration.fileURL)
    }

    @Test("nothing lies in the clear, whatever is done with the file")
    func nothingReadable() throws {
        let copy = file.folder.appendingPathComponent("copy.realm")
        do {
            let realm = try file.open()
            for turn in 0..<5 { try file.writeNotes(turn * 400..<(turn + 1) * 400) }
            #expect(try file.findings(of: Self.secrets) == [])
            try realm.write { realm in
                realm.delete(realm.objects(SealedModels.First.SecretNote.self).where { $0.id < 900 })
            }
            try realm.writeCopy(toFile: copy, encryptionKey: TemporaryRealm.key(2))
            #expect(realm.objects(SealedModels.First.SecretNote.self).sorted(byKeyPath: "words").first?.id == 1000)
            #expect(try file.findings(of: Self.secrets) == [])
        }
        do {
            let realm = try file.open {
                $0.objectTypes = [SealedModels.Second.SecretNote.self]
                $0.schemaVersion = 1
                $0.migrationBlock = { migration, _ in
                    migration.enumerateObjects(ofType: "SecretNote") { old, new in
                        new?["length"] = (old?["words"] as? String)?.count ?? 0
                    }
                }
            }
            #expect(realm.objects(SealedModels.Second.SecretNote.self).where { $0.length > 13 }.count == 1100)
            #expect(try file.findings(of: Self.secrets) == [])
        }
        do {
            let size = try Data(contentsOf: url).count
            let realm = try file.open {
                $0.objectTypes = [SealedModels.Second.SecretNote.self]
                $0.schemaVersion = 1
                $0.shouldCompactOnLaunch = { _, _ in true }
            }
            #expect(realm.objects(SealedModels.Second.SecretNote.self).count == 1100)
            #expect(try Data(contentsOf: url).count < size)
        }
        var configuration = file.configuration
        configuration.schemaVersion = 1
        try Realm.rekey(configuration, to: TemporaryRealm.key(3))

        #expect(try file.findings(of: Self.secrets) == [])
        #expect(try schemaVersionAtURL(url, encryptionKey: TemporaryRealm.key(3)) == 1)
        #expect(try schemaVersionAtURL(copy, encryptionKey: TemporaryRealm.key(2)) == 0)
    }

    @Test(
        "another key, none, or one for a file that has none: each is refused with a sentence of its own, and nothing is changed"
    )
    func otherKeys() throws {
        try file.writeNotes(0..<3)
        let plain = file.folder.appendingPathComponent("plain.realm")
        do { try file.open().writeCopy(toFile: plain) }
        let bytes = try Data(contentsOf: url)

        let other = #expect(throws: Realm.Error(.invalidDatabase, "")) {
            try file.open { $0.encryptionKey = TemporaryRealm.key(2) }
        }
        #expect(other?.message.contains("cannot be read with this encryption key") ?? false)
        let none = #expect(throws: Realm.Error(.invalidDatabase, "")) { try file.open { $0.encryptionKey = nil } }
        #expect(none?.message.contains("is encrypted; set 'encryptionKey'") ?? false)
        let useless = #expect(throws: Realm.Error(.invalidDatabase, "")) { try file.open { $0.fileURL = plain } }
        #expect(useless?.message.contains("is not encrypted, but there is an encryption key") ?? false)
        #expect(throws: Realm.Error(.invalidDatabase, "")) {
            try schemaVersionAtURL(url, encryptionKey: TemporaryRealm.key(2))
        }
        #expect(throws: Realm.Error(.invalidDatabase, "")) { try schemaVersionAtURL(url) }
        #expect(try Data(contentsOf: url) == bytes)
        #expect(try file.notes() == [0, 1, 2])
    }

    @Test("a file is not opened twice with different keys")
    func twoKeys() throws {
        let realm = try file.open()

        #expect(throws: Realm.Error(.alreadyOpen, "")) { try file.open { $0.encryptionKey = TemporaryRealm.key(2) } }
        #expect(throws: Realm.Error(.alreadyOpen, "")) { try file.open { $0.encryptionKey = nil } }
        #expect(throws: Realm.Error(.alreadyOpen, "")) { try schemaVersionAtURL(url) }
        #expect(throws: Realm.Error(.alreadyOpen, "")) {
            try Realm.rekey(file.configuration, to: TemporaryRealm.key(2))
        }
        withExtendedLifetime(realm) {}
    }

    @Test("a copy has the key that it was given, or none, and a seed that of its realm")
    func copies() throws {
        try file.writeNotes(0..<30)
        let keyed = file.folder.appendingPathComponent("keyed.realm")
        let plain = file.folder.appendingPathComponent("plain.realm")
        do {
            let realm = try file.open()
            try realm.writeCopy(toFile: keyed, encryptionKey: TemporaryRealm.key(7))
            try realm.writeCopy(toFile: plain)
        }

        #expect(try file.findings(of: ["Sentinel"]) == ["plain.realm"])
        let key = TemporaryRealm.key(7)
        let found = try file.notes {
            $0.fileURL = keyed
            $0.encryptionKey = key
            $0.readOnly = true
        }
        #expect(found == Array(0..<30))
        let readable = try file.notes {
            $0.fileURL = plain
            $0.encryptionKey = nil
        }
        #expect(readable == Array(0..<30))
        let seeded = try file.notes {
            $0.fileURL = file.folder.appendingPathComponent("seeded.realm")
            $0.seedFilePath = keyed
            $0.encryptionKey = key
        }
        #expect(seeded == Array(0..<30))
    }

    @Test("a copy of an encrypted realm is opened for writing, and again")
    func writableCopy() throws {
        try file.writeNotes(0..<300)
        let copy = file.folder.appendingPathComponent("copy.realm")
        do { try file.open().writeCopy(toFile: copy, encryptionKey: file.configuration.encryptionKey) }

        for turn in 0..<2 {
            let realm = try file.open { $0.fileURL = copy }
            #expect(realm.objects(SealedModels.First.SecretNote.self).count == 300 + turn)
            try realm.write { realm in realm.create(SealedModels.First.SecretNote.self, value: ["id": 1000 + turn]) }
        }

        #expect(try file.findings(of: Self.secrets) == [])
    }

    @Test("a realm in memory has a file, too, and a key encrypts it")
    func inMemory() throws {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "sealed",
            encryptionKey: TemporaryRealm.key(1),
            objectTypes: [SealedModels.First.SecretNote.self]
        )
        let realm = try Realm(configuration: configuration)
        try realm.write { realm in
            realm.create(SealedModels.First.SecretNote.self, value: ["id": 1, "words": "Sentinel"])
        }

        let log = try Data(contentsOf: URL(fileURLWithPath: "\(realm.core.file.path)-wal"))
        #expect(log.count > 4096)
        #expect(log.range(of: Data("Sentinel".utf8)) == nil)
    }

    @Test("a changed page is found when it is read, and nothing is made of it")
    func changedPage() throws {
        try file.writeNotes(0..<2000)
        var bytes = try Data(contentsOf: url)
        let middle = bytes.count / 4096 / 2 * 4096 + 2000
        bytes[middle] ^= 1
        try bytes.write(to: url)

        let error = #expect(throws: Realm.Error(.invalidDatabase, "")) {
            try file.open { $0.verifiesFile = true }
        }
        #expect(error?.message.contains("damaged") ?? false)
    }

    @Test("a file that was cut off at any page is refused, or found out when the rest is missed")
    func cuts() throws {
        try file.writeNotes(0..<500)
        let bytes = try Data(contentsOf: url)
        let pages = bytes.count / 4096
        #expect(pages > 10)

        for page in 1..<pages {
            for count in [page * 4096, page * 4096 + 1000] {
                try bytes.prefix(count).write(to: url)
                #expect(throws: Realm.Error(.invalidDatabase, ""), "\(count)") { try file.open() }
            }
        }
    }
}

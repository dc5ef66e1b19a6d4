import Foundation
import ObjectStoreTesting
import Synchronization
import Testing

@testable import ObjectStore

@Suite("Files of realms")
struct FileTests {
    private let file: TemporaryRealm
    private let url: URL
    private let copy: URL

    init() throws {
        file = try TemporaryRealm()
        url = try #require(file.configuration.fileURL)
        copy = file.folder.appendingPathComponent("copy.realm")
    }

    private func fill(_ numbers: ClosedRange<Int>) throws {
        let realm = try file.open()
        try realm.write {
            realm.add(numbers.map(Person.numbered))
            realm.create(Home.self, value: ["name": "Villa", "dogs": [["name": "Rex"]], "tags": ["a", "b"]])
        }
    }

    private func openCopy(_ change: (inout Realm.Configuration) -> Void = { _ in }) throws -> Realm {
        try file.open {
            $0.fileURL = copy
            change(&$0)
        }
    }

    // MARK: Copies

    @Test("R11: a copy has all objects, is private, and can be written")
    func writeCopy() throws {
        try fill(1...100)
        try file.open().writeCopy(toFile: copy, encryptionKey: TemporaryRealm.suiteKey)

        let mode = try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(!FileManager.default.fileExists(atPath: "\(copy.path)-wal"))
        let realm = try openCopy()
        #expect(realm.objects(Person.self).count == 100)
        #expect(realm.objects(Home.self).first?.dogs.first?.name == "Rex")
        try realm.write { realm.create(Dog.self, value: ["name": "Bello"]) }
        #expect(realm.objects(Dog.self).map(\.name) == ["Rex", "Bello"])
        #expect(try file.open().objects(Dog.self).count == 1)
    }

    @Test("R11: inside a write the copy has what is not committed")
    func uncommitted() throws {
        try fill(1...2)
        let realm = try file.open()
        realm.beginWrite()
        realm.create(Dog.self, value: ["name": "Bello"])
        try realm.writeCopy(toFile: copy, encryptionKey: TemporaryRealm.suiteKey)
        realm.create(Dog.self, value: ["name": "Later"])
        realm.cancelWrite()

        let copied = try openCopy()
        try copied.write { copied.create(Dog.self, value: ["name": "New"]) }

        #expect(
            copied.objects(Dog.self).map(\.name) == ["Rex", "Bello", "New"],
            "Row keys go on behind the copied ones."
        )
        #expect(realm.objects(Dog.self).count == 1)
    }

    @Test("R11: the destination must not exist, and nothing is left behind")
    func existingDestination() throws {
        try fill(1...1)
        let realm = try file.open()
        try Data("mine".utf8).write(to: copy)

        #expect(throws: Realm.Error(.fileExists, "")) {
            try realm.writeCopy(toFile: copy, encryptionKey: TemporaryRealm.suiteKey)
        }
        #expect(throws: Realm.Error(.fileExists, "")) { try realm.writeCopy(toFile: url) }
        #expect(try Data(contentsOf: copy) == Data("mine".utf8))
        let missing = file.folder.appendingPathComponent("nowhere/copy.realm")
        #expect(throws: Realm.Error(.fileNotFound, "")) { try realm.writeCopy(toFile: missing) }
        let hidden = try FileManager.default.contentsOfDirectory(atPath: file.folder.path).filter { $0.hasPrefix(".") }
        #expect(hidden.isEmpty)
    }

    @Test("a copy by configuration goes to its file")
    func copyByConfiguration() throws {
        try fill(1...3)
        let realm = try file.open()
        var configuration = file.configuration
        configuration.fileURL = copy

        try realm.writeCopy(configuration: configuration)

        #expect(try openCopy().objects(Person.self).count == 3)
        configuration.inMemoryIdentifier = "copies"
        #expect(throws: Realm.Error(.invalidInput, "")) { try realm.writeCopy(configuration: configuration) }
    }

    @Test("a copy of an in-memory realm stays")
    func copyOfMemory() throws {
        do {
            let realm = try Realm(
                configuration: Realm.Configuration(inMemoryIdentifier: "copied", objectTypes: Sample.types)
            )
            try realm.write { realm.add(Person.numbered(5)) }
            try realm.writeCopy(toFile: copy, encryptionKey: TemporaryRealm.suiteKey)
        }

        #expect(try openCopy().objects(Person.self).map(\._id) == [5])
    }

    @Test("a copy can be opened read-only, and is not changed by that")
    func readOnlyCopy() throws {
        try fill(1...3)
        try file.open().writeCopy(toFile: copy, encryptionKey: TemporaryRealm.suiteKey)
        let bytes = try Data(contentsOf: copy)
        do { #expect(try openCopy { $0.readOnly = true }.objects(Person.self).count == 3) }

        #expect(try Data(contentsOf: copy) == bytes)
    }

    @Test("a copy of another schema is refused without changing a byte of it")
    func refusedCopy() throws {
        try fill(1...3)
        try file.open().writeCopy(toFile: copy, encryptionKey: TemporaryRealm.suiteKey)
        let bytes = try Data(contentsOf: copy)

        #expect(throws: Realm.Error(.schemaMismatch, "")) { try openCopy { $0.objectTypes = [Other.Person.self] } }

        #expect(try Data(contentsOf: copy) == bytes)
        #expect(!FileManager.default.fileExists(atPath: "\(copy.path)-wal"))
    }

    // MARK: Seeds

    @Test("R10: a seed is copied when there is no file yet, and only then")
    func seed() throws {
        try fill(1...4)
        do {
            let realm = try file.open()
            try realm.writeCopy(toFile: copy, encryptionKey: TemporaryRealm.suiteKey)
        }
        let seeded = file.folder.appendingPathComponent("deep/seeded.realm")
        func open() throws -> Realm {
            try file.open {
                $0.fileURL = seeded
                $0.seedFilePath = copy
            }
        }
        do {
            let realm = try open()
            #expect(realm.objects(Person.self).count == 4)
            try realm.write { realm.delete(realm.objects(Person.self)) }
        }

        #expect(try open().objects(Person.self).isEmpty)
        #expect(try openCopy().objects(Person.self).count == 4)
    }

    @Test("R10: a seed that does not exist or is no realm is refused, and no file is made")
    func badSeed() throws {
        let missing = file.folder.appendingPathComponent("missing.realm")
        #expect(throws: Realm.Error(.fileNotFound, "")) { try file.open { $0.seedFilePath = missing } }
        try Data(repeating: 7, count: 5000).write(to: copy)
        #expect(throws: Realm.Error(.invalidDatabase, "")) { try file.open { $0.seedFilePath = copy } }

        #expect(!Realm.fileExists(for: file.configuration))
    }

    // MARK: Compaction

    @Test("compaction is asked for when nobody has the file open, and makes it smaller")
    func compaction() throws {
        try fill(1...5000)
        do {
            let realm = try file.open()
            try realm.write { realm.delete(realm.objects(Person.self)) }
        }
        let calls = Mutex<[[Int]]>([])
        func open(_ answer: Bool) throws -> Realm {
            try file.open {
                $0.shouldCompactOnLaunch = { total, used in
                    calls.withLock { $0.append([total, used]) }
                    return answer
                }
            }
        }
        do {
            let realm = try open(false)
            _ = try open(true)
            withExtendedLifetime(realm) {}
        }
        let before = try #require(calls.withLock { $0.first })
        #expect(calls.withLock { $0.count } == 1)
        #expect(before[0] > 300_000)
        #expect(before[1] < before[0] / 2)
        do { #expect(try open(true).objects(Home.self).count == 1) }

        let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
        #expect(try #require(size) <= before[1] + 8192)
    }

    // MARK: Settings

    @Test("R6: settings that contradict each other are refused before anything is opened")
    func contradictions() throws {
        let changes: [(inout Realm.Configuration) -> Void] = [
            { $0.encryptionKey = Data(count: 63) },
            {
                $0.readOnly = true
                $0.deleteRealmIfMigrationNeeded = true
            },
            {
                $0.readOnly = true
                $0.shouldCompactOnLaunch = { _, _ in true }
            },
            {
                $0.fileURL = nil
                $0.inMemoryIdentifier = nil
            },
        ]
        for change in changes {
            #expect(throws: Realm.Error(.invalidInput, "")) { try file.open(change) }
        }
        #expect(!Realm.fileExists(for: file.configuration))
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try schemaVersionAtURL(url, encryptionKey: Data(count: 63))
        }
    }

    /// Whether a text has bytes of 171, in any notation; the name of the folder is random and may have anything.
    private func tellsKey(_ text: String) -> Bool {
        let rest = text.replacing(file.folder.path, with: "").lowercased()
        return rest.contains("abab") || rest.contains("171")
    }

    @Test(
        "a key of another length is refused, with what to do instead",
        arguments: [0, 63, 65]
    )
    func refusedKey(_ length: Int) throws {
        let key = Data(repeating: 0xAB, count: length)
        let error = #expect(throws: Realm.Error(.invalidInput, "")) { try file.open { $0.encryptionKey = key } }

        let message = try #require(error?.message)
        #expect(message.contains("\(length) bytes instead of 64"))
        #expect(!tellsKey(message))
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder.path).isEmpty)
    }

    @Test("an opening that fails leaves nothing beside a file that there is not")
    func nothingLeft() throws {
        let elsewhere = file.folder.appendingPathComponent("nowhere.realm")
        #expect(throws: Realm.Error(.fileNotFound, "")) { try file.open { $0.readOnly = true } }
        #expect(throws: Realm.Error(.fileNotFound, "")) { try file.open { $0.seedFilePath = elsewhere } }
        #expect(throws: Realm.Error(.fileNotFound, "")) {
            try schemaVersionAtURL(url, encryptionKey: TemporaryRealm.suiteKey)
        }

        #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder.path).isEmpty)
    }

    @Test("R9: all files of a realm are private, and deleting it leaves none")
    func deletion() throws {
        try fill(1...3)
        do {
            let realm = try file.open()
            let names = try FileManager.default.contentsOfDirectory(atPath: file.folder.path)
            #expect(names.count > 2)
            for name in names {
                let path = file.folder.appendingPathComponent(name).path
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(name)")
            }
            #expect(throws: Realm.Error(.alreadyOpen, "")) { try Realm.deleteFiles(for: realm.configuration) }
        }

        #expect(try Realm.deleteFiles(for: file.configuration))
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder.path).isEmpty)
        #expect(try !Realm.deleteFiles(for: file.configuration))
        #expect(try !Realm.deleteFiles(for: Realm.Configuration(inMemoryIdentifier: "none")))
        #expect(!Realm.fileExists(for: Realm.Configuration(inMemoryIdentifier: "none")))
    }

    @Test("R6: one file is not opened read-only and for writing at once, also not on another thread")
    func mixedAccess() async throws {
        let realm = try file.open()
        let file = file

        #expect(throws: Realm.Error(.alreadyOpen, "")) { try file.open { $0.readOnly = true } }
        let failure = await failureElsewhere { _ = try file.open { $0.readOnly = true } }
        #expect(failure as? Realm.Error == Realm.Error(.alreadyOpen, ""))
        withExtendedLifetime(realm) {}
    }

    @Test("a configuration says what it is, but not its key")
    func configurationText() throws {
        var configuration = file.configuration
        configuration.encryptionKey = Data(repeating: 0xAB, count: 64)
        configuration.schemaVersion = 12
        let text = configuration.description

        #expect(text.contains(url.path))
        #expect(text.contains("schemaVersion: 12"))
        #expect(text.contains("encryptionKey: set"))
        #expect(!tellsKey(text))
    }

    @Test("configurations are equal when all that can be compared is")
    func equality() throws {
        let changes: [(inout Realm.Configuration) -> Void] = [
            { $0.fileURL = URL(fileURLWithPath: "/elsewhere") },
            { $0.inMemoryIdentifier = "x" },
            { $0.encryptionKey = Data() },
            { $0.readOnly = true },
            { $0.schemaVersion = 1 },
            { $0.migrationBlock = { _, _ in } },
            { $0.deleteRealmIfMigrationNeeded = true },
            { $0.shouldCompactOnLaunch = { _, _ in true } },
            { $0.objectTypes = [Dog.self] },
            { $0.objectTypes = nil },
            { $0.maximumNumberOfActiveVersions = 3 },
            { $0.seedFilePath = URL(fileURLWithPath: "/seed") },
        ]
        for change in changes {
            var other = file.configuration
            #expect(other == file.configuration)
            change(&other)
            #expect(other != file.configuration)
        }
        var same = file.configuration
        same.objectTypes = Sample.types.reversed()
        #expect(same == file.configuration)
    }

    @Test("the code of every error is a catch pattern")
    func patterns() {
        let codes: [Realm.Error.Code] = [
            Realm.Error.fail, Realm.Error.fileAccess, Realm.Error.filePermissionDenied, Realm.Error.fileExists,
            Realm.Error.fileNotFound, Realm.Error.fileFormatUpgradeRequired, Realm.Error.incompatibleLockFile,
            Realm.Error.addressSpaceExhausted, Realm.Error.schemaMismatch, Realm.Error.alreadyOpen,
            Realm.Error.invalidInput, Realm.Error.outOfDiskSpace, Realm.Error.unsupportedFileFormatVersion,
            Realm.Error.subscriptionFailed, Realm.Error.fileOperationFailed, Realm.Error.invalidDatabase,
            Realm.Error.incompatibleHistories, Realm.Error.callFailed,
        ]
        for code in codes {
            do {
                throw Realm.Error(code, "text", fileURL: url)
            } catch code {
                continue
            } catch {
                Issue.record("\(error)")
            }
        }
        #expect(Realm.Error.callFailed == .fail)
    }
}

/// Runs work on a thread of its own and returns what it throws.
func failureElsewhere(_ work: @escaping @Sendable () throws -> Void) async -> (any Error)? {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            do {
                try work()
                continuation.resume(returning: nil)
            } catch {
                continuation.resume(returning: error)
            }
        }
    }
}

private enum Other {
    class Person: Object {
        @Persisted(primaryKey: true) var _id: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

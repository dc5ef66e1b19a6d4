import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

@Suite("Event folders that are not what they should be")
struct HostileFolderTests {
    let fixture: FilesFixture

    init() throws {
        fixture = try FilesFixture()
    }

    private func expectError(
        naming path: String,
        _ remedy: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        let error = #expect(throws: PartitionError.self, sourceLocation: sourceLocation) { try body() }
        let text = error?.description ?? ""
        #expect(
            text.contains(path) && (remedy.isEmpty || text.contains(remedy)),
            "\(text)",
            sourceLocation: sourceLocation
        )
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    /// Everything below a folder with its contents, to see that nothing was touched.
    private func snapshot(_ path: String) throws -> [String: Data?] {
        let names = FileManager.default.enumerator(atPath: path)?.allObjects.compactMap { $0 as? String } ?? []
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(path)/\($0)")) }
        )
    }

    @Test("a folder that was removed while files in it are open fails the next append, and putting it back helps")
    func deletedFolder() throws {
        let files = try fixture.open()
        _ = try files.append([.sample(1)])
        let path = fixture.folder.path
        try FileManager.default.removeItem(atPath: path)

        expectError(naming: path, "put the folder back") { _ = try files.append([.sample(2)]) }
        expectError(naming: path, "put the folder back") { _ = try files.append([.sample(3)]) }
        expectError(naming: path, "put the folder back") { _ = try files.partitions() }
        #expect(!FileManager.default.fileExists(atPath: path))

        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        _ = try files.append([.sample(4)])
        #expect(try fixture.storedEvents() == [.sample(4)])
        #expect(files.persistedCount == 2)
    }

    @Test("a folder that was removed before the first append fails it")
    func deletedBeforeAppend() throws {
        let files = try fixture.open()
        try FileManager.default.removeItem(atPath: fixture.folder.path)

        expectError(naming: fixture.folder.path, "put the folder back") { _ = try files.append([.sample(1)]) }
    }

    @Test("a file that was removed while it is written fails the append, and the next one starts another file")
    func deletedFile() throws {
        let files = try fixture.open()
        _ = try files.append([.sample(1)])
        let path = try #require(try fixture.paths().first)
        try FileManager.default.removeItem(atPath: path)

        expectError(naming: path, "gone") { _ = try files.append([.sample(2)]) }

        _ = try files.append([.sample(3)])
        #expect(try fixture.storedEvents() == [.sample(3)])
        #expect(try files.partitions().map(\.count) == [1])
    }

    @Test("a sealed file that was removed is reported once and blocks nothing")
    func deletedSealedFile() throws {
        let log = ErrorLog()
        let files = try fixture.open(errorHandler: { log.add($0) })
        _ = try files.append([.sample(1)])
        try files.seal()
        let partition = try #require(try files.partitions().first?.partition)
        let path = try #require(try fixture.paths().first)
        try FileManager.default.removeItem(atPath: path)

        #expect(try files.partitions().map(\.partition).contains(partition) == false)
        #expect(try files.partitions().map(\.count) == [0])
        #expect(log.findings == [.missing(partition, count: 1, path: path)])
        #expect(try files.losses().map(\.reason) == [.missing])
    }

    @Test("a folder replaced by a symbolic link while files are open is refused, and its target stays as it is")
    func linkedFolder() throws {
        let elsewhere = try TestFolder.made()
        let files = try fixture.open()
        _ = try files.append([.sample(1)])
        let path = fixture.folder.path
        try FileManager.default.moveItem(atPath: path, toPath: "\(path).away")
        try link(path, to: elsewhere.path)

        expectError(naming: path, "") { _ = try files.append([.sample(2)]) }
        expectError(naming: path, "symbolic link; remove it") { _ = try files.append([.sample(3)]) }
        expectError(naming: path, "symbolic link; remove it") { _ = try files.partitions() }
        #expect(try snapshot(elsewhere.path).isEmpty)
    }

    @Test(
        "a symbolic link in the place of any level is refused",
        arguments: ["", "/app", "/app/user", "/app/user/ward"]
    )
    func linkedLevel(level: String) throws {
        let elsewhere = try TestFolder.made()
        let path = "\(fixture.temporary.path)/realm-audit\(level)"
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try link(path, to: elsewhere.path)

        expectError(naming: path, "symbolic link; remove it") { _ = try fixture.open() }
        #expect(try snapshot(elsewhere.path).isEmpty)
    }

    @Test(
        "a symbolic link in the place of a file is refused, and its target stays as it is",
        arguments: [".lock", ".claims"]
    )
    func linkedFile(name: String) throws {
        let elsewhere = try TestFolder.made()
        let target = "\(elsewhere.path)/target"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
        try FileManager.default.createDirectory(atPath: fixture.folder.path, withIntermediateDirectories: true)
        try link("\(fixture.folder.path)/\(name)", to: target)

        expectError(naming: name, "symbolic link") { _ = try fixture.open() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("mine".utf8))
    }

    @Test(
        "a symbolic link in the place of the key is refused",
        arguments: ["device.key", "device.key.lock", "device.key.new"]
    )
    func linkedKey(name: String) throws {
        let elsewhere = try TestFolder.made()
        let target = "\(elsewhere.path)/target"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
        let audit = "\(fixture.temporary.path)/realm-audit"
        try FileManager.default.createDirectory(atPath: audit, withIntermediateDirectories: true)
        try link("\(audit)/\(name)", to: target)

        expectError(naming: "device.key", "") { _ = try PartitionedEventFiles(fixture.folder) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("mine".utf8))
    }

    @Test("links, folders and pipes with the names of side files block nothing and stay as they are")
    func oddSideFiles() throws {
        let files = try fixture.open()
        _ = try files.append([.sample(1)])
        try files.seal()
        let partition = try #require(try files.partitions().first?.partition)
        let elsewhere = try TestFolder.made()
        let target = "\(elsewhere.path)/target"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
        let base = "\(fixture.folder.path)/\(partition.id)"
        try link("\(base).acknowledged", to: target)
        let other = "\(fixture.folder.path)/5f00000000000000000000"
        try link("\(other)01.quarantined.json", to: target)
        try FileManager.default.createDirectory(atPath: "\(other)02.events", withIntermediateDirectories: false)
        #expect(mkfifo("\(other)03.events", 0o600) == 0)
        #expect(mkfifo("\(other)04.journal", 0o600) == 0)
        #expect(mkfifo("\(other)05.acknowledged", 0o600) == 0)

        #expect(try files.upload(partition) == [.sample(1)])
        try files.delete(partition)
        _ = try files.append([.sample(2)])
        let summaries = try files.partitions()

        #expect(summaries.filter { $0.quarantineReason == nil }.map(\.count) == [1])
        #expect(summaries.filter { $0.quarantineReason != nil }.count == 2)
        #expect(throws: PartitionError.self) { try ScopeJournalFiles(fixture.folder).leftBehind() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("mine".utf8))
        #expect(try PartitionFiles.strays(below: fixture.temporary.path).count == 5)
    }

    @Test("files of others and of older versions are named, left alone, and reported once")
    func strays() throws {
        try FileManager.default.createDirectory(atPath: fixture.folder.path, withIntermediateDirectories: true)
        let names = [
            "5f0000000000000000000001.realm", "5f0000000000000000000001.realm.lock",
            "5f0000000000000000000002.backup.v10.realm",
            "notes.txt", "zzz.events", "5f0000000000000000000003.acknowledged",
        ]
        for name in names { try Data("x".utf8).write(to: URL(fileURLWithPath: "\(fixture.folder.path)/\(name)")) }
        let log = NoticeLog()

        let files = try PartitionedEventFiles(fixture.folder, key: FilesFixture.key, notices: { log.add($0) })
        _ = try files.append([.sample(1)])
        #expect(try files.partitions().map(\.count) == [1])
        try files.close()

        let strays = try PartitionFiles.strays(below: fixture.temporary.path)
        #expect(strays.map { URL(fileURLWithPath: $0.path).lastPathComponent } == names.sorted())
        #expect(strays.filter { $0.reason.contains("Realm's own event recording") }.count == 3)
        #expect(log.notices.count == 1)
        #expect(log.notices.first?.description.contains("6 files that are left alone") == true)
        for name in names {
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(fixture.folder.path)/\(name)")) == Data("x".utf8))
        }
    }

    @Test("a root behind a symbolic link is fine, and one whose link points nowhere is an error")
    func linkedRoot() throws {
        let elsewhere = try TestFolder.made()
        try link("\(fixture.temporary.path)/good", to: elsewhere.path)
        try link("\(fixture.temporary.path)/bad", to: "\(elsewhere.path)/missing")
        let good = try EventFolder(root: "\(fixture.temporary.path)/good", appID: "a", userID: "u", prefix: "p")
        let bad = try EventFolder(root: "\(fixture.temporary.path)/bad", appID: "a", userID: "u", prefix: "p")

        _ = try PartitionedEventFiles(good).append([.sample(1)])

        #expect(try PartitionFiles.find(below: elsewhere.path).count == 1)
        expectError(naming: "\(fixture.temporary.path)/bad", "gone") { _ = try PartitionedEventFiles(bad) }
    }

    @Test(
        "a file in the place of a folder is an error that names it",
        arguments: ["", "/realm-audit", "/realm-audit/app"]
    )
    func fileAsFolder(level: String) throws {
        let root = "\(fixture.temporary.path)/root"
        let path = "\(root)\(level)"
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        let folder = try EventFolder(root: root, appID: "app", userID: "user", prefix: "ward")

        expectError(naming: path, "choose another folder") { _ = try PartitionedEventFiles(folder) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
    }

    @Test("a path that is too long is an error that names the remedy")
    func tooLong() throws {
        let root = fixture.temporary.path + String(repeating: "/" + String(repeating: "a", count: 200), count: 30)
        let folder = try EventFolder(root: root, appID: "app", userID: "user", prefix: "ward")

        expectError(naming: "aaa", "shorter path") { _ = try PartitionedEventFiles(folder) }
        #expect(throws: PartitionError.self) {
            try EventFolder(root: "/data", appID: String(repeating: "b", count: 256), userID: "user", prefix: "ward")
        }
    }

    @Test("a path with a zero byte is never cut off there")
    func zeroByte() throws {
        let system = POSIXFileSystem()
        let path = "\(fixture.temporary.path)/file\0rest"
        let calls: [() throws -> Void] = [
            { try system.makeDirectory(path) },
            { _ = try system.open(path, .writeOrCreate) },
            { _ = try system.status(path) },
            { _ = try system.list(path) },
            { try system.rename(path, to: "\(fixture.temporary.path)/other") },
            { try system.remove(path) },
            { try system.syncDirectory(path) },
            { _ = try PartitionFileReader(path) },
        ]
        for call in calls { #expect(throws: (any Error).self) { try call() } }
        #expect(try snapshot(fixture.temporary.path).isEmpty)
    }

    @Test("users, apps and prefixes have folders of their own, and none sees or touches another's")
    func separation() throws {
        let names = [("a", "u", "p"), ("a", "u", "q"), ("a", "v", "p"), ("b", "u", "p")]
        let folders = try names.map { app, user, prefix in
            try EventFolder(root: fixture.temporary.path, appID: app, userID: user, prefix: prefix)
        }
        for (number, folder) in folders.enumerated() {
            let files = try PartitionedEventFiles(folder, key: FilesFixture.key)
            _ = try files.append(AuditEvent.samples(number * 10..<number * 10 + number + 1))
        }
        let before = try folders.map { try snapshot($0.path) }

        for (number, folder) in folders.enumerated() {
            let files = try PartitionedEventFiles(folder, key: FilesFixture.key)
            #expect(try files.partitions().map(\.count) == [UInt64(number + 1)])
            #expect(try files.partitions().map(\.partition.prefix) == [names[number].2])
            for (other, folder) in folders.enumerated() where other > number {
                #expect(try snapshot(folder.path) == before[other])
            }
        }
    }
}

import AuditAccounts
import AuditModel
import AuditServerTesting
import AuditVerifying
import ChangeModel
import ChangeModelTesting
import DaybookCommand
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import GRDB
import SQLiteStore
import SyncServer
import Testing

@Suite("Backups of the data folder")
struct BackupTests {
    private func sealed(_ number: UInt32) throws -> (SampleDevice, EventUpload) {
        var device = SampleDevice(number)
        device.record((1...20).map { "activity \($0)" })
        return (device, try device.upload(1...20, seal: device.seal()))
    }

    /// Returns what is wrong with the events and the log of a store.
    private func problems(in store: SQLiteEventStore) async throws -> [String] {
        let records = try await store.partitions(after: nil, limit: 10_000)
        var problems: [String] = []
        for record in records {
            let filter = EventFilter(partition: record.partition, includesRepeated: true)
            let page = try await store.events(filter, after: nil, limit: 1000, maximumBytes: 10_000_000)
            var audit = PartitionAudit(partition: record.partition)
            for stored in page.events { audit.add(StoredLeaf(stored)) }
            audit.finish(count: record.count, root: record.root, seal: record.seal)
            problems += audit.problems
        }
        let entries = try await store.logEntries(from: 0, limit: 10_000)
        let root = try await store.withLog(durably: true) { try $0.root(at: $0.count) }
        if MerkleTree(leaves: entries.map(\.leaf)).root != root { problems.append("the log's root differs") }
        if Set(entries.map(\.partition)) != Set(records.map(\.partition)) { problems.append("the log differs") }
        return problems
    }

    @Test("a copy that was taken while devices upload opens, verifies, and has all that was acknowledged before")
    func underLoad() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        let store = try SQLiteEventStore(path: data.databasePath)
        let all = try (1...25 as ClosedRange<UInt32>).map { try sealed($0).1 }
        for upload in all.prefix(5) { _ = try await store.accept(upload) }
        let copy = folder.file("copy")

        try await withThrowingTaskGroup(of: Void.self) { group in
            for upload in all.dropFirst(5) {
                group.addTask { _ = try await store.accept(upload) }
            }
            group.addTask { _ = try data.backUp(to: copy) }
            try await group.waitForAll()
        }

        let restored = try SQLiteEventStore(path: DataFolder(copy).databasePath)
        let partitions = try await restored.partitions(after: nil, limit: 100).map(\.partition)
        #expect(try await problems(in: restored) == [])
        #expect(Set(all.prefix(5).map(\.partition)).isSubset(of: partitions))
        // A restored server takes again what came after the copy: devices that still have it send it.
        for upload in all { _ = try await restored.accept(upload) }
        #expect(try await restored.partitions(after: nil, limit: 100).count == 25)
        #expect(try await problems(in: restored) == [])
    }

    @Test("users, sessions and the key of receipts survive a restore, and only the owner may read the copy")
    func keys() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        let clock = ManualClock()
        let owner = EventOwner(app: "a", user: "b")
        let token = try await data.tokenIssuer(clock: clock).issue(.uploader(owner), for: .access)
        let key = try data.signingKey()
        let accounts = try SQLiteAccountStore(path: data.accountsPath)
        try await accounts.remove(owner)

        let backup = try data.backUp(to: folder.file("copy"))

        let copy = try DataFolder(folder.file("copy"))
        #expect(backup.files == ["accounts.sqlite", "token.key", "signing.key"])
        #expect(!backup.hasEvents)
        #expect(try copy.signingKey().publicKey == key.publicKey)
        #expect(try await copy.tokenIssuer(clock: clock).identity(of: token, for: .access) == .uploader(owner))
        #expect(try await SQLiteAccountStore(path: copy.accountsPath).isRemoved(owner))
        for name in ["", "/accounts.sqlite", "/token.key", "/signing.key"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: copy.path + name)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == (name.isEmpty ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test("a copy of realms has what was acknowledged, under other histories, so that devices notice a restore")
    func realms() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        let store = try SQLiteChangeStore(path: data.realmsPath)
        var file = try await SampleRealmFile(in: store)
        _ = await store.take([try file.upload([[ObjectAddress.sample().create()]])], in: .sample(), received: .sample)

        let backup = try data.backUp(to: folder.file("copy"))

        #expect(backup.files == ["realms.sqlite"])
        let copy = try SQLiteChangeStore(path: DataFolder(folder.file("copy")).realmsPath)
        let (before, after) = (try await store.status(of: .sample()), try await copy.status(of: .sample()))
        #expect(after?.head == 1)
        #expect(after?.objects == 1)
        #expect(after?.history.count == RealmStatus.historyBytes)
        #expect(after?.history != before?.history)
        await #expect(throws: SyncServerError.historyChanged) {
            try await copy.bind(
                FileClaim(user: file.user, deviceKey: file.deviceKey, claim: file.claim),
                to: .sample()
            )
        }
    }

    @Test("a destination that exists is refused, and nothing in it is touched")
    func existing() throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        try Data("x".utf8).write(to: URL(filePath: folder.file("copy")))

        #expect(
            throws: AuditServerError.inaccessible(path: folder.file("copy"), reason: "there is something already")
        ) { try data.backUp(to: folder.file("copy")) }
        #expect(try Data(contentsOf: URL(filePath: folder.file("copy"))) == Data("x".utf8))
    }

    @Test("a database that is damaged is refused with its name")
    func damaged() throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: data.databasePath))

        #expect(throws: AuditServerError.self) { try data.backUp(to: folder.file("copy")) }
        #expect(!FileManager.default.fileExists(atPath: folder.file("copy")))
    }
}

import AuditServerTesting
import EventModelTesting
import Foundation
import SQLiteStore
import SyncServer
import Testing

@Suite("Stores of synced realms")
struct ChangeStoreTests {
    @Test("the store in memory keeps the contract")
    func inMemory() async throws {
        let broken = try await ChangeStoreConformance { InMemoryChangeStore() }.violations()

        #expect(broken == [])
    }

    @Test("the SQLite store keeps the contract")
    func sqlite() async throws {
        let folder = try TestFolder.made()

        let broken = try await ChangeStoreConformance {
            try SQLiteChangeStore(path: folder.file("\(UUID().uuidString).sqlite"))
        }
        .violations()

        #expect(broken == [])
    }

    @Test("a store that lies is found out", arguments: LyingChangeStore.Lie.allCases)
    func liars(lie: LyingChangeStore.Lie) async throws {
        let broken = await violations(of: lie)

        #expect(broken != [])
    }

    /// What the kit says of a lie; an error is found out, too, as the contract allows none there.
    private func violations(of lie: LyingChangeStore.Lie) async -> [String] {
        do {
            return try await ChangeStoreConformance { LyingChangeStore(lie) }.violations()
        } catch {
            return ["\(error)"]
        }
    }
}

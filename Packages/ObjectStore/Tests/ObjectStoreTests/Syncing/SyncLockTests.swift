import ChangeModel
import ChangeModelTesting
import EventModel
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Who syncs a file")
struct SyncLockTests {
    private let file: TemporaryRealm

    init() throws { file = try TemporaryRealm([SyncedPerson.self]) { $0.keepsChanges = true } }

    private func store() throws -> LiveSyncedStore {
        try LiveSyncedStore(file.configuration) { Digest.mixing($0) }
    }

    @Test("is one of two stores in a process, and the other one when that ends")
    func twoStores() throws {
        let (first, second) = (try store(), try store())
        let lock = try #require(try first.lockForSync())

        #expect(try second.lockForSync() == nil)
        #expect(try first.lockForSync() == nil)
        lock.unlock()
        lock.unlock()

        let next = try #require(try second.lockForSync())
        #expect(try first.lockForSync() == nil)
        withExtendedLifetime(next) {}
    }

    @Test("ends with the last reference to the lock")
    func lastReference() throws {
        let store = try store()
        do {
            let lock = try store.lockForSync()
            #expect(lock != nil)
        }
        #expect(try store.lockForSync() != nil)
    }

    @Test("who has no lock writes and sees as always")
    func others() throws {
        let (first, second) = (try store(), try store())
        let lock = try #require(try first.lockForSync())

        let realm = try file.open()
        try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": 1] as [String: Any]) }

        #expect(try second.pendingChanges(after: 0, limit: .max).count == 1)
        withExtendedLifetime(lock) {}
    }

    @Test("who waits is the next, and a cancelled task waits no longer")
    func waiting() async throws {
        let (first, second) = (try store(), try store())
        let lock = try #require(try first.lockForSync())
        let waiting = Task { try await second.waitForSync(pollingEvery: .milliseconds(1)) }
        let cancelled = Task { try await second.waitForSync(pollingEvery: .seconds(1000)) }

        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        lock.unlock()
        let next = try await waiting.value

        #expect(try first.lockForSync() == nil)
        next.unlock()
    }

    @Test("only the owner may use the lock file, which is deleted with the realm")
    func lockFile() throws {
        do {
            let store = try store()
            let lock = try #require(try store.lockForSync())
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(try store.path()).sync")
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            lock.unlock()
            store.close()
        }
        _ = try Realm.deleteFiles(for: file.configuration)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder.path) == [])
    }

    @Test("the store shows the classes that its program declares")
    func schema() throws {
        let schema = try store().schema
        #expect(schema.classes.keys.map(\.string) == ["SyncedPerson"])
        #expect(schema.classes["SyncedPerson"]?.properties["name"]?.isOptional == true)
    }

    #if os(Linux)
    @Test("another process that ends in whatever way lets this one sync the file")
    func processes() async {
        await #expect(processExitsWith: .success) {
            let file = try TemporaryRealm([SyncedPerson.self]) { $0.keepsChanges = true }
            let path = file.folder.appendingPathComponent("test.realm").path
            let other = ForkedProcess { parent in
                let lock = try SyncLock.take(path)
                parent.report(lock == nil ? 0 : 1)
                while true { pause() }
            }
            #expect(other.next() == 1)
            let store = try LiveSyncedStore(file.configuration) { Digest.mixing($0) }
            #expect(try store.lockForSync() == nil)
            other.kill()
            #expect(try store.lockForSync() != nil)
        }
    }
    #endif
}

import ChangeModel
import ChangeModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("How much may wait for a server")
struct PendingLimitTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([SyncedPerson.self]) { $0.keepsChanges = true }
        realm = try file.open()
    }

    private func limit(_ change: (inout PendingLimits) -> Void) throws {
        change(&(try #require(realm.core.store.touchedCells)).limits)
    }

    private func add(_ id: Int, _ name: String = "") throws {
        try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": id, "name": name] as [String: Any]) }
    }

    private func totals() throws -> PendingChanges.Totals {
        let store = realm.core.store
        return try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).totals() }
    }

    private func takeFirst() throws {
        try realm.core.writeSyncTables { objects throws(Realm.Error) in
            let changes = PendingChanges(objects)
            if let first = try changes.firstNumber() { try changes.remove(first) }
        }
    }

    @Test("has a bound in changes, behind which a write throws with what to do")
    func changes() throws {
        try limit { $0.changes = 2 }
        try add(1)
        try add(2)
        let error = #expect(throws: Realm.Error.self) { try add(3) }
        #expect(error?.code == .outOfDiskSpace)
        #expect(error?.message.contains("Connect the device") == true)
        #expect(realm.objects(SyncedPerson.self).count == 2)
        try takeFirst()
        try add(3)
    }

    @Test("has a bound in bytes, behind which a write throws with what to do")
    func bytes() throws {
        try limit { $0.bytes = 2500 }
        let text = String(repeating: "x", count: 1000)
        try add(1, text)
        try add(2, text)
        let error = #expect(throws: Realm.Error.self) { try add(3, text) }
        #expect(error?.code == .outOfDiskSpace)
        #expect(error?.message.contains("2500 bytes") == true)
        #expect(error?.message.contains("Connect the device") == true)
        #expect(realm.objects(SyncedPerson.self).count == 2)
        try takeFirst()
        try add(3, text)
        #expect(realm.objects(SyncedPerson.self).count == 3)
    }

    @Test("is known without counting, whatever was taken out")
    func known() throws {
        #expect(try totals().bytes == 0)
        for id in 1...5 { try add(id, String(repeating: "x", count: id)) }
        for left in [5, 4, 3, 2, 1, 0] {
            let store = realm.core.store
            let all = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).all() }
            let totals = try totals()
            #expect(all.count == left && totals.changes == left)
            #expect(totals.bytes == all.reduce(0) { $0 + $1.body.count })
            try takeFirst()
        }
    }

    @Test("is a million changes and 512 MiB where nobody says otherwise")
    func standard() {
        #expect(PendingLimits().changes == 1_000_000 && PendingLimits().bytes == 536_870_912)
    }
}

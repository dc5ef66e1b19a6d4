import ChangeModel
import ChangeModelTesting
import EventModel
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What an instance knows of where its file is in sync")
struct KnownStandingTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([SyncedPerson.self]) { $0.keepsChanges = true }
        realm = try file.open()
    }

    private func add(_ id: Int) throws {
        try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": id] as [String: Any]) }
    }

    private func addElsewhere(_ id: Int) throws {
        let file = file
        try onThread {
            let realm = try file.open()
            try realm.write { _ = realm.create(SyncedPerson.self, value: ["id": id] as [String: Any]) }
        }
    }

    /// The numbers of the changes that wait, as the file has them.
    private func numbers() throws -> [Int] {
        realm.refresh()
        let store = realm.core.store
        return try store.use { () throws(Realm.Error) in
            try PendingChanges(SyncedObjects(store)).all().map(\.number)
        }
    }

    /// Whether something is known, and whether the file says the same.
    private func isKnown() throws -> Bool {
        let store = realm.core.store
        return try store.use { () throws(Realm.Error) in
            guard let known = store.knownStanding else { return false }
            let changes = PendingChanges(SyncedObjects(store))
            let (standing, totals) = (try changes.standing(), try changes.totals())
            #expect(known.standing == standing)
            #expect(known.totals.changes == totals.changes && known.totals.bytes == totals.bytes)
            #expect(known.totals.last == totals.last)
            return true
        }
    }

    @Test("is what its last commit left there")
    func kept() throws {
        #expect(try !isKnown())
        for id in 1...3 {
            try add(id)
            #expect(try isKnown())
        }
        #expect(try numbers() == [1, 2, 3])
    }

    @Test("is nothing when another instance has committed since")
    func elsewhere() throws {
        try add(1)
        try addElsewhere(2)
        realm.refresh()
        #expect(try !isKnown())
        try add(3)
        #expect(try isKnown())
        try addElsewhere(4)
        try addElsewhere(5)
        // It is asked inside of the transaction, which reads the newest version.
        try add(6)
        #expect(try isKnown())
        #expect(try numbers() == [1, 2, 3, 4, 5, 6])
    }

    @Test("is nothing behind a transaction that was rolled back with its change, whoever commits next")
    func rolledBack() throws {
        try add(1)
        try realm.core.beginWrite()
        _ = realm.create(SyncedPerson.self, value: ["id": 2] as [String: Any])
        #expect(try realm.core.keepChange() == 1)
        realm.core.cancelWrite()
        #expect(try !isKnown())
        try addElsewhere(3)
        try add(4)
        #expect(try isKnown())
        #expect(try numbers() == [1, 2, 3])
    }

    @Test("is nothing behind what a server said")
    func integrated() throws {
        try add(1)
        try add(2)
        try realm.core.writeSyncTables { objects throws(Realm.Error) in
            let changes = PendingChanges(objects)
            try changes.remove(1)
            var standing = try changes.standing()
            standing.position = 7
            try changes.setStanding(standing)
        }
        #expect(try !isKnown())
        try add(3)
        #expect(try isKnown())
        #expect(try numbers() == [2, 3])
        let store = realm.core.store
        let last = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded().last }
        #expect(last?.base == 7)
    }
}

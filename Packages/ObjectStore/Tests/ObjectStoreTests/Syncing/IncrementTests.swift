import ChangeModel
import ChangeModelTesting
import EventModel
import ObjectStoreTesting
import Testing

@testable import ObjectStore

final class SyncedCounter: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var count: Int
    @Persisted var small: Int8
    @Persisted var maybe: Int?
    @Persisted var part: SyncedCounterPart?
}

final class SyncedCounterPart: EmbeddedObject {
    @Persisted var count: Int
}

@Suite("Increments")
struct IncrementTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let counter: SyncedCounter
    private let address = ObjectAddress("SyncedCounter", .int(1))

    init() throws {
        file = try TemporaryRealm([SyncedCounter.self, SyncedCounterPart.self]) { $0.keepsChanges = true }
        let realm = try file.open()
        counter = try realm.write {
            realm.create(SyncedCounter.self, value: ["id": 1, "part": ["count": 1]] as [String: Any])
        }
        self.realm = realm
    }

    private func changes() throws -> [Change] {
        let store = realm.core.store
        return try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded() }
    }

    private func last() throws -> [ChangeOperation] { try #require(try changes().last).operations }

    @Test("of one transaction are one, of what was added together")
    func sum() throws {
        try realm.write {
            counter.increment(\.count)
            counter.increment(\.count, by: 5)
            counter.increment(\.count, by: -2)
        }
        #expect(counter.count == 4)
        #expect(try last() == [ChangeOperation(address, .add("count", 4))])
        let before = try changes().count
        try realm.write {
            counter.increment(\.count)
            counter.increment(\.count, by: -1)
        }
        #expect(try changes().count == before)
        try realm.write { counter.increment(\.count) }
        #expect(try last() == [ChangeOperation(address, .add("count", 1))])
    }

    @Test("before or after an assignment in a transaction are part of it")
    func assigned() throws {
        try realm.write {
            counter.count = 10
            counter.increment(\.count)
        }
        #expect(try last() == [ChangeOperation(address, .set("count", 11))])
        try realm.write {
            counter.increment(\.count)
            counter.count = 20
        }
        #expect(try last() == [ChangeOperation(address, .set("count", 20))])
        try realm.write {
            counter.increment(\.count)
            counter.count += 1
            counter.increment(\.count)
        }
        #expect(try last() == [ChangeOperation(address, .set("count", 23))])
    }

    @Test("S68: adding to what was read and assigning it is an assignment")
    func readAndAssign() throws {
        try realm.write { counter.count += 1 }
        #expect(try last() == [ChangeOperation(address, .set("count", 1))])
    }

    @Test("of a new object are sent behind its creation, where nothing was given to the property")
    func created() throws {
        try realm.write {
            let other = realm.create(SyncedCounter.self, value: ["id": 2] as [String: Any])
            other.increment(\.count, by: 3)
            other.increment(\.count)
            other.increment(\.maybe, by: 2)
            other.increment(\.small)
            other.increment(\.small, by: -1)
        }
        let sent = try last()
        guard case .create(let given, let defaults) = sent.first?.action else { return #expect(Bool(false)) }
        #expect(given["count"] == nil && defaults["count"] == 0)
        #expect(defaults["maybe"] == .null && defaults["small"] == 0)
        let other = ObjectAddress("SyncedCounter", .int(2))
        #expect(
            Set(sent.dropFirst().map(\.description))
                == [
                    ChangeOperation(other, .add("count", 4)).description,
                    ChangeOperation(other, .add("maybe", 2)).description,
                ]
        )
        #expect(realm.object(ofType: SyncedCounter.self, forPrimaryKey: 2)?.count == 4)
    }

    @Test("of a new object are part of what was given to it or is assigned, and of what wraps")
    func given() throws {
        try realm.write {
            realm.create(SyncedCounter.self, value: ["id": 2, "count": 1] as [String: Any]).increment(\.count, by: 3)
        }
        #expect(try created()["count"] == 4)
        try realm.write {
            let other = realm.create(SyncedCounter.self, value: ["id": 3] as [String: Any])
            other.increment(\.count, by: 3)
            other.count = 7
            other.increment(\.count)
        }
        #expect(try created()["count"] == 8)
        try realm.write {
            let other = realm.create(SyncedCounter.self, value: ["id": 4] as [String: Any])
            other.increment(\.small, by: .max)
            other.increment(\.small)
        }
        let wrapped = try #require(realm.object(ofType: SyncedCounter.self, forPrimaryKey: 4)).small
        #expect(wrapped == .min)
        #expect(try created()["small"] == .int(Int64(wrapped)))

        func created() throws -> ChangeOperation.Cells {
            let sent = try last()
            #expect(sent.count == 1)
            guard case .create(let given, _) = sent.first?.action else { return [:] }
            return given
        }
    }

    @Test("S65: of null stay null, and are sent")
    func null() throws {
        try realm.write { counter.increment(\.maybe, by: 2) }
        #expect(counter.maybe == nil)
        #expect(try last() == [ChangeOperation(address, .add("maybe", 2))])
        try realm.write { counter.maybe = 1 }
        try realm.write { counter.increment(\.maybe, by: 2) }
        #expect(counter.maybe == 3)
    }

    @Test("of an embedded object are sent under its name")
    func embedded() throws {
        let part = try #require(counter.part)
        try realm.write { part.increment(\.count, by: 2) }
        #expect(part.count == 3)
        guard case .add(let path, 2)? = try last().first?.action else { return #expect(Bool(false)) }
        #expect(path.steps.first == .property("part") && path.steps.last == .property("count"))
    }

    @Test("S67: wrap on overflow")
    func overflow() throws {
        try realm.write {
            counter.count = .max
            counter.small = .max
        }
        try realm.write {
            counter.increment(\.count)
            counter.increment(\.small)
        }
        #expect(counter.count == .min && counter.small == .min)
    }

    @Test("of a transaction that is cancelled are forgotten")
    func cancelled() throws {
        realm.beginWrite()
        counter.increment(\.count)
        realm.cancelWrite()
        try realm.write { counter.count = 7 }
        #expect(try last() == [ChangeOperation(address, .set("count", 7))])
    }

    @Test("of unmanaged objects, and in realms that keep no changes, are assignments")
    func plain() throws {
        let unmanaged = SyncedCounter()
        unmanaged.increment(\.count, by: 2)
        unmanaged.increment(\.maybe)
        #expect(unmanaged.count == 2 && unmanaged.maybe == nil)
        let realm = try TemporaryRealm([SyncedCounter.self, SyncedCounterPart.self]).open()
        try realm.write {
            realm.add(unmanaged)
            unmanaged.increment(\.count)
        }
        #expect(unmanaged.count == 3)
    }

    @Test("S63, S64: of two devices are all counted, and an assignment takes those before it and not those after it")
    func devices() throws {
        var kept = KeptChanges()
        try kept.take(from: realm)
        var state = kept.state
        try realm.core.writeSynced { integration throws(Realm.Error) in
            try SyncStateTable(integration.objects).setBinding(FileBinding(history: .sample(1), file: 1, salt: [1]))
        }
        let first = try #require(kept.entries.first)
        let second = try TemporaryRealm([SyncedCounter.self, SyncedCounterPart.self]) { $0.keepsChanges = true }
        let other = try second.open()
        try other.core.writeSynced { integration throws(Realm.Error) in
            try SyncStateTable(integration.objects).setBinding(FileBinding(history: .sample(1), file: 2, salt: [1]))
        }
        _ = try realm.core.integrate([first])
        _ = try other.core.integrate([first])
        let theirs = try #require(other.objects(SyncedCounter.self).first)
        var entries: [Entry] = []
        func upload(_ realm: Realm, _ file: UInt32) throws {
            let store = realm.core.store
            let pending = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded() }
            for change in pending {
                let received = EventInstant(microseconds: 0)
                let entry = try state.accept(change, of: file, user: 1, received: received, digest: .sample)
                entries.append(try #require(entry))
            }
        }
        func settle() throws {
            try upload(realm, 1)
            try upload(other, 2)
            for one in [realm, other] {
                _ = try one.core.integrate(entries)
                one.refresh()
            }
            entries = []
        }

        try realm.write { counter.increment(\.count, by: 5) }
        try other.write { theirs.increment(\.count, by: 4) }
        try settle()

        #expect(counter.count == 9 && theirs.count == 9)
        for one in [realm, other] {
            try one.write {
                one.create(SyncedCounter.self, value: ["id": 2] as [String: Any]).increment(\.count, by: 2)
            }
        }
        try settle()
        #expect([realm, other].map { $0.object(ofType: SyncedCounter.self, forPrimaryKey: 2)?.count } == [4, 4])
        try realm.write { counter.increment(\.count, by: 2) }
        try other.write { theirs.count = 100 }
        try realm.write { counter.increment(\.count, by: 3) }
        try settle()
        #expect(counter.count == 103 && theirs.count == 103)
    }
}

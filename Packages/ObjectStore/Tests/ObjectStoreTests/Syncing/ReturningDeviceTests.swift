import ChangeModel
import ChangeModelTesting
import EventModel
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// A person of a device that was away for longer than the log is kept.
final class ReturningPerson: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var age = 0
    @Persisted var friend: ReturningPerson?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("A snapshot over a file that has most of it")
struct ReturningDeviceTests {
    private static let ada = ObjectAddress("ReturningPerson", .int(1))
    private static let ben = ObjectAddress("ReturningPerson", .int(2))

    private let file: TemporaryRealm
    private let realm: Realm
    private let store: LiveSyncedStore

    /// A file that has the first entry: Ada, who is 3, and her friend Ben.
    init() throws {
        file = try TemporaryRealm([ReturningPerson.self]) { $0.keepsChanges = true }
        realm = try file.open()
        store = try LiveSyncedStore(file.configuration) { Digest.mixing($0) }
        try store.bind(FileBinding(history: .sample(1), file: 1, salt: [1]))
        let created = Self.people.map { ChangeOperation($0.object, $0.actions[0]) }
        _ = try store.integrate([.sample(1, created)])
        realm.refresh()
    }

    private static var people: [SnapshotObject] {
        [
            SnapshotObject(
                ada,
                changed: 1,
                actions: [.create(given: ["age": 3, "friend": .link(ben)], defaults: [:])]
            ),
            SnapshotObject(ben, changed: 1, actions: [.create(given: ["age": 7], defaults: [:])]),
        ]
    }

    /// Takes a snapshot of what the first entry made, which nothing has changed on the server since.
    private func takeSnapshot(head: Int) throws {
        try store.beginBootstrap(history: .sample(1), head: head)
        try store.integrate(SnapshotPage(head: head, objects: Self.people, next: nil))
        try store.endBootstrap()
        realm.refresh()
    }

    private func person(_ id: Int) throws -> ReturningPerson {
        try #require(realm.object(ofType: ReturningPerson.self, forPrimaryKey: id))
    }

    @Test("what waits is shown over what stayed as it was, and counted once")
    func pendingIncrement() throws {
        let ada = try person(1)
        try realm.write { ada.increment(\.age, by: 5) }

        try takeSnapshot(head: 1)

        #expect(ada.age == 8)
        #expect(try store.syncState().pendingChanges == 1)
    }

    @Test("an own write that the server has and did not do is undone")
    func droppedWrite() throws {
        try realm.write { try person(1).age = 99 }
        try store.noteSent(through: 1)
        try store.acknowledge(through: 1, chain: .sample)

        try takeSnapshot(head: 2)

        #expect(try person(1).age == 3)
    }

    @Test("an own deletion that the server has and did not do brings the object back, and the links to it")
    func droppedDeletion() throws {
        try realm.write { realm.delete(try person(2)) }
        #expect(try person(1).friend == nil)
        try store.noteSent(through: 1)
        try store.acknowledge(through: 1, chain: .sample)

        try takeSnapshot(head: 2)

        #expect(try person(1).friend?.id == 2)
        #expect(try person(2).age == 7)
    }
}

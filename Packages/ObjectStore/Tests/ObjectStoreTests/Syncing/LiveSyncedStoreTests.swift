import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// The class of the promises that every store keeps.
final class SyncedPerson: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted var age: Int?
}

@Suite("A realm's file as its sync uses it")
struct LiveSyncedStoreTests {
    @Test("it keeps every promise of the seam")
    func promises() async throws {
        let kit = SyncedStoreConformance(className: "SyncedPerson") {
            let file = try TemporaryRealm([SyncedPerson.self]) { $0.keepsChanges = true }
            let store = try LiveSyncedStore(file.configuration) { Digest.mixing($0) }
            return SyncedStoreConformance.Subject(
                store: store,
                commit: { operations in
                    try withExtendedLifetime(file) {
                        let realm = try file.open()
                        try realm.write { for operation in operations { try Self.perform(operation, realm) } }
                    }
                },
                value: { object, path in
                    let realm = try file.open()
                    realm.refresh()
                    guard case .int(let id) = object.key,
                        let person = realm.object(ofType: SyncedPerson.self, forPrimaryKey: Int(id))
                    else { return nil }
                    if path == "name" { return person.name.map { .string(ExactText($0)) } ?? .null }
                    return person.age.map { .int(Int64($0)) } ?? .null
                },
                close: { store.close() }
            )
        }
        #expect(await kit.brokenPromises() == [])
    }

    @Test(
        "an observer is told what the user does, and of none of the transactions of the sync, which would part reads that are one"
    )
    func observer() throws {
        let spy = ObserverSpy(seesShownObjects: true)
        let file = try TemporaryRealm([SyncedPerson.self]) {
            $0.keepsChanges = true
            $0.attachment = spy
        }
        let realm = try file.open()
        let store = try LiveSyncedStore(file.configuration) { Digest.mixing($0) }
        let reading = ManualClock().now()
        let person = ObjectAddress("SyncedPerson", .int(2))

        _ = try spy.record {
            try realm.write { realm.create(SyncedPerson.self, value: ["id": 1]) }
            try store.bind(FileBinding(history: .sample(1), file: 1, salt: [1]))
            try store.correctClocks(StampCorrection(serverMilliseconds: 1, asked: reading, answered: reading))
            try store.noteSent(through: 1)
            try store.acknowledge(through: 1, chain: .sample)
            _ = try store.integrate([.sample(1, [ChangeOperation(person, .create(given: [:], defaults: [:]))])])
            try store.beginBootstrap(history: .sample(1), head: 1)
            try store.integrate(SnapshotPage(head: 1, objects: [], next: nil))
            try store.endBootstrap()
        }

        #expect(spy.commits.map { $0.classes.count } == [1])
    }

    @Test("every commit of an app is told, also one that falls between two of the sync's own")
    func commitsBesideIntegration() async throws {
        let file = try TemporaryRealm([SyncedPerson.self]) { $0.keepsChanges = true }
        let store = try LiveSyncedStore(file.configuration) { Digest.mixing($0) }
        try store.bind(FileBinding(history: .sample(1), file: 1, salt: [1]))
        let integrating = Task.detached {
            var number = 0
            while !Task.isCancelled {
                number += 1
                let person = ObjectAddress("SyncedPerson", .int(Int64(-number)))
                let creation = ChangeOperation(person, .create(given: [:], defaults: [:]))
                _ = try store.integrate([.sample(number, [creation])])
            }
        }
        var commits = store.commits().makeAsyncIterator()

        for id in 1...200 {
            try writeElsewhere(file) { $0.add(SyncedPerson(value: ["id": id])) }
            #expect(await commits.next(isolation: #isolation) != nil)
        }

        integrating.cancel()
        try await integrating.value
        #expect(try store.syncState().nextNumber == 201)
        store.close()
    }

    /// Does what an app does for an operation.
    private static func perform(_ operation: ChangeOperation, _ realm: Realm) throws {
        guard case .int(let id) = operation.object.key else { return }
        switch operation.action {
        case .create(let given, _):
            let person = SyncedPerson()
            person.id = Int(id)
            for (name, value) in given { set(name, value, person) }
            realm.add(person)
        case .set(let path, let value):
            let person = try #require(realm.object(ofType: SyncedPerson.self, forPrimaryKey: Int(id)))
            guard case .property(let name) = path.steps.first else { return }
            set(name, value, person)
        case .delete:
            realm.delete(try #require(realm.object(ofType: SyncedPerson.self, forPrimaryKey: Int(id))))
        default: Issue.record("The kit does something that no app here does.")
        }
    }

    private static func set(_ name: ExactText, _ value: CellValue, _ person: SyncedPerson) {
        switch value {
        case .int(let age) where name == "age": person.age = Int(age)
        case .string(let text) where name == "name": person.name = text.string
        default: Issue.record("The kit sets a property that is not there.")
        }
    }
}

import ChangeModel
import ChangeModelTesting
import EventModel
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

private class PostedReading: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var temperature: Double
    @Persisted var place: PostedPlace?
    @Persisted var samples: List<Int>
    @Persisted var labels: Map<String, UUID?>
    @Persisted var since: Date?
    @Persisted var price: Decimal128
    @Persisted var bytes: Data
    @Persisted var flags: MutableSet<Bool>
}

private class PostedPlace: EmbeddedObject {
    @Persisted var name: String
    @Persisted var inner: PostedMast?
}

private class PostedMast: EmbeddedObject {
    @Persisted var name: String
}

private class PostedNote: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: String?
    @Persisted var number: Int
}

private class PostingWard: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
}

@Suite("Asymmetric objects of a realm that syncs")
struct PostedObjectTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([
            PostedReading.self, PostedPlace.self, PostedMast.self, PostedNote.self, PostingWard.self,
        ]) {
            $0.keepsChanges = true
        }
        realm = try file.open()
    }

    private func kept() throws -> KeptChanges {
        var kept = KeptChanges()
        try kept.take(from: realm)
        return kept
    }

    @Test(
        "an object is a part of the change of its transaction, behind what that did to the realm, and fits the schema"
    )
    func part() throws {
        let id = ObjectId("507f1f77bcf86cd799439011")
        try realm.write { realm in
            let value: [String: Any] = [
                "_id": id, "temperature": 21.5, "place": ["name": "roof", "inner": ["name": "mast"]],
                "samples": [1, 2],
                "labels": ["a": UUID(), "b": NSNull()] as [String: Any], "since": Date(timeIntervalSince1970: 1.5),
                "price": Decimal128("1.50"), "bytes": Data([1, 2]), "flags": [true],
            ]
            realm.create(PostedReading.self, value: value)
            realm.create(PostedReading.self)
            realm.create(PostedNote.self, value: ["_id": "n", "number": 1] as [String: Any])
            realm.create(PostedNote.self, value: ["number": 2])
            realm.create(PostingWard.self, value: ["_id": 1, "name": "A"] as [String: Any])
        }

        let change = try #require(try kept().changes.first)
        let schema = SyncSchema(try RealmSchema(file.configuration.objectTypes))

        #expect(change.operations.map { $0.posted != nil } == [false, true, true, true, true])
        #expect(change.operations.filter { schema.refusal(of: $0) != nil }.map(\.description) == [])
        #expect(
            change.operations.dropFirst().map(\.object.className) == [
                "PostedReading", "PostedReading", "PostedNote", "PostedNote",
            ]
        )
        #expect(change.operations[1].object.key == .objectId(id))
        #expect(change.operations[3].object.key == .string("n"))
        #expect(change.operations[4].object.key == .null)
        #expect(change.operations[3].posted == #"{"_id":"n","number":{"$numberLong":"1"}}"#)
        #expect(try realm.outbox.entries().isEmpty)
    }

    @Test("a transaction that only posts is a change, and one that is cancelled or doomed posts nothing")
    func transactions() throws {
        realm.beginWrite()
        realm.create(PostedNote.self, value: ["_id": "a"])
        realm.cancelWrite()
        #expect(throws: Realm.Error.self) {
            try realm.write { realm in
                realm.create(PostedNote.self, value: ["_id": "b"])
                realm.create(PostedNote.self, value: ["_id": 2])
            }
        }
        try realm.write { realm in realm.create(PostedNote.self, value: ["_id": "c"]) }

        #expect(try kept().changes.map { $0.operations.map(\.object.key) } == [[.string("c")]])
    }

    @Test("the device forgets an object when the server has it, and nothing else of the realm changes")
    func forgotten() throws {
        try realm.write { realm in
            realm.create(PostingWard.self, value: ["_id": 1, "name": "A"] as [String: Any])
            realm.create(PostedNote.self, value: ["_id": "a"])
        }
        try realm.write { realm in realm.create(PostedNote.self, value: ["_id": "b"]) }
        let kept = try kept()
        let store = try LiveSyncedStore(file.configuration) { Digest.mixing(Array($0)) }
        let history = HistoryID.sample(1)
        try store.bind(FileBinding(history: history, file: 1, salt: [UInt8](repeating: 1, count: 16)))
        try store.noteSent(through: 2)
        try store.acknowledge(through: 2, chain: .sample)

        _ = try store.integrate(Array(kept.entries.prefix(1)))
        #expect(try store.syncState().pendingChanges == 1)
        _ = try store.integrate(Array(kept.entries.dropFirst()))

        #expect(try store.syncState().pendingChanges == 0)
        _ = realm.refresh()
        #expect(realm.objects(PostingWard.self).map(\.name) == ["A"])
    }

    @Test("a server that says an object was posted is not believed: it is written nowhere")
    func literal() throws {
        let store = try LiveSyncedStore(file.configuration) { Digest.mixing(Array($0)) }
        try store.bind(FileBinding(history: .sample(1), file: 1, salt: [UInt8](repeating: 1, count: 16)))
        let literal = ChangeOperation(ObjectAddress("PostedNote", .string("a")), .post("{}"))
        let entry = Entry(
            number: 1,
            change: ChangeReference(file: 2, number: 1),
            user: 1,
            clock: HybridClock(milliseconds: 1),
            received: .sample,
            results: [.asSent],
            literals: [literal],
            corrections: [],
            digest: .sample
        )

        _ = try store.integrate([entry])

        #expect(try store.syncState().position == 1)
        _ = realm.refresh()
        #expect(realm.isEmpty)
    }

    @Test("objects that wait are bounded as all changes are, and the error says so")
    func bound() throws {
        let small = try file.open()
        small.core.store.touchedCells?.limits = PendingLimits(changes: 2)
        for number in 0..<2 {
            try small.write { realm in realm.create(PostedNote.self, value: ["number": number]) }
        }
        let error = #expect(throws: Realm.Error.self) {
            try small.write { realm in realm.create(PostedNote.self) }
        }
        #expect(error?.code == .outOfDiskSpace)
        #expect(error?.message.contains("may wait for its server") == true)
    }
}

import ChangeModel
import ChangeModelTesting
import EventModel
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What a server says that a program does not know")
struct UnknownOperationsTests {
    private let note = ObjectAddress("GrowingNote", .int(1))
    private let author = ObjectAddress("GrowingAuthor", .string("ada"))
    private let file: TemporaryRealm

    init() throws { file = try TemporaryRealm(FirstProgram.types) { $0.keepsChanges = true } }

    private func open(_ types: [ObjectBase.Type]) throws -> Realm { try file.open { $0.objectTypes = types } }

    private func newer() throws -> Realm { try open(SecondProgram.types) }

    private func kept(_ realm: Realm) throws -> Int {
        let store = realm.core.store
        return try store.use { () throws(Realm.Error) in
            try SyncedObjects(store).statement("SELECT id FROM \(SyncTables.unknown)").keys().count
        }
    }

    /// What another device of the newer program does, and what a server makes of it.
    private func elsewhere() throws -> (entries: [Entry], state: InMemoryRealmState) {
        let other = try TemporaryRealm(SecondProgram.types) { $0.keepsChanges = true }
        let realm = try other.open()
        var kept = KeptChanges()
        try realm.write {
            let note = realm.create(SecondProgram.GrowingNote.self, value: ["id": 1, "title": "a"] as [String: Any])
            realm.create(SecondProgram.GrowingNote.self, value: ["id": 2, "title": "gone"] as [String: Any])
            note.tags.append(objectsIn: ["a", "b", "c"])
            note.place = SecondProgram.GrowingPlace(value: ["city": "London", "notes": ["x"]] as [String: Any])
            note.anything = .fromDictionary(["list": .fromArray([.int(1)])])
        }
        try kept.take(from: realm)
        try realm.write {
            let note = try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 1))
            let author = realm.create(SecondProgram.GrowingAuthor.self, value: ["ada", 1815] as [Any])
            realm.create(SecondProgram.GrowingAuthor.self, value: ["bob", 1900] as [Any])
            author.notes.append(note)
            note.author = author
            note.tags.move(from: 0, to: 2)
            note.tags.insert("first", at: 0)
            note.marks.insert(objectsIn: [1, 2, 3])
            note.scores["x"] = 1
            note.places.append(SecondProgram.GrowingPlace(value: ["city": "Paris", "notes": ["far"]] as [String: Any]))
        }
        try kept.take(from: realm)
        try realm.write {
            let note = try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 1))
            note.priority = 4
            note.due = 7
            note.place?.city = "Oxford"
            note.place?.notes.append("y")
            note.marks.remove(2)
            note.scores["y"] = 2
            note.places[0].city = "Rome"
            note.tags.remove(at: 1)
            note.title = "b"
            realm.delete(try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 2)))
            realm.delete(try #require(realm.object(ofType: SecondProgram.GrowingAuthor.self, forPrimaryKey: "bob")))
        }
        try kept.take(from: realm)
        return (kept.entries, kept.state)
    }

    private func differences(_ realm: Realm, from state: InMemoryRealmState) throws -> [String] {
        try RealmContents(realm).condensed.differences(from: RealmContents(state).condensed)
    }

    @Test("is put aside, and there when a program comes that does")
    func declaredLater() throws {
        let (entries, state) = try elsewhere()
        do {
            let realm = try open(FirstProgram.types)
            for entry in entries { _ = try realm.core.integrate([entry]) }
            #expect(realm.objects(FirstProgram.GrowingNote.self).map(\.title) == ["b"])
            #expect(try kept(realm) > 0)
        }

        let realm = try newer()

        #expect(try differences(realm, from: state) == [])
        #expect(try kept(realm) == 0)
        #expect(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 1)?.author?.born == 1815)
    }

    @Test("is put aside in a snapshot, too, in the place of all that was before")
    func snapshot() throws {
        let (entries, state) = try elsewhere()
        do {
            let store = try LiveSyncedStore(file.configuration) { Digest.mixing($0) }
            try store.bind(FileBinding(history: .sample(1), file: 9, salt: [1]))
            _ = try store.integrate(Array(entries.prefix(1)))
            try store.beginBootstrap(history: .sample(1), head: entries.count)
            let objects = state.objects.filter { state.existence(of: $0).isAlive }
                .map { SnapshotObject($0, changed: 0, actions: state.literals(of: $0).map(\.action)) }
            try store.integrate(SnapshotPage(head: entries.count, objects: objects, next: nil))
            try store.endBootstrap()
            #expect(try store.syncState().position == entries.count)
            store.close()
        }
        #expect(try differences(newer(), from: state) == [])
    }

    @Test("is written under what is pending here")
    func pending() throws {
        let (entries, _) = try elsewhere()
        do {
            let realm = try newer()
            _ = try realm.core.integrate([entries[0]])
            try realm.write {
                let note = try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 1))
                note.due = 99
                note.tags.append("mine")
            }
        }
        do {
            let realm = try open(FirstProgram.types)
            _ = try realm.core.integrate(Array(entries.dropFirst()))
        }
        let realm = try newer()
        let note = try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 1))
        #expect(note.due == 99 && note.priority == 4 && note.place?.city == "Oxford")
        #expect(Array(note.tags).contains("mine") && Array(note.tags).contains("first"))
    }

    @Test("goes with the object, and the position moves on")
    func deleted() throws {
        let realm = try open(FirstProgram.types)
        let creation = ChangeOperation(note, .create(given: ["title": "a", "due": 1, "priority": 1], defaults: [:]))
        _ = try realm.core.integrate([
            .sample(1, [creation, ChangeOperation(author, .create(given: [:], defaults: [:]))])
        ])
        #expect(try kept(realm) == 3)
        _ = try realm.core.integrate([.sample(2, [ChangeOperation(note, .delete)])])
        #expect(try kept(realm) == 1)
        let result = try realm.core.integrate([.sample(3, [ChangeOperation(author, .delete)])])
        #expect(try kept(realm) == 0)
        #expect(result.position == 3)
    }

    @Test("of a cell is kept once")
    func cell() throws {
        let realm = try open(FirstProgram.types)
        let creation = ChangeOperation(note, .create(given: ["title": "a"], defaults: [:]))
        _ = try realm.core.integrate([.sample(1, [creation])])
        for number in 2...9 {
            let value = CellValue.int(Int64(number))
            _ = try realm.core.integrate([.sample(number, [ChangeOperation(note, .set("due", value))])])
        }
        #expect(try kept(realm) == 1)
        realm.invalidate()
    }

    @Test("of an object that goes and comes again leaves nothing of what another program had written")
    func anew() throws {
        let (entries, _) = try elsewhere()
        do { _ = try newer().core.integrate(entries) }
        do {
            let realm = try open(FirstProgram.types)
            let number = entries.count
            _ = try realm.core.integrate([
                .sample(number + 1, [ChangeOperation(author, .delete)]),
                .sample(number + 2, [ChangeOperation(note, .create(given: ["title": "new"], defaults: [:]))]),
            ])
        }
        let realm = try newer()
        let note = try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 1))
        #expect(note.title == "new" && note.tags.isEmpty && note.marks.isEmpty && note.scores.count == 0)
        #expect(note.due == nil && note.place == nil && note.places.isEmpty)
        #expect(realm.objects(SecondProgram.GrowingAuthor.self).isEmpty)
    }

    @Test("comes from devices of both versions that take each other's changes")
    func twoVersions() throws {
        let (entries, initial) = try elsewhere()
        var state = initial
        do {
            let realm = try open(FirstProgram.types)
            let binding = FileBinding(history: .sample(1), file: 2, salt: [1])
            try realm.core.writeSynced { integration throws(Realm.Error) in
                try SyncStateTable(integration.objects).setBinding(binding)
            }
            _ = try realm.core.integrate(entries)
            try realm.write {
                realm.objects(FirstProgram.GrowingNote.self).first?.title = "c"
                realm.create(FirstProgram.GrowingNote.self, value: [3, "mine"] as [Any])
            }
            let store = realm.core.store
            let changes = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded() }
            for change in changes {
                let received = EventInstant(microseconds: 0)
                let entry = try state.accept(change, of: 2, user: 1, received: received, digest: .sample)
                _ = try realm.core.integrate([try #require(entry)])
            }
            #expect(realm.objects(FirstProgram.GrowingNote.self).map(\.title) == ["c", "mine"])
        }
        var mine = try RealmContents(newer()).condensed
        // Nobody said anything about what the older program does not know.
        let created = ObjectAddress("GrowingNote", .int(3))
        #expect(mine.objects[created]?.cells.removeValue(forKey: "priority") == 3)
        #expect(mine.objects[created]?.cells.removeValue(forKey: "made") != nil)
        #expect(mine.differences(from: RealmContents(state).condensed) == [])
    }
}

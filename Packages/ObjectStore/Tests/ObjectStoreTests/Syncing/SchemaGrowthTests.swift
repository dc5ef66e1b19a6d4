import ChangeModel
import ChangeModelTesting
import EventModel
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("The schema of a file that keeps its changes")
struct SchemaGrowthTests {
    private let file: TemporaryRealm

    init() throws {
        file = try TemporaryRealm(FirstProgram.types) { $0.keepsChanges = true }
        let realm = try file.open()
        try realm.write { _ = realm.create(FirstProgram.GrowingNote.self, value: [1, "old"] as [Any]) }
    }

    private func open(_ types: [ObjectBase.Type], _ change: (inout Realm.Configuration) -> Void = { _ in }) throws
        -> Realm
    {
        try file.open {
            $0.objectTypes = types
            change(&$0)
        }
    }

    private func pending(_ realm: Realm) throws -> [Change] {
        let store = realm.core.store
        return try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded() }
    }

    @Test("grows by properties, whose values in objects that are there are nobody's change")
    func properties() throws {
        let realm = try open(SecondProgram.types)
        let note = try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 1))

        #expect(note.title == "old" && note.priority == 3 && note.due == nil && note.tags.isEmpty)
        #expect(note.place == nil && note.anything == .none)
        #expect(note.made == ObjectId(high: 0, low: 0))
        #expect(realm.objects(SecondProgram.GrowingNote.self).where { $0.priority == 3 }.count == 1)
        #expect(try pending(realm).count == 1)
    }

    @Test("grows by all that sync needs of the new properties")
    func kept() throws {
        let realm = try open(SecondProgram.types)
        var kept = KeptChanges()
        try kept.take(from: realm)
        let note = try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 1))
        try realm.write {
            let author = realm.create(SecondProgram.GrowingAuthor.self, value: ["ada", 1815] as [Any])
            author.notes.append(note)
            note.author = author
            note.tags.append(objectsIn: ["a", "b", "c"])
            note.marks.insert(7)
            note.scores["x"] = 1
            note.place = SecondProgram.GrowingPlace(value: ["city": "London"])
            note.places.append(SecondProgram.GrowingPlace(value: ["city": "Paris", "notes": ["far"]] as [String: Any]))
            note.anything = .fromArray([.int(1), .string("x")])
            note.priority = 4
        }
        try realm.write {
            note.tags.move(from: 0, to: 2)
            note.tags[0] = "z"
        }
        try kept.take(from: realm)

        var mine = try RealmContents(realm).condensed
        // Nobody said anything about what an old object has of it.
        mine.objects[ObjectAddress("GrowingNote", .int(1))]?.cells["made"] = nil
        #expect(mine.differences(from: kept.contents) == [])
        let plan = try realm.core.store.connection.prepare(
            """
            EXPLAIN QUERY PLAN SELECT 1 FROM "GrowingNote.tags" WHERE "$element" = 1 AND +"$owner" = 1
            """
        )
        var steps = ""
        while try plan.step() { steps += plan.text(3) }
        #expect(steps.contains("GrowingNote.tags$element"))
    }

    @Test("needs no higher version for that, and takes one")
    func version() throws {
        do { _ = try open(SecondProgram.types) { $0.schemaVersion = 5 } }
        #expect(
            try schemaVersionAtURL(try #require(file.configuration.fileURL), encryptionKey: TemporaryRealm.suiteKey)
                == 5
        )
        let realm = try open(FirstProgram.types)
        #expect(realm.objects(FirstProgram.GrowingNote.self).count == 1)
        #expect(try StoredSchema(realm.core.store.connection).currentFormat() == StoredSchema.syncedFormat)
    }

    @Test("grows while an instance that does not know of it is open, which goes on")
    func openInstance() throws {
        let old = try file.open()
        let (configuration, queue) = (file.configuration, DispatchQueue(label: "newer"))
        try queue.sync {
            var configuration = configuration
            configuration.objectTypes = SecondProgram.types
            let realm = try Realm(configuration: configuration, queue: queue)
            try realm.write { realm.objects(SecondProgram.GrowingNote.self).first?.priority = 9 }
        }
        try old.write { old.objects(FirstProgram.GrowingNote.self).first?.title = "new" }
        #expect(
            try pending(old).last?.operations == [
                ChangeOperation(ObjectAddress("GrowingNote", .int(1)), .set("title", "new"))
            ]
        )
    }

    @Test("keeps what the program does not declare, and ignores it")
    func unknownHere() throws {
        do {
            let realm = try open(SecondProgram.types)
            try realm.write {
                let note = try #require(realm.objects(SecondProgram.GrowingNote.self).first)
                note.tags.append("kept")
                note.author = realm.create(SecondProgram.GrowingAuthor.self, value: ["ada", 1815] as [Any])
            }
        }
        do {
            let realm = try open(FirstProgram.types)
            try realm.write {
                realm.objects(FirstProgram.GrowingNote.self).first?.title = "new"
                realm.create(FirstProgram.GrowingNote.self, value: [2, "second"] as [Any])
            }
        }
        let realm = try open(SecondProgram.types)
        let note = try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 1))
        #expect(note.title == "new" && Array(note.tags) == ["kept"] && note.author?.born == 1815)
        // A program that does not know the property does not know its default.
        #expect(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 2)?.priority == 0)
    }

    @Test(
        "does not change: opening says which class and property differ, and the file stays as it is",
        arguments: [
            (OtherPrograms.Text.GrowingNote.self as ObjectBase.Type, "GrowingNote.title' is int and was string"),
            (OtherPrograms.Optional.GrowingNote.self, "GrowingNote.title' is optional string and was string"),
            (OtherPrograms.Key.GrowingNote.self, "GrowingNote.title' is string, primary key and was string"),
            (OtherPrograms.NewKey.GrowingNote.self, "GrowingNote.name' became the primary key"),
            (OtherPrograms.Embedded.GrowingNote.self, "The class 'GrowingNote' is embedded and was not"),
        ]
    )
    func refused(type: ObjectBase.Type, sentence: String) throws {
        let error = #expect(throws: Realm.Error.self) {
            try open([type]) {
                $0.schemaVersion = 7
                $0.migrationBlock = { _, _ in Issue.record("A migration block ran.") }
            }
        }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("as a new property of another name") == true)
        #expect(
            try schemaVersionAtURL(try #require(file.configuration.fileURL), encryptionKey: TemporaryRealm.suiteKey)
                == 0
        )
        #expect(try file.open().objects(FirstProgram.GrowingNote.self).first?.title == "old")
    }

    @Test("is not migrated by a block, which is not run")
    func block() throws {
        let realm = try open(SecondProgram.types) {
            $0.schemaVersion = 1
            $0.migrationBlock = { _, _ in Issue.record("A migration block ran.") }
        }
        #expect(realm.objects(SecondProgram.GrowingNote.self).count == 1)
    }

    @Test("is no reason to delete the file, with what waits for the server")
    func notDeleted() throws {
        let error = #expect(throws: Realm.Error.self) {
            try open([OtherPrograms.Text.GrowingNote.self]) { $0.deleteRealmIfMigrationNeeded = true }
        }
        #expect(error?.code == .invalidInput)
        #expect(error?.message.contains("deleteRealmIfMigrationNeeded") == true)
        #expect(try file.open().objects(FirstProgram.GrowingNote.self).count == 1)
    }

    @Test("does not grow where the file is opened read-only")
    func readOnly() throws {
        let error = #expect(throws: Realm.Error.self) { try open(SecondProgram.types) { $0.readOnly = true } }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message.contains("GrowingNote.priority") == true)
        #expect(try open(FirstProgram.types) { $0.readOnly = true }.isEmpty == false)
    }

    @Test("says what an object holds that a server said less about")
    func unsaid() throws {
        let store: LiveSyncedStore
        do {
            var configuration = file.configuration
            configuration.objectTypes = SecondProgram.types
            store = try LiveSyncedStore(configuration) { Digest.mixing($0) }
        }
        try store.bind(FileBinding(history: .sample(1), file: 1, salt: [1]))
        let object = ObjectAddress("GrowingNote", .int(5))
        _ = try store.integrate([
            .sample(1, [ChangeOperation(object, .create(given: ["title": "theirs"], defaults: [:]))])
        ])
        let realm = try open(SecondProgram.types)
        let note = try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 5))
        #expect(note.title == "theirs" && note.priority == 3 && note.made == ObjectId(high: 0, low: 0))
    }
}

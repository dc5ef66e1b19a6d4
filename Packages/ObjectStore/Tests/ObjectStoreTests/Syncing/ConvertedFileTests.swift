import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("A copy of a realm that is to keep its changes, or not any more")
struct ConvertedFileTests {
    private let file: TemporaryRealm

    init() throws { file = try TemporaryRealm(SecondProgram.types) }

    private func configuration(_ name: String, keepsChanges: Bool) -> Realm.Configuration {
        var configuration = file.configuration
        configuration.fileURL = file.folder.appendingPathComponent(name)
        configuration.keepsChanges = keepsChanges
        return configuration
    }

    private func fill(_ realm: Realm) throws {
        try realm.write {
            let author = realm.create(SecondProgram.GrowingAuthor.self, value: ["ada", 1815] as [Any])
            for index in 1...3 {
                let note = realm.create(
                    SecondProgram.GrowingNote.self,
                    value: ["id": index, "title": "n\(index)", "tags": ["a", "b"], "marks": [1]] as [String: Any]
                )
                note.place = SecondProgram.GrowingPlace(value: ["city": "London", "notes": ["x"]] as [String: Any])
                note.places.append(SecondProgram.GrowingPlace(value: ["city": "Paris"]))
                note.scores["x"] = index
                note.author = author
                author.notes.append(note)
                note.anything = .fromDictionary(["list": .fromArray([.int(1), .object(author)])])
            }
        }
    }

    @Test("has all that was there waiting for a server as created objects, and keeps what comes")
    func converted() throws {
        let target = configuration("kept.realm", keepsChanges: true)
        do {
            let realm = try file.open()
            try fill(realm)
            try realm.writeCopy(configuration: target)
        }
        let realm = try Realm(configuration: target)
        var kept = KeptChanges()
        try kept.take(from: realm)
        #expect(try RealmContents(realm).condensed.differences(from: kept.contents) == [])
        #expect(realm.objects(SecondProgram.GrowingNote.self).map(\.title) == ["n1", "n2", "n3"])
        #expect(kept.changes.count == 1)

        try realm.write {
            let note = try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 1))
            note.tags.insert("new", at: 1)
            note.places[0].city = "Rome"
            note.anything.listInside?.append(.string("more"))
            realm.delete(try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 2)))
        }

        try kept.take(from: realm)
        #expect(kept.changes.count == 2)
        #expect(try RealmContents(realm).condensed.differences(from: kept.contents) == [])
    }

    @Test("and what comes are of the time that the configuration's clock says")
    func clock() throws {
        var target = configuration("kept.realm", keepsChanges: true)
        let clock = ManualClock(start: EventInstant(microseconds: 2_000_000_000_000_000))
        target.changeClock = clock
        do {
            let realm = try file.open()
            try fill(realm)
            try realm.writeCopy(configuration: target)
        }
        clock.advance(microseconds: 5000)
        let realm = try Realm(configuration: target)
        try realm.write { realm.delete(realm.objects(SecondProgram.GrowingNote.self)) }

        var kept = KeptChanges()
        try kept.take(from: realm)
        #expect(kept.changes.map(\.clock.milliseconds) == [2_000_000_000_000, 2_000_000_000_005])
    }

    @Test("is what the refusal of a file names that does not keep its changes")
    func refusal() throws {
        try fill(file.open())
        let error = #expect(throws: Realm.Error.self) { try file.open { $0.keepsChanges = true } }
        #expect(error?.code == .incompatibleHistories)
        #expect(error?.message.contains("writeCopy(configuration:)") == true)
    }

    @Test("has the objects of classes that the program does not declare, too")
    func undeclared() throws {
        do { try fill(file.open()) }
        do {
            let realm = try file.open { $0.objectTypes = [SyncedPerson.self] }
            try realm.writeCopy(configuration: configuration("kept.realm", keepsChanges: true))
        }
        let realm = try Realm(configuration: configuration("kept.realm", keepsChanges: true))
        var kept = KeptChanges()
        try kept.take(from: realm)
        #expect(try RealmContents(realm).condensed.differences(from: kept.contents) == [])
        #expect(kept.contents.objects.count == 4)
    }

    @Test("of an open write has what is not committed yet")
    func inWrite() throws {
        let target = configuration("kept.realm", keepsChanges: true)
        do {
            let realm = try file.open()
            realm.beginWrite()
            realm.create(SecondProgram.GrowingNote.self, value: ["id": 1, "title": "open"] as [String: Any])
            try realm.writeCopy(configuration: target)
            realm.cancelWrite()
        }
        let realm = try Realm(configuration: target)
        #expect(realm.objects(SecondProgram.GrowingNote.self).map(\.title) == ["open"])
    }

    @Test("is refused where a class has no primary key, and there is no copy then")
    func nameless() throws {
        let plain = try TemporaryRealm([NamelessChart.self])
        let realm = try plain.open()
        let error = #expect(throws: Realm.Error.self) {
            try realm.writeCopy(configuration: configuration("kept.realm", keepsChanges: true))
        }
        #expect(error?.code == .invalidInput)
        #expect(error?.message.contains("NamelessChart") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder.path) == [])
    }

    @Test("forgets sync with all that waits, and has what the realm shows")
    func plain() throws {
        let (synced, plain) = (
            configuration("kept.realm", keepsChanges: true), configuration("plain.realm", keepsChanges: false)
        )
        do {
            let realm = try Realm(configuration: synced)
            try fill(realm)
            try realm.writeCopy(configuration: plain)
        }
        let realm = try Realm(configuration: plain)
        let note = try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 1))
        #expect(Array(note.tags) == ["a", "b"] && note.place?.notes.first == "x" && note.author?.notes.count == 3)
        #expect(try StoredSchema(realm.core.store.connection).currentFormat() == StoredSchema.format)
        let tables = try realm.core.store.connection.prepare("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
        while try tables.step() {
            #expect(!tables.text(0).contains("$sync") && !tables.text(0).contains("\"$element\""))
        }
        try realm.write {
            note.tags.append("c")
            note.anything.listInside?.append(.string("more"))
            realm.delete(try #require(realm.object(ofType: SecondProgram.GrowingNote.self, forPrimaryKey: 2)))
        }
        #expect(Array(note.tags) == ["a", "b", "c"] && note.author?.notes.count == 2)
        // A copy there and back is the same again.
        try realm.writeCopy(configuration: configuration("again.realm", keepsChanges: true))
    }

    @Test("of a realm that keeps its changes is not written inside of a write")
    func sameInWrite() throws {
        let realm = try Realm(configuration: configuration("kept.realm", keepsChanges: true))
        realm.beginWrite()
        defer { realm.cancelWrite() }
        let copy = file.folder.appendingPathComponent("copy.realm")
        #expect(throws: Realm.Error(.invalidInput, "")) { try realm.writeCopy(toFile: copy) }
    }
}

extension AnyRealmValue {
    /// The list under the key `list` of a dictionary.
    fileprivate var listInside: List<AnyRealmValue>? { dictionaryValue?["list"]?.listValue }
}

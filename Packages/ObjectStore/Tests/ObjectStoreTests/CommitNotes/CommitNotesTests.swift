import EventModel
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Notes that an observer keeps with transactions")
struct CommitNotesTests {
    private let villa: ObservedVilla

    private var spy: ObserverSpy { villa.spy }
    private var realm: Realm { villa.realm }

    init() throws {
        villa = try ObservedVilla(people: [1], [:])
        villa.spy.gate.open()
    }

    private var notes: any CommitNotes {
        get throws { try #require(spy.storedNotes) }
    }

    /// Changes a person, with a note.
    @discardableResult
    private func change(_ bytes: [UInt8], in realm: Realm? = nil) throws -> CommittedNote {
        let realm = realm ?? self.realm
        spy.keep([SampleNote(bytes)])
        try realm.write { realm in realm.object(ofType: Person.self, forPrimaryKey: 1)?.employeeId += 1 }
        return try #require(spy.committedNotes.last)
    }

    private func tables() throws -> [String] {
        let select = try realm.core.store.connection.prepare("SELECT name FROM sqlite_master")
        var names: [String] = []
        while try select.step() { names.append(select.text(0)) }
        return names
    }

    private func contents() throws -> [[UInt8]] { try notes.kept().map(\.bytes) }

    /// A file as the kit plays with it.
    private static func subject(_ villa: ObservedVilla) throws -> CommitNotesConformance.Subject {
        villa.spy.gate.open()
        let (realm, spy, file) = (villa.realm, villa.spy, villa.file)
        func write(_ note: (any CommitNote)?, _ end: () throws -> Void = {}) throws -> CommittedNote? {
            let count = spy.committedNotes.count
            if let note { spy.keep([note]) }
            try realm.write { realm in
                realm.object(ofType: Person.self, forPrimaryKey: 1)?.employeeId += 1
                try end()
            }
            return spy.committedNotes.count > count ? spy.committedNotes.last : nil
        }
        return .init(
            notes: try #require(spy.storedNotes),
            commit: { try write($0) },
            rollBack: { note in
                try realm.write { realm in
                    realm.object(ofType: Person.self, forPrimaryKey: 1)?.employeeId += 1
                    // As if the commit failed behind the last statement of the transaction.
                    _ = try realm.core.store.notes.insert(note, above: 0)
                    realm.cancelWrite()
                }
            },
            reopened: { try subject(ObservedVilla(asLeftBy: file)) }
        )
    }

    @Test("the notes of a file keep the rules of notes")
    func conformance() {
        let kit = CommitNotesConformance { try Self.subject(ObservedVilla(people: [1], [:])) }

        #expect(kit.brokenRules() == [])
    }

    @Test("a note is told with its commit, once, also when nobody listens any more by then")
    func told() throws {
        spy.keep([SampleNote([1])])
        try realm.write { realm in realm.object(ofType: Person.self, forPrimaryKey: 1)?.employeeId += 1 }
        #expect(spy.commits.count == 1)

        let closing = ClosingNote(spy.gate)
        spy.keep([closing])
        try realm.write { realm in realm.object(ofType: Person.self, forPrimaryKey: 1)?.employeeId += 1 }

        #expect(!spy.gate.isOpen)
        #expect(spy.commits.count == 2)
        #expect(spy.committedNotes.last?.note === closing)
        spy.gate.open()
    }

    @Test("a small note costs one page of the log, and its removal none")
    func pages() throws {
        let log = "\(villa.file.folder.path)/test.realm-wal"
        func size() throws -> Int { try #require(FileManager.default.attributesOfItem(atPath: log)[.size] as? Int) }
        func pages(_ body: () throws -> Void) throws -> Int {
            let before = try size()
            try body()
            return try (size() - before) / (4096 + 24)
        }
        func plainChange() throws {
            try realm.write { realm in realm.object(ofType: Person.self, forPrimaryKey: 1)?.employeeId += 1 }
        }
        let first = try change([1])

        let plain = try pages(plainChange)
        let noted = try pages { try change([UInt8](repeating: 2, count: 800)) }
        try notes.release(first.note.stream, through: try #require(first.key))
        let releasing = try pages { try change([3]) }

        #expect(noted == plain + 1)
        #expect(releasing == plain + 1)
    }

    @Test("a realm that nobody observes, or whose observer keeps nothing, has no table for notes")
    func noTable() throws {
        try realm.write { realm in realm.object(ofType: Person.self, forPrimaryKey: 1)?.employeeId += 1 }

        #expect(try tables().contains("$changes"))
        #expect(try !tables().contains("$notes"))
        try change([1])
        #expect(try tables().contains("$notes"))
    }

    @Test("deleting all objects leaves the notes, and a realm with notes only is empty")
    func deleteAll() throws {
        try change([1])

        try realm.write { $0.deleteAll() }

        #expect(realm.isEmpty)
        #expect(try contents() == [[1]])
    }

    @Test("a copy has no notes, and the original keeps its own")
    func copies() throws {
        try change([1])
        let copy = villa.file.folder.appendingPathComponent("copy.realm")

        try realm.writeCopy(toFile: copy, encryptionKey: TemporaryRealm.suiteKey)

        let other = ObserverSpy()
        var configuration = villa.file.configuration
        configuration.fileURL = copy
        configuration.attachment = other
        let opened = try Realm(configuration: configuration)
        #expect(try other.storedNotes?.kept() == [])
        withExtendedLifetime(opened) {}
        #expect(try contents() == [[1]])
    }

    @Test("compacting, migrating and starting afresh keep the notes")
    func openings() throws {
        try change([1])
        let changes: [(inout Realm.Configuration) -> Void] = [
            { $0.shouldCompactOnLaunch = { _, _ in true } },
            {
                $0.schemaVersion = 1
                $0.migrationBlock = { migration, _ in
                    migration.enumerateObjects(ofType: "Person") { _, new in new?["employeeId"] = 7 }
                }
            },
            {
                $0.objectTypes = [StrangePerson.self]
                $0.deleteRealmIfMigrationNeeded = true
            },
        ]
        for change in changes {
            let opened = try ObservedVilla(asLeftBy: villa.file, change)

            #expect(try opened.spy.storedNotes?.kept().map(\.bytes) == [[1]])
        }
    }

    @Test("what a note does to the file is in no change that others are told of")
    func changeLog() throws {
        try change([1])
        let core = realm.core
        let before = core.store.version
        try notes.release(SampleNote([]).stream, through: 100)

        try change([2])

        #expect(core.store.version == before + 1)
        let changes = try core.store.changes(since: before)
        let classes = core.store.tables.map(\.schema.name).filter { changes[$0] != nil }
        #expect(classes == ["Person"])
    }

    @Test("any instance of the process removes what was released, and the keys of all go on from each other")
    func severalInstances() async throws {
        let first = try change([1])
        try notes.release(first.note.stream, through: try #require(first.key))

        let spy = spy
        try await villa.file.inSecondInstance { realm in
            spy.keep([SampleNote([2])])
            try realm.write { realm in realm.object(ofType: Person.self, forPrimaryKey: 1)?.employeeId += 1 }
        }

        #expect(try contents() == [[2]])
        #expect(try #require(spy.committedNotes.last?.key) > (try #require(first.key)))
    }

    @Test("a realm in memory keeps no notes for its observer")
    func inMemory() throws {
        let other = ObserverSpy()
        var configuration = Realm.Configuration(inMemoryIdentifier: "notes", objectTypes: Sample.types)
        configuration.attachment = other
        let realm = try Realm(configuration: configuration)

        #expect(other.realms.map(\.isInMemory) == [true])
        #expect(other.storedNotes == nil)
        withExtendedLifetime(realm) {}
    }
}

/// A note at which the observer stops to listen.
private final class ClosingNote: CommitNote {
    let stream = ObjectId(high: 1, low: 1)
    private let gate: ObservationGate

    init(_ gate: ObservationGate) { self.gate = gate }

    var bytes: [UInt8] {
        gate.close()
        return [1]
    }
}

/// Another class of the same name, which needs a migration.
final class StrangePerson: Object {
    @Persisted(primaryKey: true) var _id: String

    override class func _realmObjectName() -> String? { "Person" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

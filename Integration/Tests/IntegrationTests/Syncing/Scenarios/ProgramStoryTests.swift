import Daybook
import Foundation
import Testing

@MainActor
@Suite("Scenarios on real files: devices whose programs differ", .withServer, .serialized, .timeLimit(.minutes(10)))
struct ProgramStoryTests {
    /// Nothing that both have at the beginning.
    private let nothing: Story.Work = { _ in }

    @Test("S7: of two defaults the later one is kept, and what was given wins over both")
    func defaults() async throws {
        let programs: Story.Programs = [[OlderNote.self], [NewerNote.self], [NewerNote.self]]
        try await Story.tell("S7", is: "newer given", of: programs, from: nothing) {
            try await $0.a { $0.create(OlderNote.self, value: ["_id": 9, "text": "given"] as [String: Any]) }
            try await $0.b { $0.create(NewerNote.self, value: ["_id": 9]) }
        } end: { realm in
            let note = try #require(realm.dynamicObject(ofType: "StoryNote", forPrimaryKey: 9))
            return "\(note["kind"] as? String ?? "") \(note["text"] as? String ?? "")"
        }
        try await Story.tell("S7, the older program later", is: "older", of: programs, from: nothing) {
            try await $0.b { $0.create(NewerNote.self, value: ["_id": 9]) }
            try await $0.a { $0.create(OlderNote.self, value: ["_id": 9]) }
        } end: { realm in
            let note = try #require(realm.dynamicObject(ofType: "StoryNote", forPrimaryKey: 9))
            return note["kind"] as? String ?? ""
        }
    }

    /// Opens a realm without a server, and adds an object of a class that the server does not know yet.
    private func add(_ object: Object, on device: SyncDevice) async throws -> Realm {
        var configuration = device.configuration
        configuration.objectTypes = [type(of: object)]
        let realm = try await Realm(configuration: configuration)
        try realm.write { realm.add(object) }
        return realm
    }

    /// What a device is told whose program has a class that the server lacks, and that has an object of it already.
    private func refusal(of device: SyncDevice, on ward: WardUnderTest) async throws -> SyncError? {
        let (errors, told) = AsyncStream.makeStream(of: SyncError.self)
        device.user.syncManager.errorHandler = { error, _ in
            guard let error = error as? SyncError, error.code != .connectionFailed else { return }
            told.yield(error)
        }
        ward.killServer()
        let realm = try await add(NewerNote(2), on: device)
        realm.syncSession?.suspend()
        try ward.restartServer()
        realm.syncSession?.resume()
        var refusals = errors.makeAsyncIterator()
        let error = await refusals.next(isolation: #isolation)
        await realm.syncSession?.closed()
        return error
    }

    @Test("S24: two devices that add the same new class do not contradict each other")
    func sameClass() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let (one, other) = (try await SyncDevice("a", on: ward), try await SyncDevice("b", on: ward))
        ward.killServer()
        let a = try await add(NewerNote(1), on: one)
        let b = try await add(NewerNote(2), on: other)
        try ward.restartServer()
        for realm in [a, b] { realm.syncSession?.reconnect() }
        for realm in [a, b] { try await realm.syncSession?.wait(for: .upload) }
        for realm in [a, b] {
            try await realm.syncSession?.wait(for: .download)
            realm.refresh()
            #expect(realm.objects(NewerNote.self).sorted(by: \._id).map(\._id) == [1, 2])
        }
    }

    @Test(
        "in production an administrator brings the classes of the developers' server, and a device sends what it kept"
    )
    func production() async throws {
        let test = try WardUnderTest()
        defer { test.end() }
        let developer = try await SyncDevice("developer", on: test)
        try await add(NewerNote(1), on: developer).syncSession?.wait(for: .upload)
        let file = test.folder.appending(path: "classes.json")
        try Data(try test.classes(["--app", "kit", "--json"], as: "auditor").joined(separator: "\n").utf8)
            .write(to: file)

        let ward = try WardUnderTest(
            #"{ developmentMode: false, apps: { kit: { anonymousUsers: true, realms: { userWrite: ["*"] } } } }"#
        )
        defer { ward.end() }
        let nurse = try await SyncDevice("nurse", on: ward)
        let error = try await refusal(of: nurse, on: ward)
        #expect(
            error?.localizedDescription.contains("An administrator adds what is missing") == true,
            "\(String(describing: error))"
        )

        let add = ["add", file.path, "--app", "kit"]
        #expect(
            try ward.classes(add + ["--check"], as: "administrator")
                == ["class     StoryNote", "1 class and 0 properties would be added"]
        )
        #expect(
            try ward.classes(add, as: "administrator")
                == ["class     StoryNote", "1 class and 0 properties added"]
        )
        #expect(try ward.classes(add, as: "administrator") == ["0 classes and 0 properties added"])
        var configuration = nurse.configuration
        configuration.objectTypes = [NewerNote.self]
        try await Realm(configuration: configuration).syncSession?.wait(for: .upload)

        configuration = try await SyncDevice("doctor", on: ward).configuration
        configuration.objectTypes = [NewerNote.self]
        let new = try await Realm(configuration: configuration, downloadBeforeOpen: .always)
        #expect(new.objects(NewerNote.self).map(\._id) == [2])
    }

    @Test(
        "S24: the second of two devices that add a class with another type of a property is refused, and nothing of it is applied"
    )
    func otherType() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let (one, other) = (try await SyncDevice("a", on: ward), try await SyncDevice("b", on: ward))
        let (errors, told) = AsyncStream.makeStream(of: SyncError.self)
        other.user.syncManager.errorHandler = { error, _ in
            guard let error = error as? SyncError, error.code != .connectionFailed else { return }
            told.yield(error)
        }
        ward.killServer()
        let a = try await add(NewerNote(1), on: one)
        let b = try await add(CountedNote(2), on: other)
        try b.write { b.add(CountedNote(3)) }
        // The other one is the first that the server hears.
        b.syncSession?.suspend()
        try ward.restartServer()
        a.syncSession?.reconnect()
        try await a.syncSession?.wait(for: .upload)
        b.syncSession?.resume()

        var refusals = errors.makeAsyncIterator()
        let error = await refusals.next(isolation: #isolation)
        #expect(error?.code == .clientSessionError)
        #expect(error?.localizedDescription.contains("StoryNote.kind") == true, "\(String(describing: error))")
        // What was not taken waits where it is.
        #expect(b.objects(CountedNote.self).sorted(by: \._id).map(\._id) == [2, 3])
        let third = try await SyncDevice("c", on: ward)
        var configuration = third.configuration
        configuration.objectTypes = [NewerNote.self]
        let new = try await Realm(configuration: configuration, downloadBeforeOpen: .always)
        #expect(new.objects(NewerNote.self).map(\._id) == [1])
    }
}

/// A class as a first version of a program has it.
final class OlderNote: Object {
    @Persisted(primaryKey: true) var _id = 0
    @Persisted var kind = "older"
    @Persisted var text = "none"

    override class func _realmObjectName() -> String? { "StoryNote" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The same class in a later version, with another default.
final class NewerNote: Object {
    @Persisted(primaryKey: true) var _id = 0
    @Persisted var kind = "newer"
    @Persisted var text = "none"

    override class func _realmObjectName() -> String? { "StoryNote" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    convenience init(_ id: Int) {
        self.init()
        _id = id
    }
}

/// The class with another type of a property, as two people write it who do not know of each other.
final class CountedNote: Object {
    @Persisted(primaryKey: true) var _id = 0
    @Persisted var kind = 1

    override class func _realmObjectName() -> String? { "StoryNote" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    convenience init(_ id: Int) {
        self.init()
        _id = id
    }
}

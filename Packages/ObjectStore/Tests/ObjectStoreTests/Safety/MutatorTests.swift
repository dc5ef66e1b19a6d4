#if os(Linux) || os(macOS)
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Row 1, row 3: every way to change a realm")
struct MutatorTests {
    /// A realm with the objects, and the folder of its file.
    private static func filled() throws -> TemporaryRealm {
        let file = try TemporaryRealm(MutatorFixture.types)
        try MutatorFixture.fill(file.open())
        return file
    }

    private static func configuration(_ folder: String, readOnly: Bool = false) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: URL(fileURLWithPath: "\(folder)/test.realm"),
            encryptionKey: TemporaryRealm.suiteKey,
            readOnly: readOnly,
            objectTypes: MutatorFixture.types
        )
    }

    /// What a change on a thread of its own would end the process with.
    private static func sentence(of mutator: Mutator, _ configuration: Realm.Configuration) -> String? {
        Misuses.sentence {
            guard let realm = try? Realm(configuration: configuration), let fixture = MutatorFixture(realm) else {
                return
            }
            mutator.change(fixture)
        }
    }

    @Test("the table has every way")
    func complete() {
        #expect(Mutator.all.count > 65)
        #expect(Set(Mutator.all.map { "\($0.action) \($0.name)" }).count == Mutator.all.count)
    }

    @Test("outside of a write each traps, naming what was attempted and the remedy")
    func outside() async throws {
        let file = try Self.filled()
        let folder = file.folder.path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            for mutator in Mutator.all {
                let sentence = Self.sentence(of: mutator, Self.configuration(folder))
                let expected = "to \(mutator.action) was made outside of a write transaction; call 'realm.write"
                #expect(sentence?.contains(expected) == true, "\(mutator.name): \(sentence ?? "no trap")")
            }
        }
    }

    @Test("in a realm that is open read-only each traps, naming what was attempted")
    func readOnly() async throws {
        let file = try Self.filled()
        let folder = file.folder.path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            for mutator in Mutator.all {
                let sentence = Self.sentence(of: mutator, Self.configuration(folder, readOnly: true))
                #expect(sentence?.contains(mutator.action) == true, "\(mutator.name): \(sentence ?? "no trap")")
                #expect(sentence?.contains("opened read-only") == true, "\(mutator.name): \(sentence ?? "no trap")")
            }
        }
    }

    @Test("of what is frozen each traps, naming what was attempted and the remedy")
    func frozen() async throws {
        let file = try Self.filled()
        let folder = file.folder.path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let realm = try Realm(configuration: Self.configuration(folder))
            // SAFETY: nothing guards it: what is frozen may be used on any thread.
            nonisolated(unsafe) let fixture = try #require(MutatorFixture(realm.freeze()))
            for isWriting in [false, true] {
                if isWriting { realm.beginWrite() }
                for mutator in Mutator.all {
                    let sentence = Misuses.sentence { mutator.change(fixture) }
                    let expected = "to \(mutator.action) failed: it is frozen; call 'thaw()'"
                    #expect(sentence?.contains(expected) == true, "\(mutator.name): \(sentence ?? "no trap")")
                }
            }
            #expect(realm.core.transaction.open?.hasChanges == false)
        }
    }

    @Test("on another thread each traps, also while a write is open on the right one")
    func wrongThread() async throws {
        let file = try Self.filled()
        let folder = file.folder.path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let realm = try Realm(configuration: Self.configuration(folder))
            // SAFETY: nothing guards it: using the objects on another thread is the mistake that must trap.
            nonisolated(unsafe) let fixture = try #require(MutatorFixture(realm))
            for isWriting in [false, true] {
                if isWriting { realm.beginWrite() }
                for mutator in Mutator.all {
                    let sentence = Misuses.sentence { mutator.change(fixture) }
                    #expect(sentence?.contains("another thread") == true, "\(mutator.name): \(sentence ?? "no trap")")
                }
            }
            #expect(realm.core.transaction.open?.hasChanges == false)
        }
    }

    @Test("inside of a write each changes something and is no error", arguments: Mutator.all.indices)
    func inside(index: Int) throws {
        let mutator = Mutator.all[index]
        let file = try Self.filled()
        let realm = try file.open()
        let fixture = try #require(MutatorFixture(realm))
        let before = try FileDump(realm).lines()

        try realm.write { mutator.change(fixture) }

        #expect(try FileDump(realm).lines() != before, "\(mutator.name)")
    }

    @Test("after an error each is skipped: nothing at all is written, and the error is the first one")
    func doomed() throws {
        let file = try Self.filled()
        let realm = try file.open()
        let fixture = try #require(MutatorFixture(realm))
        let before = try FileDump(realm).lines()
        let changes = try realm.core.store.connection.prepare("SELECT total_changes()")
        for mutator in Mutator.all {
            let error = #expect(throws: Realm.Error.self) {
                try realm.write {
                    realm.add(Person.numbered(1))
                    let written = try number(changes)
                    mutator.change(fixture)
                    #expect(try number(changes) == written, "\(mutator.name)")
                }
            }
            #expect(error?.code == .objectAlreadyExists, "\(mutator.name)")
        }
        #expect(try FileDump(realm).lines() == before)
    }

    private func number(_ statement: Statement) throws -> Int64 {
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : 0
    }

    @Test("on a deleted object a property dooms the write, and a collection says that its object is gone")
    func deleted() async throws {
        let file = try Self.filled()
        let realm = try file.open()
        let fixture = try #require(MutatorFixture(realm))
        let before = try FileDump(realm).lines()
        for mutator in Mutator.values where mutator.action.hasPrefix("set '") {
            let error = #expect(throws: Realm.Error.self) {
                try realm.write {
                    Self.deleteAll(of: fixture)
                    mutator.change(fixture)
                }
            }
            #expect(error?.code == .invalidInput, "\(mutator.name)")
            #expect(error?.message.contains("after it was deleted") == true, "\(mutator.name): \(error?.message ?? "")")
        }
        #expect(try FileDump(realm).lines() == before)

        await #expect(processExitsWith: .success) {
            for mutator in Mutator.lists + Mutator.sets + Mutator.maps {
                let sentence = Misuses.sentence {
                    // A realm of its own: the trap leaves its write open.
                    let configuration = Realm.Configuration(
                        inMemoryIdentifier: mutator.name + mutator.action,
                        objectTypes: MutatorFixture.types
                    )
                    guard let realm = try? Realm(configuration: configuration),
                        (try? MutatorFixture.fill(realm)) != nil, let fixture = MutatorFixture(realm)
                    else { return }
                    realm.beginWrite()
                    Self.deleteAll(of: fixture)
                    mutator.change(fixture)
                    if let error = realm.transactionError { misuse(error.message) }
                }
                #expect(sentence?.contains("deleted") == true, "\(mutator.name): \(sentence ?? "nothing")")
            }
        }
    }

    private static func deleteAll(of fixture: MutatorFixture) {
        let realm = fixture.realm
        realm.delete(fixture.person)
        realm.delete(fixture.home)
        realm.delete(fixture.cattery)
        realm.delete(fixture.everything)
    }
}
#endif

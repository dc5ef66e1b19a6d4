import Dispatch
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("How much of the file a transaction writes")
struct CommitSizeTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
        try realm.write { realm in
            for name in ["Ada", "Bob", "Cleo"] { realm.create(Dog.self, value: ["name": name]) }
        }
    }

    private var logSize: Int {
        get throws {
            let log = try FileManager.default.attributesOfItem(atPath: "\(file.folder.path)/test.realm-wal")
            return try #require(log[.size] as? Int)
        }
    }

    /// How many pages a transaction adds to SQLite's log: 4,096 bytes each, with a head of 24.
    private func pages(_ change: (Realm) -> Void) throws -> Int {
        let before = try logSize
        try realm.write { change($0) }
        return (try logSize - before) / (4096 + 24)
    }

    @Test("a change of one property writes the page of the row and that of the change log")
    func change() throws {
        let ada = try #require(realm.objects(Dog.self).first)

        #expect(try pages { _ in ada.age = 36 } == 2)
    }

    @Test("a transaction without a change writes nothing")
    func nothing() throws {
        #expect(try pages { _ in } == 0)
    }

    @Test("a new object needs no page for the key that the next one gets, a deletion does")
    func insertionAndDeletion() throws {
        let insertion = try pages { realm in realm.create(Dog.self, value: ["name": "Dora"]) }
        let deletion = try pages { realm in realm.delete(realm.objects(Dog.self).where { $0.name == "Dora" }) }

        #expect(deletion == insertion + 1)
    }

    @Test("the key of a deleted object is never given again, whichever instance deletes and adds")
    func keysOfDeletedObjects() throws {
        let reference = try #require(realm.objects(Dog.self).where { $0.name == "Cleo" }.first)
        let key = try #require(reference._core?.key)

        try onQueue { realm in
            try realm.write { realm.delete(realm.objects(Dog.self).where { $0.name == "Cleo" }) }
        }
        let next = try onQueue { realm in
            try realm.write { realm.create(Dog.self, value: ["name": "Emil"])._core?.key }
        }
        realm.refresh()

        #expect(next == key + 1)
        #expect(reference.isInvalidated)
        #expect(realm.objects(Dog.self).map(\.name) == ["Ada", "Bob", "Emil"])
    }

    /// Runs work with an instance of a queue of its own.
    private func onQueue<Result>(_ body: (Realm) throws -> Result) throws -> Result {
        let queue = DispatchQueue(label: "tests.commits")
        return try queue.sync { try body(Realm(configuration: file.configuration, queue: queue)) }
    }

    @Test("a class of which all objects were deleted goes on with its keys", arguments: [false, true])
    func keysAfterDeletingAll(atOnce: Bool) throws {
        try realm.write { realm in
            if atOnce { realm.deleteAll() } else { realm.delete(realm.objects(Dog.self)) }
        }
        let key = try realm.write { realm.create(Dog.self, value: ["name": "Emil"])._core?.key }

        #expect(key == 4)
    }
}

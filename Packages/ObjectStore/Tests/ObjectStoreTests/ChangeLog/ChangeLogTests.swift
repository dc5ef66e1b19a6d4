import Dispatch
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Synchronization
import Testing

@testable import ObjectStore

@Suite("The change log in the file")
struct ChangeLogTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
        try realm.write { realm in realm.add((1...5).map(Person.numbered)) }
    }

    private func changes(since version: UInt64) throws -> LoggedChanges {
        realm.core.beginReading()
        return try realm.core.store.changes(since: version)
    }

    @Test("a transaction is logged by class: ranges of new rows, touched properties, whether any was deleted")
    func contents() throws {
        let before = realm.core.store.version
        let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 2))
        try realm.write { realm in
            person.name = "x"
            person.active = true
            realm.add(Dog(value: ["name": "Rex"]))
            realm.add(Dog(value: ["name": "Max"]))
            realm.delete(try #require(realm.object(ofType: Person.self, forPrimaryKey: 5)))
        }

        let changes = try changes(since: before)

        #expect(!changes.isUnknown)
        let people = try #require(changes["Person"])
        #expect(people.modified.runs.count == 1)
        #expect(people.slots(of: 2) == SlotSet(bits: 0b100010))
        #expect(people.slots(of: 1).isEmpty)
        #expect(people.hasDeletions)
        let dogs = try #require(changes["Dog"])
        #expect(dogs.inserted.runs == [1...2])
        #expect(!dogs.hasDeletions)
        #expect(changes["Home"] == nil)
    }

    @Test("several transactions are read together, an empty one writes nothing")
    func several() throws {
        let before = realm.core.store.version
        let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
        try realm.write { person.name = "x" }
        try realm.write {}
        try realm.write { person.score = 1 }

        #expect(realm.core.store.version == before + 2)
        #expect(try changes(since: before)["Person"]?.slots(of: 1) == SlotSet(bits: 0b1010))
        #expect(try changes(since: before + 1)["Person"]?.slots(of: 1) == SlotSet(bits: 0b1000))
    }

    @Test("the log stays short, and whoever comes from behind its end learns that anything may have changed")
    func overrun() throws {
        // In memory, because so many commits wait for the disk for seconds.
        let realm = try file.open { $0.inMemoryIdentifier = file.folder.path }
        func changes(since version: UInt64) throws -> LoggedChanges {
            realm.core.beginReading()
            return try realm.core.store.changes(since: version)
        }
        let before = realm.core.store.version
        let counter = try realm.write { realm.create(Counter.self, value: ["name": "a"]) }
        for _ in 0..<700 { try realm.write { counter.value += 1 } }

        let count = try realm.core.store.connection.prepare("SELECT count(*) FROM \(ChangeLog.table)")
        #expect(try count.step())
        #expect(count.int(0) <= 320)
        count.reset()
        #expect(try changes(since: before).isUnknown)
        #expect(try !changes(since: realm.core.store.version - 256).isUnknown)
    }

    @Test("a transaction with too much to list says that any row of the class may have changed")
    func long() throws {
        try realm.write { realm in realm.add((6...6000).map(Person.numbered)) }
        let before = realm.core.store.version
        try realm.write { realm in
            for person in realm.objects(Person.self) where person._id.isMultiple(of: 2) { person.score = 1 }
            realm.add(Dog())
        }

        let changes = try changes(since: before)

        #expect(changes["Person"]?.isOverrun == true)
        #expect(changes["Dog"]?.isOverrun == false)
    }

    @Test("a file without the table gets it, and its older versions are unknown")
    func older() throws {
        try realm.core.store.connection.execute("DROP TABLE \(ChangeLog.table)")
        let path = try #require(file.configuration.fileURL).path
        let connection = try Connection(fileURL: URL(fileURLWithPath: path), isReadOnly: false, isDurable: true)
        let schema = try RealmSchema(Sample.types)
        try StoredSchema(connection).complete(schema)
        let store = try StoreConnection(connection, schema, isReadOnly: false)
        try store.beginReading()

        #expect(store.changeLog != nil)
        #expect(try store.changes(since: store.version - 1).isUnknown)
    }

    @Test("payloads survive a round trip", arguments: 0..<30)
    func payload(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var changes = LoggedChanges()
        for name in ["A", "Äpfel", "C"] {
            var logged = LoggedClass(
                inserted: KeyRuns(
                    Bool.random(using: &random) ? [7...(7 + Int64.random(in: 0...1 << 40, using: &random))] : []
                ),
                hasDeletions: .random(using: &random),
                isOverrun: .random(using: &random)
            )
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                logged.modified.insert(
                    .random(in: 0...1 << 33, using: &random),
                    SlotSet(.random(in: 0...70, using: &random))
                )
            }
            logged.modified.normalize()
            changes.classes[name] = logged
        }
        let bytes = ChangePayload.bytes(changes.classes.map { ($0.key, UInt32($0.key.utf8.count), $0.value) })

        let read = bytes.withUnsafeBytes { ChangePayload.changes($0) { UInt32($0.utf8.count) } }

        #expect(read == changes)
        for count in 0..<bytes.count {
            // A payload that was cut off is refused or says less, but never traps.
            _ = bytes.prefix(count).withUnsafeBytes { ChangePayload.changes($0) { _ in 0 } }
        }
    }

    @Test("random bytes are no payload, and do no harm", arguments: 0..<50)
    func damage(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var bytes = (0..<40).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        bytes[0] = 1
        _ = bytes.withUnsafeBytes { ChangePayload.changes($0) { _ in 0 } }
    }

    @Test("a program that declares the properties in another order takes all of them as touched")
    func signature() throws {
        var logged = LoggedClass()
        logged.modified.insert(3, SlotSet(1))
        let bytes = ChangePayload.bytes([("A", 1, logged)])

        let read = bytes.withUnsafeBytes { ChangePayload.changes($0) { _ in 2 } }

        #expect(read?["A"]?.slots(of: 3) == .all)
    }
}

@Suite("Moving to another version")
struct VersionMoveTests {
    @Test("rows of classes that did not change stay, those of the others are read again")
    func selective() throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        try realm.write { realm in
            realm.add(Person.numbered(1))
            realm.add(Dog(value: ["name": "Rex"]))
        }
        let person = try #require(realm.objects(Person.self).first)
        let dog = try #require(realm.objects(Dog.self).first)
        #expect(person.name == "Person 1")
        #expect(dog.name == "Rex")
        let people = try #require(realm.core.store.table(Person.self))
        let dogs = try #require(realm.core.store.table(Dog.self))
        let generations = (people.generation, dogs.generation)

        try writeElsewhere(file) { realm in realm.objects(Dog.self).first?.name = "Max" }
        realm.refresh()

        #expect(people.generation == generations.0)
        #expect(dogs.generation == generations.1 + 1)
        #expect(dog.name == "Max")
    }

    @Test("a list shows the values of its elements as they are, whoever changed them")
    func list() throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        let home = try realm.write { realm in realm.create(Home.self, value: ["name": "a", "dogs": [["name": "Rex"]]]) }
        #expect(home.dogs.map(\.name) == ["Rex"])

        try realm.write { realm in
            realm.objects(Dog.self).first?.name = "Max"
            #expect(home.dogs.map(\.name) == ["Max"])
        }
        try writeElsewhere(file) { realm in realm.objects(Dog.self).first?.name = "Bob" }
        realm.refresh()

        #expect(home.dogs.map(\.name) == ["Bob"])
    }
}

/// Writes with an instance of another thread, and waits for it.
func writeElsewhere(_ file: TemporaryRealm, _ change: @escaping @Sendable (Realm) throws -> Void) throws {
    try onThread { try file.open().write(change) }
}

/// Runs code on a thread of its own, and waits for it.
func onThread(_ body: @escaping @Sendable () throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Void, any Error>>(.success(()))
    Thread.detachNewThread {
        result.withLock { $0 = Result(catching: body) }
        done.signal()
    }
    done.wait()
    try result.withLock { try $0.get() }
}

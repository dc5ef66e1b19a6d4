#if os(Linux)
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Several processes that write to one file")
struct WriterProcessTests {
    private static func configuration(_ folder: String) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: URL(fileURLWithPath: "\(folder)/test.realm"),
            encryptionKey: TemporaryRealm.suiteKey,
            objectTypes: Sample.types
        )
    }

    @Test("two or four at once lose nothing, and only one is in a transaction at a time", arguments: [2, 4])
    func writers(count: Int) async throws {
        let file = try TemporaryRealm()
        let folder = file.folder.path
        await #expect(processExitsWith: .success) { [folder = folder as String, count = count as Int] in
            let configuration = Self.configuration(folder)
            let writers = (0..<count)
                .map { writer in
                    ForkedProcess { _ in try Self.count(writer, configuration, mark: "\(folder)/writing") }
                }
            for writer in writers { #expect(writer.finish().ending == .returned) }

            let realm = try Realm(configuration: configuration)
            #expect(realm.object(ofType: Counter.self, forPrimaryKey: "all")?.value == count * 50)
            let expected = (0..<count).flatMap { writer in (0..<50).map { writer * 1000 + $0 } }
            #expect(realm.objects(Person.self).sorted(byKeyPath: "_id").map(\._id) == expected)
        }
    }

    /// Counts to fifty; each step fails if another process is in the middle of one.
    private static func count(_ writer: Int, _ configuration: Realm.Configuration, mark: String) throws {
        let realm = try Realm(configuration: configuration)
        for number in 0..<50 {
            try realm.write {
                let descriptor = open(mark, O_CREAT | O_EXCL, 0o600)
                guard descriptor >= 0 else { throw Intrusion() }
                let counter = realm.create(Counter.self, value: ["name": "all"], update: .modified)
                counter.value += 1
                realm.add(Person.numbered(writer * 1000 + number))
                close(descriptor)
                unlink(mark)
            }
        }
    }

    private struct Intrusion: Error {}

    /// Starts a process that commits some people, and is in the middle of adding another when this returns.
    private static func holder(_ configuration: Realm.Configuration, committed: [Int], open: Int) -> ForkedProcess {
        let holder = ForkedProcess { parent in
            let realm = try Realm(configuration: configuration)
            if !committed.isEmpty { try realm.write { realm.add(committed.map(Person.numbered)) } }
            realm.beginWrite()
            realm.add(Person.numbered(open))
            parent.report(1)
            parent.waitForEnd()
        }
        #expect(holder.next() == 1)
        return holder
    }

    @Test("a transaction that waits too long for another process throws, and works when that one was killed")
    func killedHolder() async throws {
        let file = try TemporaryRealm()
        let folder = file.folder.path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let configuration = Self.configuration(folder)
            let holder = Self.holder(configuration, committed: [1], open: 2)
            let realm = try Realm(configuration: configuration)
            try realm.core.store.connection.execute("PRAGMA busy_timeout = 50")

            let error = #expect(throws: Realm.Error.self) { try realm.write { realm.add(Person.numbered(3)) } }
            #expect(error?.code == .fail)
            #expect(error?.message.contains("Another process kept the realm") == true)
            #expect(error?.message.contains("try again") == true)
            #expect(!realm.isInWriteTransaction)
            #expect(realm.objects(Person.self).map(\._id) == [1])

            holder.kill()
            try realm.write { realm.add(Person.numbered(3)) }
            #expect(realm.objects(Person.self).map(\._id) == [1, 3])
        }
    }

    @Test("a process that waits for a writer goes on at once when that one is killed")
    func waitingForKilled() async throws {
        let file = try TemporaryRealm()
        let folder = file.folder.path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let configuration = Self.configuration(folder)
            do { _ = try Realm(configuration: configuration) }
            let holder = Self.holder(configuration, committed: [], open: 1)
            let waiter = ForkedProcess { parent in
                let realm = try Realm(configuration: configuration)
                parent.report(1)
                try realm.write { realm.add(Person.numbered(2)) }
            }
            #expect(waiter.next() == 1)

            holder.kill()

            #expect(waiter.finish().ending == .returned)
            #expect(try Realm(configuration: configuration).objects(Person.self).map(\._id) == [2])
        }
    }

    @Test("a process can open a file and read it while another one is in a transaction")
    func openingBesideWriter() async throws {
        let file = try TemporaryRealm()
        let folder = file.folder.path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let configuration = Self.configuration(folder)
            let holder = Self.holder(configuration, committed: [1], open: 2)

            let realm = try Realm(configuration: configuration)

            #expect(realm.objects(Person.self).map(\._id) == [1])
            holder.kill()
        }
    }
}
#endif

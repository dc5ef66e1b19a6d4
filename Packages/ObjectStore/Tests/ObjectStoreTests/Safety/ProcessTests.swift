import Dispatch
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// Needs processes that a test may start and kill, which the systems of phones do not have.
#if os(Linux) || os(macOS)
@Suite("A realm that several processes use")
struct ProcessTests {
    @Test("a killed process loses no transaction that was committed, and leaves none in part", arguments: 1...30)
    func kill(afterCommits: Int) async throws {
        let file = try TemporaryRealm()
        let folder = file.folder.path

        await #expect(processExitsWith: .signal(SIGKILL)) {
            [folder = folder as String, afterCommits = afterCommits as Int] in
            try writeUntilKilled(folder, afterCommits: afterCommits)
        }

        let journal = try String(contentsOfFile: "\(folder)/journal", encoding: .utf8)
        let committed = journal.split(separator: "\n").compactMap { Int($0) }
        #expect(committed.count >= afterCommits)
        let realm = try file.open()
        let sizes = Dictionary(grouping: realm.objects(Person.self), by: \.employeeId).mapValues(\.count)
        #expect(sizes.values.allSatisfy { $0 == transactionSize })
        #expect(Set(sizes.keys).isSuperset(of: committed))
        let check = try realm.core.store.connection.prepare("PRAGMA integrity_check")
        #expect(try check.step())
        #expect(check.text(0) == "ok")
        check.reset()
        try realm.write { realm.add(Person.numbered(-1)) }
    }

    @Test("a process killed inside of a transaction leaves nothing of it")
    func killInTransaction() async throws {
        let file = try TemporaryRealm()
        let folder = file.folder.path

        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            let realm = try Realm(configuration: configuration(folder))
            try realm.write { realm.add(Person.numbered(1)) }
            // A small cache, so that pages are in the log before the transaction ends.
            try realm.core.store.connection.execute("PRAGMA cache_size = 10")
            try realm.write {
                for number in 2..<5000 { realm.add(Person.numbered(number)) }
                raise(SIGKILL)
            }
        }

        #expect(try file.open().objects(Person.self).map(\._id) == [1])
    }

    @Test("two processes that write at once lose nothing")
    func twoWriters() async throws {
        let file = try TemporaryRealm()
        let folder = file.folder.path
        let realm = try file.open()
        try realm.write { realm.create(Counter.self, value: ["name": "both"]) }

        async let first: Void = count(from: 0, in: folder)
        async let second: Void = count(from: 1000, in: folder)
        _ = await (first, second)

        let changed = try file.open()
        changed.refresh()
        #expect(changed.objects(Counter.self).first?.value == 200)
        let ids: [Int] = changed.objects(Person.self).sorted(byKeyPath: "_id").map(\._id)
        #expect(ids == Array(0..<100) + Array(1000..<1100))
    }

    /// Lets another process count to a hundred, in a transaction for each step.
    private func count(from start: Int, in folder: String) async {
        await #expect(processExitsWith: .success) { [folder = folder as String, start = start as Int] in
            let realm = try Realm(configuration: configuration(folder))
            let counter = try #require(realm.objects(Counter.self).first)
            for number in start..<(start + 100) {
                try realm.write {
                    counter.value += 1
                    realm.add(Person.numbered(number))
                }
            }
        }
    }
}

/// How many objects each transaction of a process that is killed has.
private let transactionSize = 20

/// The file of a ``TemporaryRealm`` whose object is in another process.
private func configuration(_ folder: String) -> Realm.Configuration {
    Realm.Configuration(
        fileURL: URL(fileURLWithPath: "\(folder)/test.realm"),
        encryptionKey: TemporaryRealm.suiteKey,
        objectTypes: Sample.types
    )
}

/// Writes transactions without end, notes each whose commit has returned, and is killed in the middle of it.
private func writeUntilKilled(_ folder: String, afterCommits: Int) throws {
    let isTime = DispatchSemaphore(value: 0)
    let descriptor = open("\(folder)/journal", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    Thread.detachNewThread {
        do {
            let realm = try Realm(configuration: configuration(folder))
            for transaction in 1...Int.max {
                try realm.write {
                    for place in 0..<transactionSize {
                        let person = Person.numbered(transaction * transactionSize + place)
                        person.employeeId = transaction
                        realm.add(person)
                    }
                }
                let line = Array("\(transaction)\n".utf8)
                guard write(descriptor, line, line.count) == line.count else { fatalError("The journal is full.") }
                // This thread goes on, and is anywhere when the other one ends the process.
                if transaction == afterCommits { isTime.signal() }
            }
        } catch {
            fatalError("The process that is to be killed cannot write: \(error)")
        }
    }
    isTime.wait()
    raise(SIGKILL)
}
#endif

import Dispatch
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Synchronization
import Testing

@testable import ObjectStore

@Suite("Creating: writes and the user interface")
struct InterfaceWriteRowTests {
    @Test("Row 8: a transaction elsewhere does not block the main actor, which writes when that has ended")
    @MainActor
    func doesNotBlock() async throws {
        let page = try PageRealm()
        let realm = page.realm
        let (holds, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let file = page.file
        Thread.detachNewThread {
            try? file.open()
                .write { realm in
                    holds.signal()
                    mayEnd.wait()
                    realm.add(PageDog(value: ["name": "first"]))
                }
        }
        holds.wait()

        var ticks = 0
        let write = Task { @MainActor in
            try await realm.asyncWrite { realm.add(PageDog(value: ["name": "second"])) }
        }
        // If the write waited for the lock on this thread, the thread could not go on to end the other transaction.
        for _ in 0..<5 {
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
            ticks += 1
        }
        #expect(ticks == 5)
        #expect(page.dogs.isEmpty)
        mayEnd.signal()
        try await write.value

        #expect(page.dogs.map(\.name) == ["first", "second"])
    }

    /// The data source of a table view, which is told of changes and makes some itself.
    private final class DataSource {
        var rows: [Int] = []
        var token: NotificationToken?

        func observe(_ results: Results<Person>) {
            token = results.observe { [unowned self] change in
                switch change {
                case .initial(let people): rows = people.map(\._id)
                case .update(let people, let deletions, let insertions, _):
                    for index in deletions.reversed() { rows.remove(at: index) }
                    for index in insertions { rows.insert(people[index]._id, at: index) }
                case .error(let error): Issue.record(error)
                }
            }
        }
    }

    @Test("Row 9: an interface-driven write is not told to the handler that it names, and its row is not doubled")
    func interfaceDriven() throws {
        let place = try QueueRealm()
        try place.write { realm in realm.add([10, 20, 30].map(Person.numbered)) }
        let (own, other) = (DataSource(), DataSource())
        place.run { realm in
            own.observe(realm.objects(Person.self).sorted(byKeyPath: "_id"))
            other.observe(realm.objects(Person.self).sorted(byKeyPath: "_id"))
        }
        #expect(own.rows == [10, 20, 30])

        // The user adds a row, and the table shows it at once.
        own.rows.insert(15, at: 1)
        try place.write(withoutNotifying: [try #require(own.token)]) { realm in realm.add(Person.numbered(15)) }
        #expect(own.rows == [10, 15, 20, 30])
        #expect(other.rows == [10, 15, 20, 30])

        // A write that comes from elsewhere is told to both, at the places that they have now.
        try place.writeElsewhere { realm in
            realm.add(Person.numbered(25))
            realm.delete(realm.objects(Person.self).where { $0._id == 10 })
        }
        #expect(own.rows == [15, 20, 25, 30])
        #expect(other.rows == [15, 20, 25, 30])
        place.run { _ in (own.token, other.token) = (nil, nil) }
    }

    @Test("Row 9: the same with begin and commit")
    func interfaceDrivenCommit() throws {
        let place = try QueueRealm()
        let told = Log<Told>()
        let token = place.run { realm in realm.objects(Person.self).observe { told.add(Told($0)) } }
        #expect(told.take() == [.initial(0)])

        try place.run { realm in
            realm.beginWrite()
            realm.add(Person.numbered(1))
            try realm.commitWrite(withoutNotifying: [token])
        }
        #expect(told.take().isEmpty)
        try place.write { realm in realm.add(Person.numbered(2)) }
        #expect(told.take() == [.update(2, insertions: [1])])
    }

    @Test("Row 10: a table that applies what it is told shows the collection, whatever is written", arguments: 1...5)
    func fineGrained(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let place = try QueueRealm()
        let table = DataSource()
        place.run { realm in
            table.observe(realm.objects(Person.self).where { $0.active == true }.sorted(byKeyPath: "score"))
        }

        for round in 0..<20 {
            try place.write { realm in
                for _ in 0..<generator.below(8) {
                    let person = realm.create(Person.self, value: ["_id": generator.below(30)], update: .modified)
                    switch generator.below(4) {
                    case 0: realm.delete(person)
                    case 1: person.active = false
                    default:
                        person.active = true
                        // Scores that differ make the order certain.
                        person.score = Double(generator.below(1000)) + Double(person._id) / 100
                    }
                }
            }
            let expected = place.run { realm in
                Array(realm.objects(Person.self).where { $0.active == true }.sorted(byKeyPath: "score").map(\._id))
            }
            #expect(table.rows == expected, "seed \(seed), round \(round)")
        }
        place.run { _ in table.token = nil }
    }
}

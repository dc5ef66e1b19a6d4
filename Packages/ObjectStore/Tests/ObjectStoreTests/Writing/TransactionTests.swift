import Foundation
import ObjectStoreTesting
import Synchronization
import Testing

@testable import ObjectStore

@Suite("Transactions")
struct TransactionTests {
    private struct Failure: Error, Equatable {
        let number: Int
    }

    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
    }

    @Test("write returns what the block returns")
    func result() throws {
        let count = try realm.write { realm in
            realm.add(Person.numbered(1))
            return realm.objects(Person.self).count
        }

        #expect(count == 1)
    }

    @Test("a block that throws rolls everything back, and the same error is thrown")
    func thrownError() throws {
        let person = Person.numbered(1)

        #expect(throws: Failure(number: 7)) {
            try realm.write {
                realm.add(person)
                throw Failure(number: 7)
            }
        }

        #expect(realm.isEmpty)
        #expect(!realm.isInWriteTransaction)
        #expect(person.isInvalidated)
    }

    @Test("a data error dooms the transaction: later changes are skipped, the first error is thrown at the end")
    func doomed() throws {
        try realm.write { realm in realm.add(Person.numbered(1)) }

        let error = #expect(throws: Realm.Error.self) {
            try realm.write { realm in
                realm.add((2...4).map(Person.numbered))
                let refused = realm.create(Person.self, value: ["_id": 1])
                #expect(refused.realm == nil)
                #expect(realm.transactionError?.code == .objectAlreadyExists)
                realm.create(Person.self, value: ["_id": "text"])
                realm.objects(Person.self).first?.name = "Skipped"
                #expect(realm.objects(Person.self).first?.name == "Person 1")
            }
        }

        #expect(error?.code == .objectAlreadyExists)
        #expect(error?.details == ["1"])
        #expect(realm.objects(Person.self).map(\._id) == [1])
    }

    @Test("a cancelled transaction leaves deleted objects to be found again and added ones invalid")
    func cancelled() throws {
        try realm.write { realm in realm.add(Person.numbered(1)) }
        let added = Person.numbered(2)

        realm.beginWrite()
        realm.add(added)
        realm.delete(realm.objects(Person.self).filter("_id == 1"))
        #expect(realm.objects(Person.self).map(\._id) == [2])
        realm.cancelWrite()

        #expect(added.isInvalidated)
        #expect(realm.objects(Person.self).map(\._id) == [1])
        // The row key of the cancelled object may be given again, but the object stays invalid.
        try realm.write { realm in realm.add(Person.numbered(3)) }
        #expect(added.isInvalidated)
    }

    @Test("every accessor of an object that a cancelled transaction added stays invalid, however it was made")
    func cancelledAccessors() throws {
        realm.beginWrite()
        let home = realm.create(Home.self, value: ["name": "a", "dogs": [["name": "Rex"]]])
        let accessors: [ObjectBase?] = [
            home, realm.objects(Home.self).first, realm.objects(Home.self).map { $0 }.last, home.dogs.first,
            realm.objects(Dog.self).filter("name == 'Rex'").first, realm.dynamicObjects("Home").first,
        ]
        realm.cancelWrite()
        // The keys of the rows are given again.
        try realm.write { realm in realm.create(Home.self, value: ["name": "b", "dogs": [["name": "Bo"]]]) }

        #expect(accessors.map { $0?.isInvalidated } == Array(repeating: true, count: accessors.count))
    }

    @Test("cancelled transactions leave nothing behind once their objects are gone")
    func forgotten() throws {
        weak let insertion: Insertion? = try {
            realm.beginWrite()
            var added: Person? = realm.create(Person.self, value: ["_id": 1])
            let insertion = try #require(realm.core.transaction.open?.insertion)
            realm.cancelWrite()
            #expect(added?.isInvalidated == true)
            added = nil
            return insertion
        }()

        #expect(insertion == nil)
    }

    @Test("the block may end the transaction itself")
    func endedInside() throws {
        try realm.write {
            realm.add(Person.numbered(1))
            try realm.commitWrite()
        }
        try realm.write {
            realm.add(Person.numbered(2))
            realm.cancelWrite()
        }

        #expect(realm.objects(Person.self).map(\._id) == [1])
    }

    @Test("writes of several threads do not lose each other's changes")
    func threads() throws {
        try realm.write { realm in realm.create(Counter.self, value: ["name": "all"]) }
        let file = file
        let failures = Mutex<[String]>([])

        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            do {
                let realm = try file.open()
                for _ in 0..<25 {
                    try realm.write { realm in
                        realm.object(ofType: Counter.self, forPrimaryKey: "all")?.value += 1
                    }
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }

        #expect(failures.withLock { $0 } == [])
        realm.refresh()
        #expect(realm.objects(Counter.self).first?.value == 100)
    }

    @Test("an instance keeps reading its version until it is refreshed")
    func pinnedVersion() throws {
        try realm.write { realm in realm.add(Person.numbered(1)) }
        let person = try #require(realm.objects(Person.self).first)
        let file = file

        try onAnotherThread {
            let realm = try file.open()
            try realm.write { realm in
                realm.objects(Person.self).first?.name = "Elsewhere"
                realm.add(Person.numbered(2))
            }
        }

        #expect(person.name == "Person 1")
        #expect(realm.objects(Person.self).count == 1)
        #expect(realm.refresh())
        #expect(person.name == "Elsewhere")
        #expect(realm.objects(Person.self).count == 2)
        #expect(!realm.refresh())
    }

    @Test("beginning a write moves to the newest version")
    func writeRefreshes() throws {
        #expect(realm.isEmpty)
        let file = file
        try onAnotherThread {
            let realm = try file.open()
            try realm.write { realm in realm.add(Person.numbered(1)) }
        }

        let count = try realm.write { realm in realm.objects(Person.self).count }

        #expect(count == 1)
    }

    @Test("invalidating makes objects invalid and moves on")
    func invalidation() throws {
        try realm.write { realm in realm.add(Person.numbered(1)) }
        let person = try #require(realm.objects(Person.self).first)

        realm.invalidate()

        #expect(person.isInvalidated)
        #expect(person.realm == nil)
        #expect(realm.objects(Person.self).first?.name == "Person 1")
    }

    private func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
        let outcome = Mutex<Result<Void, any Error>>(.success(()))
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let result = Result(catching: body)
            outcome.withLock { $0 = result }
            done.signal()
        }
        thread.start()
        done.wait()
        try outcome.withLock { $0 }.get()
    }
}

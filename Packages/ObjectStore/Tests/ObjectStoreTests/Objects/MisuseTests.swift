import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Misuse ends the process with a sentence")
struct MisuseTests {
    private static func expect(_ sentence: String, in result: ExitTest.Result?) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(sentence), "\(text.prefix(600))")
    }

    @Test("writing outside of a transaction")
    func outsideWrite() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let realm = try file.open()
            realm.add(Person.numbered(1))
        }
        Self.expect("outside of a write transaction; call 'realm.write", in: result)
    }

    @Test("setting a property outside of a transaction")
    func propertyOutsideWrite() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let realm = try file.open()
            let person = try realm.write { realm in realm.create(Person.self) }
            person.name = "x"
        }
        Self.expect("set 'Person.name' was made outside of a write", in: result)
    }

    @Test("changing a list outside of a transaction")
    func listOutsideWrite() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let realm = try file.open()
            let home = try realm.write { realm in realm.create(Home.self) }
            home.tags.append("x")
        }
        Self.expect("change the list 'Home.tags' was made outside of a write", in: result)
    }

    @Test("a write inside of a write")
    func nestedWrite() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let realm = try file.open()
            try realm.write { realm in try realm.write { _ in } }
        }
        Self.expect("nested writes do not exist", in: result)
    }

    @Test("committing without a transaction")
    func missingWrite() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            try file.open().commitWrite()
        }
        Self.expect("not in a write transaction", in: result)
    }

    @Test("writing to a realm that is open read-only")
    func readOnly() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            do { _ = try file.open() }
            let realm = try file.open { $0.readOnly = true }
            realm.beginWrite()
        }
        Self.expect("opened read-only", in: result)
    }

    @Test("using an object on another thread")
    func wrongThread() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let realm = try file.open()
            // SAFETY: nothing guards it: handing the object to another thread is the mistake that must trap.
            nonisolated(unsafe) let person = try realm.write { realm in realm.create(Person.self) }
            let done = DispatchSemaphore(value: 0)
            Thread {
                print(person.name)
                done.signal()
            }
            .start()
            done.wait()
        }
        Self.expect("opened on another thread", in: result)
    }

    @Test("reading a deleted object")
    func deletedObject() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let realm = try file.open()
            let person = try realm.write { realm in realm.create(Person.self) }
            try realm.write { realm in realm.delete(person) }
            print(person.name)
        }
        Self.expect("'Person.name' was read from an object that was deleted", in: result)
    }

    @Test("an index outside of a list or result")
    func indexOutOfRange() async throws {
        let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            print(Home().tags[0])
        }
        Self.expect("The index 0 is outside of a list of 0 elements", in: list)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            print(try file.open().objects(Person.self)[2])
        }
        Self.expect("The index 2 is outside of a result of 0 elements", in: result)
    }

    @Test("an unknown property in a predicate or subscript")
    func unknownProperty() async throws {
        let predicate = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            print(try file.open().objects(Person.self).filter("nam == 'x'").count)
        }
        Self.expect("has no property 'nam'", in: predicate)
        let key = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            print(Person()["nam"] as Any)
        }
        Self.expect("has no persisted property 'nam'", in: key)
    }

    @Test("a value of the wrong type in an initializer")
    func initializerValue() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person(value: ["name": 5])
        }
        Self.expect("'Person.name', which is 'string'", in: result)
    }
}

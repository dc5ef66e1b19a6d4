import Dispatch
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Misuse of notifications ends the process with a sentence")
struct NotificationMisuseTests {
    private static func expect(_ sentence: String, in result: ExitTest.Result?) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(sentence), "\(text.prefix(600))")
    }

    @Test("N6: observing on a thread that calls no handlers")
    func thread() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try onThread {
                let realm = try TemporaryRealm().open()
                _ = realm.objects(Person.self).observe { _ in }
            }
        }
        Self.expect("no handler can be called later; observe on the main queue, or name a queue", in: result)
    }

    @Test("N6: observing an unmanaged object")
    func unmanagedObject() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person().observe { (_: ObjectChange<Person>) in }
        }
        Self.expect("'Person' was observed that is not managed; add it to a realm first", in: result)
    }

    @Test("N6: observing an unmanaged list")
    func unmanagedList() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Home().dogs.observe { _ in }
        }
        Self.expect("A collection was observed that is unmanaged; add its object to a realm first", in: result)
    }

    @Test("N6: observing inside of a write that changed something")
    func insideWrite() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let place = try QueueRealm()
            try place.write { realm in
                realm.add(Dog())
                _ = realm.objects(Dog.self).observe { _ in }
            }
        }
        Self.expect("inside of a write that changed something; observe before or after it", in: result)
    }

    @Test("N6: observing a realm that is read-only")
    func readOnly() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            try onThread { _ = try file.open() }
            let place = try QueueRealm(file, isReadOnly: true)
            place.run { _ = $0.objects(Dog.self).observe { _ in } }
        }
        Self.expect("opened read-only, where nothing ever changes", in: result)
    }

    @Test("N4: a key path with a name that does not exist")
    func unknownName() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let place = try QueueRealm()
            place.run { _ = $0.objects(Home.self).observe(keyPaths: ["dogs.nmae"]) { _ in } }
        }
        Self.expect("the class 'Dog' has no persisted property 'nmae'; did you mean 'name'?", in: result)
    }

    @Test("N4: a key path through a property that is no link")
    func noLink() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let place = try QueueRealm()
            place.run { _ = $0.objects(Home.self).observe(keyPaths: ["name.length"]) { _ in } }
        }
        Self.expect("the property before 'length' is not a link or a collection of objects", in: result)
    }

    @Test("T8: a token of another instance")
    func foreignToken() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let place = try QueueRealm()
            let other = try QueueRealm(place.file)
            let token = other.run { $0.objects(Dog.self).observe { _ in } }
            try place.write(withoutNotifying: [token]) { $0.add(Dog()) }
        }
        Self.expect("the token of another instance of the realm", in: result)
    }

    @Test("observing a deleted object, and an object as another class")
    func wrongObject() async throws {
        let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let place = try QueueRealm()
            try place.run { realm in
                let dog = try realm.write { $0.create(Dog.self) }
                try realm.write { $0.delete(dog) }
                _ = dog.observe { (_: ObjectChange<Dog>) in }
            }
        }
        Self.expect("was deleted; check 'isInvalidated' first", in: deleted)
        let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let place = try QueueRealm()
            try place.run { realm in
                _ = try realm.write { $0.create(Dog.self) }.observe { (_: ObjectChange<Person>) in }
            }
        }
        Self.expect("'Dog' was observed with a handler for objects of 'Person'", in: other)
    }
}

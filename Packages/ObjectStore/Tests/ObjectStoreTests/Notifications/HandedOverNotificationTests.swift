import Dispatch
import ObjectStoreTesting
import Synchronization
import Testing

@testable import ObjectStore

@Suite("Notifications on another queue")
struct QueueNotificationTests {
    private let place: QueueRealm
    private let file: TemporaryRealm
    private let realm: Realm
    private let told = Log<Told>()

    /// The realm of this thread, which can call no handlers itself; the other queue can.
    init() throws {
        file = try TemporaryRealm()
        place = try QueueRealm(file)
        realm = try file.open()
        try realm.write { realm in
            realm.add((1...3).map(Person.numbered))
            realm.create(Home.self, value: ["name": "a", "dogs": [["name": "Rex"]], "tags": ["x"]])
        }
    }

    @Test("N6: a result is observed on a queue, with a result of the queue's instance")
    func results() throws {
        let names = Log<[String]>()
        let token = realm.objects(Person.self).where { $0._id > 1 }
            .observe(on: place.queue) { [told, place] change in
                #expect(place.queue.isCurrent)
                told.add(Told(change))
                if case .update(let people, _, _, let modifications) = change {
                    names.add(modifications.map { people[$0].name })
                    #expect(people.realm == place.realm)
                }
            }
        place.settle()
        place.settle()
        #expect(told.take() == [.initial(2)])

        try realm.write { realm in
            realm.object(ofType: Person.self, forPrimaryKey: 3)?.name = "x"
            realm.object(ofType: Person.self, forPrimaryKey: 1)?.name = "y"
            realm.add(Person.numbered(4))
        }
        place.settle()

        #expect(told.take() == [.update(3, insertions: [2], modifications: [1])])
        #expect(names.take() == [["x"]])
        withExtendedLifetime(token) {}
    }

    @Test("N6: lists of objects and of values, and collections of any kind, are observed on a queue")
    func collections() throws {
        let home = try #require(realm.objects(Home.self).first)
        let tags = Log<Told>()
        let any = Log<Told>()
        let sorted = Log<Told>()
        let tokens = [
            home.dogs.observe(on: place.queue) { [told] in told.add(Told($0)) },
            home.tags.observe(on: place.queue) { tags.add(Told($0)) },
            AnyRealmCollection(home.dogs).observe(on: place.queue) { any.add(Told($0)) },
            home.tags.sorted(ascending: false).observe(on: place.queue) { sorted.add(Told($0)) },
        ]
        place.settle()
        place.settle()
        for log in [told, tags, any, sorted] { #expect(log.take() == [.initial(1)]) }

        try realm.write { _ in
            home.dogs.append(Dog())
            home.dogs[0].name = "z"
            home.tags.append("y")
        }
        place.settle()

        #expect(told.take() == [.update(2, insertions: [1], modifications: [0])])
        #expect(any.take() == [.update(2, insertions: [1], modifications: [0])])
        #expect(tags.take() == [.update(2, insertions: [1])])
        #expect(sorted.take() == [.update(2, insertions: [0])])
        withExtendedLifetime(tokens) {}
    }

    @Test("N6: an object is observed on a queue; what happens before the queue begins is not lost")
    func object() throws {
        let told = Log<String>()
        let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
        place.queue.suspend()
        let token = person.observe(on: place.queue) { [place] (change: ObjectChange<Person>) in
            switch change {
            case .change(let person, let properties):
                #expect(person.realm == place.realm)
                told.add(properties.map { "\($0.name) \($0.oldValue ?? "nil") \($0.newValue ?? "nil")" }.joined())
            case .deleted: told.add("deleted")
            case .error: told.add("error")
            }
        }
        try realm.write { _ in person.name = "x" }
        place.queue.resume()
        place.settle()
        place.settle()
        #expect(told.take() == ["name Person 1 x"])

        try realm.write { $0.delete(person) }
        place.settle()
        #expect(told.take() == ["deleted"])
        withExtendedLifetime(token) {}
    }

    @Test("N7: a token that is dropped before the queue begins is never called")
    func dropped() throws {
        place.queue.suspend()
        realm.objects(Person.self).observe(on: place.queue) { [told] in told.add(Told($0)) }.invalidate()
        place.queue.resume()
        place.settle()
        place.settle()

        #expect(told.take().isEmpty)
    }

    @Test("N6: the queue of the instance itself needs no other instance")
    func same() throws {
        let token = place.run { realm in
            realm.objects(Person.self).observe(on: place.queue) { [told] in told.add(Told($0)) }
        }

        #expect(told.take() == [.initial(3)])
        withExtendedLifetime(token) {}
    }

    @Test("L13: a list whose object is deleted before the queue begins is not told")
    func gone() throws {
        let home = try #require(realm.objects(Home.self).first)
        place.queue.suspend()
        let token = home.dogs.observe(on: place.queue) { [told] in told.add(Told($0)) }
        try realm.write { $0.delete(home) }
        place.queue.resume()
        place.settle()
        place.settle()

        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }
}

extension DispatchQueue {
    /// Whether the running code is on the queue.
    fileprivate var isCurrent: Bool { ConfinedQueue(self).isCurrent }
}

/// What an actor was told.
private actor Listener {
    private var told: [String] = []
    private var token: NotificationToken?
    private var waiting: CheckedContinuation<Void, Never>?

    func add(_ text: String) {
        told.append(text)
        waiting?.resume()
        waiting = nil
    }

    /// Waits for as many calls and returns them.
    func take(_ count: Int) async -> [String] {
        while told.count < count { await withCheckedContinuation { waiting = $0 } }
        defer { told = [] }
        return told
    }

    func keep(_ token: NotificationToken) { self.token = token }

    deinit {}
}

@Suite("Notifications on actors")
struct ActorNotificationTests {
    @Test("a collection, a map's object and an object are observed on an actor")
    @MainActor
    func actors() async throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        let person = try realm.write { realm in realm.create(Person.self, value: ["_id": 1, "name": "a"]) }
        let listener = Listener()

        let tokens = [
            await realm.objects(Person.self)
                .observe(on: listener) { listener, change in
                    listener.add("people \(Told(change))")
                },
            await person.observe(on: listener) { (listener, change: ObjectChange<Person>) in
                if case .change(let person, let properties) = change {
                    listener.add("person \(properties.map(\.name)) \(person.name)")
                }
            },
        ]
        #expect(await listener.take(1) == ["people initial 1"])
        try realm.write { _ in person.name = "b" }

        #expect(await listener.take(2).sorted() == ["people update 1 -[] +[] ~[0]", "person [\"name\"] b"])
        withExtendedLifetime(tokens) {}
    }

    @Test("N7: an actor that keeps its own token is not kept alive by it")
    @MainActor
    func ownership() async throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        weak var witness: Listener?
        do {
            let listener = Listener()
            witness = listener
            let token = await realm.objects(Dog.self)
                .observe(on: listener) { listener, change in
                    listener.add("\(Told(change))")
                }
            await listener.keep(token)
            _ = await listener.take(1)
        }
        // The last work for the actor may still be ending.
        for _ in 0..<1000 where witness != nil { await Task.yield() }

        #expect(witness == nil)
    }

    @Test("a loop gets the first state, then what happened since it asked last")
    @MainActor
    func sequence() async throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        try realm.write { $0.add((1...2).map(Person.numbered)) }
        var told: [Told] = []

        for await change in realm.objects(Person.self).sorted(byKeyPath: "_id").changes() {
            told.append(Told(change))
            switch told.count {
            case 1:
                // Two transactions before the loop asks again are one change.
                try realm.write { $0.add(Person.numbered(3)) }
                try realm.write { $0.object(ofType: Person.self, forPrimaryKey: 1)?.name = "x" }
            case 2: try writeElsewhere(file) { $0.add(Person.numbered(0)) }
            default: break
            }
            if told.count == 3 { break }
        }

        let expected: [Told] = [
            .initial(2), .update(3, insertions: [2], modifications: [0]), .update(4, insertions: [0]),
        ]
        #expect(told == expected)
        #expect(!realm.core.file.broadcast.isWatching)
    }

    @Test("a loop ends when its task is cancelled")
    @MainActor
    func cancellation() async throws {
        let file = try TemporaryRealm()
        let task = Task { @MainActor in
            let realm = try file.open()
            var count = 0
            for await _ in realm.objects(Person.self).changes(keyPaths: ["name"]) { count += 1 }
            return count
        }
        // The first change comes in a later turn of the main actor.
        for _ in 0..<10 { await Task.yield() }
        task.cancel()

        #expect(try await task.value <= 1)
    }

    @Test("a task that was cancelled before it observes on an actor is told of nothing")
    @MainActor
    func cancelledTask() async throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        let told = Mutex(0)
        let task = Task { @MainActor in
            await realm.objects(Person.self).observe(on: MainActor.shared) { _, _ in told.withLock { $0 += 1 } }
        }
        task.cancel()
        let token = await task.value
        try realm.write { $0.add(Person.numbered(1)) }
        for _ in 0..<10 { await Task.yield() }

        #expect(told.withLock { $0 } == 0)
        withExtendedLifetime(token) {}
    }
}

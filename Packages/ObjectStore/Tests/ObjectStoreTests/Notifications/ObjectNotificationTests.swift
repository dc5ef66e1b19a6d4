import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Notifications of objects")
struct ObjectNotificationTests {
    private let place: QueueRealm
    private let told = Log<String>()

    init() throws {
        place = try QueueRealm()
        try place.write { realm in
            realm.add(Person.numbered(1))
            realm.create(
                Home.self,
                value: [
                    "name": "Villa", "watchdog": ["name": "Rex", "age": 3], "dogs": [["name": "Max"], ["name": "Bob"]],
                    "address": ["street": "Elm Street"], "tags": ["old"],
                ]
            )
        }
    }

    /// Writes a change down, such as `name: nil -> x`.
    private static func text<T>(_ change: ObjectChange<T>) -> String {
        func text(_ value: Any?) -> String {
            guard let value else { return "nil" }
            return (value as? Dog)?.name ?? "\(value)"
        }
        return switch change {
        case .change(_, let properties):
            properties.map { "\($0.name): \(text($0.oldValue)) -> \(text($0.newValue))" }.joined(separator: ", ")
        case .deleted: "deleted"
        case .error: "error"
        }
    }

    private func observePerson(_ keyPaths: [String]? = nil) throws -> NotificationToken {
        try place.run { realm in
            let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
            return person.observe(keyPaths: keyPaths) { [told] (change: ObjectChange<Person>) in
                told.add(Self.text(change))
            }
        }
    }

    private func observeHome(_ keyPaths: [String]? = nil, _ log: Log<String>? = nil) throws -> NotificationToken {
        try place.run { realm in
            let home = try #require(realm.objects(Home.self).first)
            return home.observe(keyPaths: keyPaths) { [told] (change: ObjectChange<Home>) in
                (log ?? told).add(Self.text(change))
            }
        }
    }

    @Test("an object whose integer key is deleted and created again is changed in all that differs, not gone")
    func again() throws {
        let token = try observePerson()

        try place.write { realm in
            realm.delete(try #require(realm.object(ofType: Person.self, forPrimaryKey: 1)))
            let new = Person.numbered(1)
            new.name = "New"
            realm.add(new)
        }

        #expect(told.entries == ["name: nil -> New"])
        token.invalidate()
    }

    private func changePerson(_ change: (Person) -> Void) throws {
        try place.write { realm in change(try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))) }
    }

    @Test("N3: there is no first call, and a change of this instance has no old values")
    func own() throws {
        let token = try observePerson()
        #expect(told.take().isEmpty)

        try changePerson { person in
            person.name = "Ada"
            person.userId = nil
        }

        #expect(told.take() == ["name: nil -> Ada, userId: nil -> nil"])
        withExtendedLifetime(token) {}
    }

    @Test("N3: a change of another instance has the old values")
    func foreign() throws {
        let token = try observePerson()

        try place.writeElsewhere { realm in
            let person = realm.object(ofType: Person.self, forPrimaryKey: 1)
            person?.name = "Ada"
            person?.userId = nil
            person?.active = true
        }
        #expect(told.take() == ["name: Person 1 -> Ada, userId: user-1 -> nil, active: false -> true"])

        try changePerson { $0.name = "Eve" }
        #expect(told.take() == ["name: nil -> Eve"])
        try place.writeElsewhere { $0.object(ofType: Person.self, forPrimaryKey: 1)?.name = "Bob" }
        #expect(told.take() == ["name: Eve -> Bob"])
        withExtendedLifetime(token) {}
    }

    @Test("N3: links have their objects as values, collections have none")
    func links() throws {
        let token = try observeHome()

        try place.writeElsewhere { realm in
            let home = realm.objects(Home.self).first
            home?.watchdog = realm.objects(Dog.self).where { $0.name == "Max" }.first
            home?.tags.append("new")
        }

        #expect(told.take() == ["watchdog: Rex -> Max, tags: nil -> nil"])
        withExtendedLifetime(token) {}
    }

    @Test("N3: a deletion is told once, by whichever instance", arguments: [false, true])
    func deletion(isForeign: Bool) throws {
        let token = try observePerson()

        let delete: @Sendable (Realm) throws -> Void = { realm in
            realm.delete(try #require(realm.object(ofType: Person.self, forPrimaryKey: 1)))
        }
        if isForeign { try place.writeElsewhere(delete) } else { try place.write(delete) }
        try place.write { $0.add(Person.numbered(1)) }

        #expect(told.take() == ["deleted"])
        withExtendedLifetime(token) {}
    }

    @Test("other objects of the class do not concern the token")
    func others() throws {
        let token = try observePerson()

        try place.write { realm in
            realm.add(Person.numbered(2))
            realm.object(ofType: Person.self, forPrimaryKey: 2)?.name = "x"
        }
        try place.write { realm in
            realm.delete(try #require(realm.object(ofType: Person.self, forPrimaryKey: 2)))
        }

        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("N4: a change inside of a linked or embedded object, or of an element, does not count by default")
    func shallow() throws {
        let token = try observeHome()

        try place.write { realm in
            let home = realm.objects(Home.self).first
            home?.watchdog?.age = 4
            home?.dogs[0].name = "x"
            home?.address?.city = "Linz"
        }

        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("N4: a key path to a list counts its changes, one through it also those of its elements")
    func keyPaths() throws {
        let lists = Log<String>()
        let names = Log<String>()
        let tokens = [try observeHome(["dogs"], lists), try observeHome(["dogs.name", "watchdog.age"], names)]

        try place.write { $0.objects(Home.self).first?.dogs[0].name = "x" }
        #expect(lists.take().isEmpty)
        #expect(names.take() == ["dogs: nil -> nil"])

        try place.write { $0.objects(Home.self).first?.dogs[0].age = 9 }
        #expect(names.take().isEmpty)

        try place.write { $0.objects(Home.self).first?.dogs.move(from: 0, to: 1) }
        #expect(lists.take() == ["dogs: nil -> nil"])
        #expect(names.take() == ["dogs: nil -> nil"])

        try place.write { $0.objects(Home.self).first?.watchdog?.age = 5 }
        #expect(lists.take().isEmpty)
        #expect(names.take() == ["watchdog: nil -> Rex"])
        withExtendedLifetime(tokens) {}
    }

    @Test("N5: tokens with other key paths on the same object do not disturb each other")
    func exclusive() throws {
        let name = try observePerson(["name"])
        let scores = Log<String>()
        let score = try place.run { realm in
            try #require(realm.objects(Person.self).first)
                .observe(keyPaths: [\Person.score]) { scores.add(Self.text($0)) }
        }

        try changePerson { $0.name = "x" }
        #expect(told.take() == ["name: nil -> x"])
        #expect(scores.take().isEmpty)
        try changePerson { $0.score = 1 }
        #expect(told.take().isEmpty)
        #expect(scores.take() == ["score: nil -> 1.0"])
        withExtendedLifetime((name, score)) {}
    }

    @Test("O5: an equal assignment counts, C12: an update that changes nothing does not")
    func equal() throws {
        let token = try observePerson()

        try changePerson { $0.name = "Person 1" }
        #expect(told.take() == ["name: nil -> Person 1"])
        try place.write { $0.add(Person.numbered(1), update: .modified) }
        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("T8: a token skips the commit that names it")
    func withoutNotifying() throws {
        let token = try observePerson()

        try place.write(withoutNotifying: [token]) { $0.objects(Person.self).first?.name = "x" }
        #expect(told.take().isEmpty)
        try place.writeElsewhere { $0.objects(Person.self).first?.name = "y" }
        #expect(told.take() == ["name: x -> y"])
        withExtendedLifetime(token) {}
    }

    @Test("after more commits than the log keeps, the contents tell what is different")
    func overrun() throws {
        let configuration = place.file.folder.path
        let queue = place.queue
        let realm = try queue.sync {
            var memory = place.file.configuration
            memory.inMemoryIdentifier = configuration
            return try Realm(configuration: memory, queue: queue)
        }
        try queue.sync {
            try realm.write { $0.add([Person.numbered(1), Person.numbered(2)]) }
            realm.autorefresh = false
        }
        let token = try queue.sync {
            try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
                .observe { [told] in
                    told.add(Self.text($0 as ObjectChange<Person>))
                }
        }
        place.settle()
        var memory = place.file.configuration
        memory.inMemoryIdentifier = configuration
        let other = try Realm(configuration: memory)
        for number in 1...400 { try other.write { $0.objects(Person.self).last?.score = Double(number) } }
        try other.write { $0.object(ofType: Person.self, forPrimaryKey: 1)?.name = "x" }
        for number in 1...400 { try other.write { $0.objects(Person.self).last?.score = Double(number) } }

        queue.sync { _ = realm.refresh() }

        #expect(told.take() == ["name: Person 1 -> x"])
        withExtendedLifetime(token) {}
    }
}

@Suite("Notifications of what is linked")
struct DeepNotificationTests {
    private let place: QueueRealm
    private let told = Log<Told>()

    init() throws {
        place = try QueueRealm()
        // A chain of six nodes, and one apart.
        try place.write { realm in
            let nodes = (0...5).map { Node(value: ["id": "\($0)"]) }
            for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
            realm.add(nodes)
            realm.add(Node(value: ["id": "z"]))
        }
    }

    private func observe(_ keyPaths: [String]? = nil) -> NotificationToken {
        place.run { realm in
            realm.objects(Node.self).sorted(byKeyPath: "id")
                .observe(keyPaths: keyPaths) { [told] in
                    told.add(Told($0))
                }
        }
    }

    private func touch(_ id: String) throws {
        try place.write { realm in
            let node = try #require(realm.object(ofType: Node.self, forPrimaryKey: id))
            node.children.append(node)
            node.children.removeLast()
        }
    }

    @Test("N4: a collection follows four links by default")
    func depth() throws {
        let token = observe()
        _ = told.take()

        try touch("5")
        #expect(told.take() == [.update(7, modifications: [1, 2, 3, 4, 5])])
        try touch("z")
        #expect(told.take() == [.update(7, modifications: [6])])
        withExtendedLifetime(token) {}
    }

    @Test("N4: explicit key paths replace the depth, and may be deeper")
    func explicit() throws {
        let deep = observe(["next.next.next.next.next.children"])
        _ = told.take()
        try touch("5")
        #expect(told.take() == [.update(7, modifications: [0])])
        try touch("4")
        #expect(told.take().isEmpty)
        try place.write { $0.object(ofType: Node.self, forPrimaryKey: "4")?.next = nil }
        #expect(told.take() == [.update(7, modifications: [0, 1, 2, 3, 4])])
        withExtendedLifetime(deep) {}
    }

    @Test("links that form a circle are followed only so far")
    func circle() throws {
        try place.write { realm in
            let first = realm.object(ofType: Node.self, forPrimaryKey: "0")
            realm.object(ofType: Node.self, forPrimaryKey: "5")?.next = first
            first?.children.append(try #require(first))
        }
        let token = observe()
        _ = told.take()

        try touch("z")
        #expect(told.take() == [.update(7, modifications: [6])])
        try touch("5")
        #expect(told.take() == [.update(7, modifications: [1, 2, 3, 4, 5])])
        withExtendedLifetime(token) {}
    }

    @Test("N4: changes of embedded objects and of elements of lists are followed, too")
    func kinds() throws {
        try place.write { realm in
            realm.create(
                Home.self,
                value: [
                    "name": "a", "address": ["street": "x"], "formerAddresses": [["street": "y"]],
                    "dogs": [["name": "Rex"]],
                ]
            )
            realm.create(Home.self, value: ["name": "b"])
        }
        let token = place.run { realm in
            realm.objects(Home.self).sorted(byKeyPath: "name").observe { [told] in told.add(Told($0)) }
        }
        _ = told.take()

        let changes: [(Home?) -> Void] = [
            { $0?.address?.street = "z" }, { $0?.formerAddresses[0].street = "z" }, { $0?.dogs[0].name = "z" },
        ]
        for change in changes {
            try place.write { realm in change(realm.object(ofType: Home.self, forPrimaryKey: "a")) }
            #expect(told.take() == [.update(2, modifications: [0])])
        }
        withExtendedLifetime(token) {}
    }
}

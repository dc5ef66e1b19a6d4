import EventModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Notifications of lists")
struct ListNotificationTests {
    private let place: QueueRealm
    private let told = Log<Told>()

    init() throws {
        place = try QueueRealm()
        try place.write { realm in
            realm.create(
                Home.self,
                value: ["name": "a", "dogs": [["name": "0"], ["name": "1"], ["name": "2"]], "tags": ["x", "y", "x"]]
            )
            realm.create(Home.self, value: ["name": "b", "dogs": [["name": "other"]], "tags": ["t"]])
        }
    }

    private func home(_ realm: Realm) throws -> Home {
        try #require(realm.object(ofType: Home.self, forPrimaryKey: "a"))
    }

    private func observeDogs(_ keyPaths: [String]? = nil) throws -> NotificationToken {
        try place.run { realm in
            try home(realm).dogs.observe(keyPaths: keyPaths) { [told] in told.add(Told($0)) }
        }
    }

    @Test("N1: elements that come, go, move and are replaced")
    func edits() throws {
        let token = try observeDogs()
        #expect(told.take() == [.initial(3)])

        try place.write { try home($0).dogs.remove(at: 1) }
        #expect(told.take() == [.update(2, deletions: [1])])
        try place.write { try home($0).dogs.insert(Dog(value: ["name": "new"]), at: 0) }
        #expect(told.take() == [.update(3, insertions: [0])])
        try place.write { try home($0).dogs.move(from: 0, to: 2) }
        #expect(told.take() == [.update(3, deletions: [0], insertions: [2])])
        try place.write { try home($0).dogs[1] = Dog(value: ["name": "z"]) }
        #expect(told.take() == [.update(3, modifications: [1])])
        try place.write { try home($0).dogs[0].name = "changed" }
        #expect(told.take() == [.update(3, modifications: [0])])
        try place.write { try home($0).dogs.removeAll() }
        #expect(told.take() == [.update(0, deletions: [0, 1, 2])])
        withExtendedLifetime(token) {}
    }

    @Test("N1: an object that is in the list several times is modified at each place")
    func repeated() throws {
        try place.write { realm in
            let home = try home(realm)
            home.dogs.append(home.dogs[0])
        }
        let token = try observeDogs()
        _ = told.take()

        try place.write { try home($0).dogs[0].age = 7 }
        #expect(told.take() == [.update(4, modifications: [0, 3])])
        try place.write { try home($0).dogs.remove(at: 0) }
        #expect(told.take() == [.update(3, deletions: [0])])
        withExtendedLifetime(token) {}
    }

    @Test("O8: an element that is deleted leaves the list")
    func deletedElement() throws {
        let token = try observeDogs()
        _ = told.take()

        try place.write { realm in realm.delete(try home(realm).dogs[2]) }

        #expect(told.take() == [.update(2, deletions: [2])])
        withExtendedLifetime(token) {}
    }

    @Test("L13: when the object of the list is deleted, all elements are, and nothing more is told")
    func deletedOwner() throws {
        let log = Log<[Int]>()
        let token = try place.run { realm in
            try home(realm).dogs
                .observe { change in
                    if case .update(_, let deletions, _, _) = change { log.add(deletions) }
                }
        }

        try place.write { realm in realm.delete(try home(realm)) }
        #expect(log.take() == [[0, 1, 2]])
        try place.write { realm in realm.objects(Dog.self).first?.name = "x" }
        #expect(log.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("other lists of the class and other properties of the object do not concern the token")
    func unrelated() throws {
        let token = try observeDogs()
        _ = told.take()

        try place.write { realm in
            let other = realm.object(ofType: Home.self, forPrimaryKey: "b")
            other?.dogs.append(Dog())
            other?.dogs[0].name = "x"
            try home(realm).tags.append("z")
        }

        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("N4: key paths choose which properties of elements count")
    func keyPaths() throws {
        let token = try observeDogs(["age"])
        _ = told.take()

        try place.write { try home($0).dogs[0].name = "x" }
        #expect(told.take().isEmpty)
        try place.write { try home($0).dogs[0].age = 5 }
        #expect(told.take() == [.update(3, modifications: [0])])
        withExtendedLifetime(token) {}
    }

    @Test("a list of values is compared by value and place")
    func values() throws {
        let token = try place.run { realm in try home(realm).tags.observe { [told] in told.add(Told($0)) } }
        #expect(told.take() == [.initial(3)])

        try place.write { try home($0).tags.append("z") }
        #expect(told.take() == [.update(4, insertions: [3])])
        try place.write { try home($0).tags[1] = "new" }
        #expect(told.take() == [.update(4, modifications: [1])])
        try place.write { try home($0).tags.remove(at: 0) }
        #expect(told.take() == [.update(3, deletions: [0])])
        withExtendedLifetime(token) {}
    }

    @Test("a query over a list is told what happens to the list")
    func filtered() throws {
        let token = try place.run { realm in
            try home(realm).dogs.filter("name != '1'").observe { [told] in told.add(Told($0)) }
        }
        #expect(told.take() == [.initial(2)])

        try place.write { realm in
            let dogs = try home(realm).dogs
            dogs.append(try #require(realm.objects(Dog.self).where { $0.name == "other" }.first))
        }
        #expect(told.take() == [.update(3, insertions: [2])])
        withExtendedLifetime(token) {}
    }

    @Test("T8: a list skips the commit that names its token")
    func withoutNotifying() throws {
        let token = try observeDogs()
        _ = told.take()

        try place.write(withoutNotifying: [token]) { try home($0).dogs.remove(at: 0) }
        #expect(told.take().isEmpty)
        try place.write { try home($0).dogs.remove(at: 1) }
        #expect(told.take() == [.update(1, deletions: [1])])
        withExtendedLifetime(token) {}
    }

    @Test("random edits can be followed by applying what is told", arguments: 0..<8)
    func shadow(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed + 1))
        var shadow: [String] = []
        let token = try place.run { realm in
            try home(realm).tags
                .observe { change in
                    switch change {
                    case .initial(let tags): shadow = Array(tags)
                    case .update(let tags, let deletions, let insertions, let modifications):
                        var places: [String?] = shadow
                        for place in modifications { places[place] = nil }
                        for place in deletions.reversed() { places.remove(at: place) }
                        for place in insertions { places.insert(tags[place], at: place) }
                        shadow = places.enumerated().map { $0.element ?? tags[$0.offset] }
                    case .error: Issue.record("There are no errors.")
                    }
                }
        }
        for _ in 0..<10 {
            try place.write { realm in
                let tags = try home(realm).tags
                for _ in 0..<3 {
                    let count = tags.count
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0:
                        tags.insert(
                            "\(Int.random(in: 0..<5, using: &random))",
                            at: .random(in: 0...count, using: &random)
                        )
                    case 1 where count > 0: tags.remove(at: .random(in: 0..<count, using: &random))
                    case 2 where count > 0: tags[.random(in: 0..<count, using: &random)] = "new"
                    case 3 where count > 1:
                        tags.move(
                            from: .random(in: 0..<count, using: &random),
                            to: .random(in: 0..<count, using: &random)
                        )
                    default: tags.append("end")
                    }
                }
            }
            let tags = try place.run { Array(try home($0).tags) }
            #expect(tags == shadow)
        }
        withExtendedLifetime(token) {}
    }
}

import ObjectStoreTesting
import Testing

@testable import ObjectStore

private final class Refuge: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var parks: Map<String, String>
    @Persisted var dogs: Map<String, Dog?>
    @Persisted var tags: MutableSet<String>
    @Persisted var friends: MutableSet<Dog>
}

@Suite("Notifications of maps and sets")
struct MapNotificationTests {
    private let place: QueueRealm
    private let told = Log<String>()

    init() throws {
        place = try QueueRealm(TemporaryRealm([Refuge.self, Dog.self]))
        try place.write { realm in
            realm.create(
                Refuge.self,
                value: [
                    "parks": ["Linz": "Donaupark", "Wien": "Prater"],
                    "dogs": ["a": ["name": "Rex"], "b": ["name": "Max"]],
                    "tags": ["x", "y"], "friends": [["name": "Bob"]],
                ]
            )
        }
    }

    private func refuge(_ realm: Realm) throws -> Refuge { try #require(realm.objects(Refuge.self).first) }

    private static func text<M: RealmKeyedCollection>(_ change: RealmMapChange<M>) -> String {
        switch change {
        case .initial(let map): "initial \(map.count)"
        case .update(_, let deletions, let insertions, let modifications):
            "-\(deletions) +\(insertions) ~\(modifications)"
        case .error: "error"
        }
    }

    @Test("N8: changes of a map report its keys")
    func keys() throws {
        let token = try place.run { realm in
            try refuge(realm).parks.observe { [told] in told.add(Self.text($0)) }
        }
        #expect(told.take() == ["initial 2"])

        try place.write { realm in
            let parks = try refuge(realm).parks
            parks["Wien"] = nil
            parks["Graz"] = "Stadtpark"
            parks["Linz"] = "Volksgarten"
        }
        #expect(told.take() == [#"-["Wien"] +["Graz"] ~["Linz"]"#])

        try place.write { try refuge($0).tags.insert("z") }
        #expect(told.take().isEmpty)
        try place.write { $0.delete(try refuge($0)) }
        #expect(told.take() == [#"-["Graz", "Linz"] +[] ~[]"#])
        withExtendedLifetime(token) {}
    }

    @Test("N8, N4: a change inside of a value that is an object is a modification of its key, if it counts")
    func objects() throws {
        let names = Log<String>()
        let tokens = try place.run { realm in
            [
                try refuge(realm).dogs.observe { [told] in told.add(Self.text($0)) },
                try refuge(realm).dogs.observe(keyPaths: [\Dog.name]) { names.add(Self.text($0)) },
            ]
        }
        _ = (told.take(), names.take())

        try place.write { try refuge($0).dogs["a"]??.age = 3 }
        #expect(told.take() == [#"-[] +[] ~["a"]"#])
        #expect(names.take().isEmpty)
        try place.write { try refuge($0).dogs["b"]??.name = "x" }
        #expect(told.take() == [#"-[] +[] ~["b"]"#])
        #expect(names.take() == [#"-[] +[] ~["b"]"#])
        withExtendedLifetime(tokens) {}
    }

    @Test("O8: deleting an object makes the values of its keys null, which modifies them")
    func deletion() throws {
        let token = try place.run { realm in try refuge(realm).dogs.observe { [told] in told.add(Self.text($0)) } }
        _ = told.take()

        try place.write { realm in realm.delete(try #require(try refuge(realm).dogs["a"] ?? nil)) }

        #expect(told.take() == [#"-[] +[] ~["a"]"#])
        withExtendedLifetime(token) {}
    }

    @Test("T8, N2: a map skips the commit that names its token, and folds what comes before the first call")
    func folding() throws {
        let token = try place.run { realm in
            let token = try refuge(realm).parks.observe { [told] in told.add(Self.text($0)) }
            try realm.write { try refuge($0).parks["Graz"] = "x" }
            return token
        }
        #expect(told.take() == ["initial 3"])

        try place.write(withoutNotifying: [token]) { try refuge($0).parks["Wels"] = "x" }
        #expect(told.take().isEmpty)
        try place.write { try refuge($0).parks["Wels"] = "y" }
        #expect(told.take() == [#"-[] +[] ~["Wels"]"#])
        withExtendedLifetime(token) {}
    }

    @Test("N1: sets of values and of objects are observed as collections")
    func sets() throws {
        let log = Log<Told>()
        let token = try place.run { realm in try refuge(realm).tags.observe { log.add(Told($0)) } }
        let dogs = Log<Told>()
        let other = try place.run { realm in try refuge(realm).friends.observe { dogs.add(Told($0)) } }
        #expect(log.take() == [.initial(2)])
        #expect(dogs.take() == [.initial(1)])

        try place.write { realm in
            let refuge = try refuge(realm)
            refuge.tags.insert("z")
            refuge.tags.insert("x")
            refuge.friends[0].name = "changed"
        }
        let update = try #require(log.take().first)
        if case .update(let count, let deletions, let insertions, let modifications) = update {
            #expect(count == 3 && deletions.isEmpty && insertions.count == 1 && modifications.isEmpty)
        }
        #expect(dogs.take() == [.update(1, modifications: [0])])
        withExtendedLifetime((token, other)) {}
    }

    @Test("a map is observed on another queue")
    func queue() throws {
        let realm = try place.file.open()
        let token = try refuge(realm).parks.observe(on: place.queue) { [told] in told.add(Self.text($0)) }
        place.settle()
        place.settle()
        #expect(told.take() == ["initial 2"])

        try realm.write { try refuge($0).parks["Wels"] = "x" }
        place.settle()

        #expect(told.take() == [#"-[] +["Wels"] ~[]"#])
        withExtendedLifetime(token) {}
    }
}

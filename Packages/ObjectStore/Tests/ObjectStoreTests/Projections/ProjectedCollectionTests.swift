import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Projected collections")
struct ProjectedCollectionTests {
    private let place: QueueRealm

    init() throws {
        place = try QueueRealm(try Juggler.file())
        try place.write { Juggler.fill($0) }
    }

    @Test("lists, sets, maps and backlinks show a value of each object")
    func kinds() throws {
        try place.run { realm in
            let act = try #require(realm.act(1))

            #expect(Array(act.friendNames) == ["Bo", "Cy"])
            #expect(Array(act.teacherNames) == ["Cy"])
            #expect(Array(act.understudyNames) == ["Bo"], "a key without an object has no value")
            #expect(realm.act(2).map { Array($0.admirerNames) } == ["Ada"])
            #expect(act.friendNames.count == 2)
            #expect(act.friendNames[1] == "Cy")
            #expect(act.friendNames.first == "Bo")
            #expect(act.friendNames.index(of: "Cy") == 1)
            #expect(act.friendNames.index(of: "Di") == nil)
            #expect(act.friendNames.joined(separator: " ") == "Bo Cy")
            #expect(act.friendNames.description == "ProjectedCollection<String> of 2 elements")
            #expect(act.friendNames.realm == realm)
        }
    }

    @Test("a projected collection follows the collection and its objects")
    func live() throws {
        let names = try place.run { realm in try #require(realm.act(1)).friendNames }
        try place.write { realm in
            realm.juggler(3)?.firstName = "Cyd"
            if let ed = realm.juggler(5) { realm.juggler(1)?.friends.insert(ed, at: 0) }
        }

        place.run { _ in #expect(Array(names) == ["Ed", "Bo", "Cyd"]) }
    }

    @Test("a frozen one stays as it was")
    func frozen() throws {
        let names = try place.run { realm in try #require(realm.act(1)).friendNames.freeze() }
        try place.write { $0.juggler(1)?.friends.removeAll() }

        #expect(names.isFrozen)
        #expect(Array(names) == ["Bo", "Cy"])
        place.run { _ in #expect(names.thaw().map(Array.init) == []) }
    }

    @Test("handlers are told of what came and went, and of the projected property alone")
    func observing() throws {
        let told = Log<Told>()
        let token = try place.run { realm in
            try #require(realm.act(1)).friendNames.observe { told.add(Told($0)) }
        }
        #expect(told.take() == [.initial(2)])

        try place.write { $0.juggler(2)?.firstName = "Bob" }
        #expect(told.take() == [.update(2, modifications: [0])])

        try place.write { $0.juggler(2)?.age = 50 }
        #expect(told.take().isEmpty)

        try place.write { $0.juggler(1)?.friends.remove(at: 0) }
        #expect(told.take() == [.update(1, deletions: [0])])
        withExtendedLifetime(token) {}
    }
}

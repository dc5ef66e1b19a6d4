import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Links that are followed again and again")
struct LinkedRowTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let home: Home

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
        home = try realm.write { realm in
            realm.add((1...3).map(Person.numbered))
            let owner = realm.object(ofType: Person.self, forPrimaryKey: 2)
            return realm.create(Home.self, value: ["name": "Villa", "owner": owner as Any])
        }
    }

    /// The name at the end of the link, by an accessor of its own.
    private var owner: String? { home.owner?.name }

    @Test("lead to what the target is now, whoever changed it")
    func changes() throws {
        #expect(owner == "Person 2" && owner == "Person 2")

        try realm.write { realm in
            realm.object(ofType: Person.self, forPrimaryKey: 2)?.name = "Changed"
            #expect(owner == "Changed")
            realm.object(ofType: Person.self, forPrimaryKey: 3)?.name = "Another"
            #expect(owner == "Changed")
        }
        #expect(owner == "Changed")
        try writeElsewhere(file) { $0.object(ofType: Person.self, forPrimaryKey: 2)?.name = "Elsewhere" }
        realm.refresh()

        #expect(owner == "Elsewhere")
    }

    @Test("lead to what the target was, when its change is taken back")
    func cancelled() throws {
        #expect(owner == "Person 2")

        try realm.write { realm in
            realm.object(ofType: Person.self, forPrimaryKey: 2)?.name = String(repeating: "x", count: 50_000)
            #expect(owner?.count == 50_000)
            realm.cancelWrite()
        }

        #expect(owner == "Person 2")
    }

    @Test("lead nowhere once the target is deleted, and to another one when they are set")
    func deleted() throws {
        #expect(owner == "Person 2")

        try realm.write { realm in
            if let person = home.owner { realm.delete(person) }
            #expect(owner == nil)
            home.owner = realm.object(ofType: Person.self, forPrimaryKey: 3)
        }

        #expect(owner == "Person 3")
        #expect(realm.freeze().objects(Home.self).first?.owner?.name == "Person 3")
    }
}

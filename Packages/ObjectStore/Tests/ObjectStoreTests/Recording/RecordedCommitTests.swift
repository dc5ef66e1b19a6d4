import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Recording of commits")
struct RecordedCommitTests {
    private let villa: ObservedVilla

    private var spy: ObserverSpy { villa.spy }
    private var realm: Realm { villa.realm }

    init() throws {
        villa = try ObservedVilla(people: [1, 2], ["address": ["street": "Elm Street"]])
        villa.spy.gate.open()
    }

    private func person(_ id: Int) throws -> Person {
        try #require(realm.object(ofType: Person.self, forPrimaryKey: id))
    }

    private func commit(_ body: (Realm) throws -> Void) throws -> [ClassChanges] {
        try realm.write(body)
        return spy.commits.last?.classes ?? []
    }

    @Test("insertions, deletions and modifications are told with their states before and after")
    func netChanges() throws {
        let changes = try commit { realm in
            realm.add(Person.numbered(7))
            try person(2).name = "New"
            realm.delete(try person(3))
        }

        let people = try #require(changes.first { $0.shape.name == "Person" })
        #expect(people.insertions.map(\.primaryKey) == [.int(7)])
        #expect(people.deletions.map { $0.value(1) } == [.string("Person 3")])
        #expect(people.modifications.map { $0.before.value(1) } == [.string("Person 2")])
        #expect(people.modifications.map { $0.after.value(1) } == [.string("New")])
        let commit = try #require(spy.commits.last)
        #expect(commit.versionAfter == commit.versionBefore + 1)
        #expect(people.modifications.first?.before.version == commit.versionBefore)
        #expect(people.modifications.first?.after.version == commit.versionAfter)
    }

    @Test("what cancels out is not told")
    func cancellingOut() throws {
        let changes = try commit { realm in
            let new = realm.create(Person.self, value: ["_id": 8])
            new.name = "Soon gone"
            realm.delete(new)
        }

        #expect(changes.isEmpty)
    }

    @Test("an object that is modified and deleted is deleted as it was before")
    func modifiedThenDeleted() throws {
        let changes = try commit { realm in
            let person = try person(4)
            person.name = "Changed"
            realm.delete(person)
        }

        #expect(changes.first?.deletions.map { $0.value(1) } == [.string("Person 4")])
        #expect(changes.first?.modifications.isEmpty == true)
    }

    @Test("an assignment that changes nothing is a modification")
    func sameValue() throws {
        let changes = try commit { _ in
            let person = try person(4)
            person.name = "Person 4"
        }

        #expect(changes.first?.modifications.count == 1)
    }

    @Test("deleting a target modifies those that linked to it")
    func nullifiedLinks() throws {
        let changes = try commit { realm in realm.delete(try person(1)) }

        let home = try #require(changes.first { $0.shape.name == "Home" }?.modifications.first)
        let slot = try #require(home.after.shape.slot(named: "owner"))
        #expect(!home.before.isNull(slot))
        #expect(home.after.isNull(slot))
    }

    @Test("a change inside an embedded object is told under its class and names the parent")
    func embedded() throws {
        let changes = try commit { realm in
            realm.objects(Home.self).first?.address?.street = "Oak Street"
        }

        #expect(changes.map(\.shape.name) == ["Address"])
        let modification = try #require(changes.first?.modifications.first)
        #expect(modification.parent?.className == "Home")
        #expect(modification.parent?.primaryKey == .string("Villa"))
        #expect(modification.before.value(0) == .string("Elm Street"))
        #expect(modification.after.value(0) == .string("Oak Street"))
    }

    @Test("an embedded object whose link is nullified names the parent, which was not touched itself")
    func nullifiedLinkOfEmbedded() throws {
        let spy = ObserverSpy()
        let file = try TemporaryRealm(FuzzItem.types) { $0.attachment = spy }
        let realm = try file.open()
        try realm.write { realm in
            let guest = realm.create(FuzzItem.self, value: ["id": 1])
            realm.create(FuzzItem.self, value: ["id": 2, "place": ["guest": guest, "rooms": [["visitors": [guest]]]]])
            realm.create(FuzzItem.self, value: ["id": 3, "places": [["guest": guest]]])
            realm.create(FuzzItem.self, value: ["id": 4, "placesByName": ["a": ["guest": guest]]])
        }
        spy.gate.open()
        try realm.write { realm in
            realm.delete(try #require(realm.object(ofType: FuzzItem.self, forPrimaryKey: 1)))
        }

        let changes = try #require(spy.commits.last?.classes)
        let places = try #require(changes.first { $0.shape.name == "FuzzPlace" })
        let rooms = try #require(changes.first { $0.shape.name == "FuzzRoom" })
        #expect(Set(places.modifications.map { $0.parent?.primaryKey }) == [.int(2), .int(3), .int(4)])
        #expect(rooms.modifications.map { $0.parent?.primaryKey } == [.int(2)])
        #expect(rooms.modifications.map { $0.parent?.className } == ["FuzzItem"])
    }

    @Test("replacing an embedded object modifies the parent only")
    func replacedEmbedded() throws {
        let changes = try commit { realm in
            realm.objects(Home.self).first?.address = Address(value: ["street": "New Street"])
        }

        #expect(changes.map(\.shape.name) == ["Home"])
        #expect(changes.first?.modifications.count == 1)
    }

    @Test("a transaction that changes nothing is told as nothing with the version it found, one that fails is not told")
    func nothing() throws {
        try realm.write { _ in }
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in realm.create(Person.self, value: ["_id": 1]) }
        }

        #expect(spy.commits.map(\.classes.count) == [0])
        #expect(spy.commits.allSatisfy { $0.versionBefore == $0.versionAfter })
    }
}

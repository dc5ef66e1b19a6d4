import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Observation of reads")
struct ReadObservationTests {
    private let spy: ObserverSpy
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        let spy = ObserverSpy()
        self.spy = spy
        file = try TemporaryRealm { $0.attachment = spy }
        realm = try file.open()
        try realm.write { realm in
            realm.add((1...4).map(Person.numbered))
            realm.create(
                Home.self,
                value: [
                    "name": "Villa",
                    "owner": realm.object(ofType: Person.self, forPrimaryKey: 1) as Any,
                    "people": [2, 3].map { realm.object(ofType: Person.self, forPrimaryKey: $0) as Any },
                    "address": ["street": "Elm Street", "city": "Linz"],
                    "formerAddresses": [["street": "Oak Street"]],
                    "dogs": [["name": "Rex"]],
                    "tags": ["old"],
                    "ratings": [1, nil] as [Any?],
                ]
            )
        }
    }

    private func ids(_ snapshots: [ObjectSnapshot]) -> [Value] { snapshots.map(\.primaryKey) }

    @Test("the attachment is asked with the path of the file, and the observer serves instances without attachment")
    func attachment() throws {
        #expect(spy.realms.map(\.path) == [file.configuration.fileURL?.path])
        #expect(realm.observer === spy)
        let other = try file.open { $0.attachment = nil }
        #expect(other.observer === spy)
    }

    @Test("nothing is told while the gate is closed")
    func closedGate() {
        _ = realm.objects(Person.self).first
        _ = realm.objects(Home.self).first?.owner

        #expect(spy.calls.isEmpty)
        #expect(spy.commits.isEmpty)
    }

    @Test("an object found by its key is read, a miss is nil and tells nothing")
    func primaryKey() throws {
        let calls = spy.record {
            #expect(realm.object(ofType: Person.self, forPrimaryKey: 2)?.name == "Person 2")
            #expect(realm.object(ofType: Person.self, forPrimaryKey: 99) == nil)
        }

        #expect(calls.count == 1)
        let snapshot = try #require(calls.first?.read)
        #expect(snapshot.isWhole)
        #expect(snapshot.primaryKey == .int(2))
    }

    @Test("all objects of a class are read one by one, counting tells nothing")
    func wholeClass() {
        let calls = spy.record {
            #expect(realm.objects(Person.self).count == 4)
            for person in realm.objects(Person.self) { _ = person.name }
        }

        #expect(calls.count == 4)
    }

    @Test("a query is told once with all matches in its order, then the elements that are taken out")
    func query() throws {
        let calls = spy.record {
            let people = realm.objects(Person.self).sorted(byKeyPath: "_id", ascending: false)
            #expect(people.first?._id == 4)
            #expect(people[1]._id == 3)
            #expect(people.count == 4)
        }

        #expect(calls.count == 2)
        let matches = try #require(calls.first?.matches)
        #expect(ids(matches) == [.int(4), .int(3), .int(2), .int(1)])
        let element = try #require(calls.last?.read)
        #expect(element.primaryKey == .int(3))
    }

    @Test("a query without matches is told when it is evaluated")
    func emptyQuery() throws {
        let calls = spy.record {
            #expect(realm.objects(Person.self).where { $0._id > 99 }.first == nil)
        }

        let matches = try #require(calls.first?.matches)
        #expect(matches.isEmpty)
    }

    @Test("a result that was told is told again to whoever begins to listen later")
    func laterListener() throws {
        let people = realm.objects(Person.self).where { $0._id > 1 }
        _ = spy.record { _ = people.first }

        let calls = spy.record { _ = people.first }

        #expect(calls.count == 1)
        #expect(calls.first?.matches?.count == 3)
    }

    @Test("a snapshot is whole: keys of links, embedded objects and collections are in it")
    func wholeSnapshot() throws {
        let calls = spy.record { _ = realm.objects(Home.self).first }

        let home = try #require(calls.first?.read)
        func value(_ name: String) throws -> Value { home.value(try #require(home.shape.slot(named: name))) }
        #expect(try value("owner") == .link(ObjectReference(className: "Person", key: 1, primaryKey: .int(1))))
        #expect(try value("watchdog") == .null)
        #expect(
            try value("people")
                == .list([
                    .link(ObjectReference(className: "Person", key: 2, primaryKey: .int(2))),
                    .link(ObjectReference(className: "Person", key: 3, primaryKey: .int(3))),
                ])
        )
        let slot = try #require(home.shape.slot(named: "address"))
        let address = try #require(home.packedValue(slot)?.embedded)
        #expect(address.value(0) == .string("Elm Street"))
        #expect(try value("tags") == .list([.string("old")]))
        #expect(try value("ratings") == .list([.int(1), .null]))
    }

    @Test("following a link tells the parent and the target")
    func link() throws {
        let home = try #require(realm.objects(Home.self).first)

        let calls = spy.record { _ = home.owner?.name }

        let (parent, slot, target, all) = try #require(calls.first?.followed)
        #expect(calls.count == 1)
        #expect(parent.className == "Home")
        #expect(target.shape.name == "Person")
        #expect(slot == 1)
        #expect(all == [target])
    }

    @Test("elements of a list are followed by index and by iteration, with all targets; embedded ones are not")
    func list() throws {
        let home = try #require(realm.objects(Home.self).first)

        let byIndex = spy.record { _ = home.people[1] }
        let byIteration = spy.record { for person in home.people { _ = person.name } }
        let embedded = spy.record {
            _ = home.address?.street
            for address in home.formerAddresses { _ = address.street }
        }

        let (_, _, target, all) = try #require(byIndex.first?.followed)
        #expect(target.primaryKey == .int(3))
        #expect(ids(all) == [.int(2), .int(3)])
        #expect(byIteration.count == 2)
        #expect(embedded.isEmpty)
    }

    @Test("inside a write objects are told as they were before, and new ones are not")
    func insideWrite() throws {
        let calls = try spy.record {
            try realm.write { realm in
                let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
                person.name = "Changed"
                realm.add(Person.numbered(9))
                #expect(realm.object(ofType: Person.self, forPrimaryKey: 1)?.name == "Changed")
                #expect(realm.object(ofType: Person.self, forPrimaryKey: 9) != nil)
                #expect(realm.objects(Person.self).where { $0._id.in([1, 9]) }.map(\._id) == [1, 9])
                realm.cancelWrite()
            }
        }

        #expect(calls.count == 3)
        let read = try #require(calls[1].read)
        #expect(read.value(1) == .string("Person 1"))
        let matches = try #require(calls[2].matches)
        #expect(ids(matches) == [.int(1)])
        #expect(matches.first?.value(1) == .string("Person 1"))
        #expect(spy.commits.isEmpty)
    }
}

@Suite("Observation of commits")
struct CommitObservationTests {
    private let spy: ObserverSpy
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        let spy = ObserverSpy()
        self.spy = spy
        file = try TemporaryRealm { $0.attachment = spy }
        realm = try file.open()
        try realm.write { realm in
            realm.add((1...4).map(Person.numbered))
            realm.create(
                Home.self,
                value: [
                    "name": "Villa",
                    "owner": realm.object(ofType: Person.self, forPrimaryKey: 1) as Any,
                    "people": [1, 2].map { realm.object(ofType: Person.self, forPrimaryKey: $0) as Any },
                    "address": ["street": "Elm Street"],
                ]
            )
        }
        spy.gate.open()
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

    @Test("a transaction that fails or changes nothing is told as nothing or not at all")
    func nothing() throws {
        try realm.write { _ in }
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in realm.create(Person.self, value: ["_id": 1]) }
        }

        #expect(spy.commits.isEmpty)
    }
}

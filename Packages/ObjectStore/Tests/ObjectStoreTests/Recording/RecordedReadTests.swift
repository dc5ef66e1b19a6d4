import EventModel
import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Recording of reads")
struct RecordedReadTests {
    private let villa: ObservedVilla

    private var spy: ObserverSpy { villa.spy }
    private var file: TemporaryRealm { villa.file }
    private var realm: Realm { villa.realm }

    init() throws {
        villa = try ObservedVilla(
            people: [2, 3],
            [
                "address": ["street": "Elm Street", "city": "Linz"],
                "formerAddresses": [["street": "Oak Street"]],
                "dogs": [["name": "Rex"]],
                "tags": ["old"],
                "ratings": [1, nil] as [Any?],
            ]
        )
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

    @Test("a query without matches is told when it is evaluated, with what it asked for")
    func emptyQuery() throws {
        let calls = spy.record {
            #expect(realm.objects(Person.self).where { $0._id > 99 }.first == nil)
        }

        let matches = try #require(calls.first?.matches)
        #expect(matches.isEmpty)
        #expect(spy.searches == [SearchTerms(predicate: "_id > 99")])
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

    @Test("an element that changed is told as it is, though the list itself did not change", arguments: [true, false])
    func changedElement(isElsewhere: Bool) throws {
        let home = try #require(realm.objects(Home.self).first)
        _ = spy.record { _ = home.people[1] }

        if isElsewhere {
            try writeElsewhere(file) { $0.object(ofType: Person.self, forPrimaryKey: 3)?.name = "Changed" }
            realm.refresh()
        } else {
            try realm.write { $0.object(ofType: Person.self, forPrimaryKey: 3)?.name = "Changed" }
        }
        let calls = spy.record { #expect(home.people[1].name == "Changed") }

        let (_, _, target, all) = try #require(calls.first?.followed)
        let name = try #require(target.shape.slot(named: "name"))
        #expect(target.value(name) == .string("Changed"))
        #expect(all.map { $0.value(name) } == [.string("Person 2"), .string("Changed")])
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

import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Recording of what is shown")
struct ShownObjectTests {
    private let villa: ObservedVilla

    private var spy: ObserverSpy { villa.spy }
    private var realm: Realm { villa.realm }

    init() throws {
        villa = try ObservedVilla(
            people: [2, 3],
            ["address": ["street": "Elm Street"], "tags": ["old"]],
            spy: ObserverSpy(seesShownObjects: true)
        )
    }

    private func person(_ id: Int) throws -> Person {
        try #require(realm.object(ofType: Person.self, forPrimaryKey: id))
    }

    private func home() throws -> Home { try #require(realm.objects(Home.self).first) }

    /// The primary keys of what was told as read, in order; nil for queries and links.
    private func keys(_ calls: [ObserverSpy.Call]) -> [Value?] { calls.map { $0.read?.primaryKey } }

    @Test("an object that was got before is told when a property is read, once for each opening of the gate")
    func gotBefore() throws {
        let (shown, other) = (try person(2), try person(3))
        _ = (shown.name, other.name)

        let calls = spy.record { _ = (shown.name, shown.score, shown.name) }

        #expect(keys(calls) == [.int(2)])
        #expect(calls.first?.read?.isWhole == true)
        #expect(keys(spy.record { _ = (other.name, shown.name) }) == [.int(3), .int(2)])
        #expect(spy.record {}.isEmpty)
    }

    @Test("an observer that wants to know what is handed out is not told of an object that was got before")
    func handedOut() throws {
        let villa = try ObservedVilla(people: [], [:])
        let person = try #require(villa.realm.object(ofType: Person.self, forPrimaryKey: 2))

        #expect(villa.spy.record { _ = person.name }.isEmpty)
    }

    @Test("what a look-up, a query, a link or a list hands out is not told again when it is shown")
    func toldAlready() throws {
        let calls = try spy.record {
            _ = try person(2).name
            for person in realm.objects(Person.self).filter("_id > 2") { _ = person.name }
            let home = try home()
            _ = home.owner?.name
            for person in home.people { _ = person.name }
        }

        let expected: [Value?] = [.int(2), nil, .string("Villa"), nil, nil, nil]
        #expect(keys(calls) == expected)
    }

    @Test("the rest of an iteration that began before is told")
    func iteration() {
        var iterator = realm.objects(Person.self).makeIterator()
        _ = iterator.next()?.name

        let calls = spy.record { while let person = iterator.next() { _ = person.name } }

        #expect(keys(calls).contains(.int(4)))
        #expect(Set(keys(calls)) == [.int(2), .int(3), .int(4)])
    }

    @Test("an object that another writer changed is told anew with what is shown, one that it left alone is not")
    func changedElsewhere() throws {
        let (changed, same) = (try person(2), try person(3))
        let calls = try spy.record {
            _ = (changed.name, same.name)
            try writeElsewhere(villa.file) { realm in
                realm.object(ofType: Person.self, forPrimaryKey: 2)?.name = "Changed"
            }
            realm.refresh()
            #expect(changed.name == "Changed")
            _ = (changed.score, same.name)
        }

        // The other instance looked the person up, too.
        #expect(keys(calls) == [.int(2), .int(3), .int(2), .int(2)])
        let last = try #require(calls.last?.read)
        #expect(last.value(try #require(last.shape.slot(named: "name"))) == .string("Changed"))
    }

    @Test("what the program wrote itself is in the event of its transaction, and not told as read")
    func ownWrite() throws {
        let person = try person(2)
        let calls = try spy.record {
            _ = person.name
            try realm.write {
                person.name = "Mine"
                _ = person.name
                realm.add(Person.numbered(9))
            }
            #expect(person.name == "Mine")
            try realm.write {}
            #expect(person.name == "Mine")
        }

        #expect(keys(calls) == [.int(2)])
        #expect(spy.commits.last(where: { !$0.classes.isEmpty })?.classes.first?.modifications.count == 1)
    }

    @Test("asking whether an object exists and writing to it tells nothing, reading it afterwards does")
    func notShown() throws {
        let (person, home) = (try person(2), try home())
        let calls = try spy.record {
            #expect(!person.isInvalidated)
            try realm.write {
                person.name = "New"
                home.owner = person
            }
            #expect(!person.isInvalidated)
        }

        #expect(calls.isEmpty)
        let shown = try spy.record {
            #expect(!person.isInvalidated)
            try realm.write { person.score = 7 }
            _ = person.score
        }
        #expect(keys(shown) == [.int(2)])
        #expect(shown.first?.read?.isWhole == true)
    }

    @Test("a property that is read in a transaction is told as it was before, a new object is not")
    func transaction() throws {
        let person = try person(2)
        let calls = try spy.record {
            try realm.write {
                person.name = "New"
                _ = person.name
                _ = realm.create(Person.self, value: ["_id": 77, "name": "Baby"]).name
            }
        }

        let snapshot = try #require(calls.first?.read)
        #expect(calls.count == 1)
        #expect(snapshot.value(try #require(snapshot.shape.slot(named: "name"))) == .string("Person 2"))
    }

    @Test("an embedded object that is shown tells the object around it")
    func embedded() throws {
        let address = try #require(try home().address)

        let calls = try spy.record {
            _ = address.street
            try writeElsewhere(villa.file) { realm in
                realm.objects(Home.self).filter("name == 'Villa'").first?.address?.street = "New Street"
            }
            realm.refresh()
            #expect(address.street == "New Street")
        }

        let homes = calls.compactMap(\.read)
        #expect(homes.map(\.primaryKey) == [.string("Villa"), .string("Villa")])
        let streets = homes.map { home in
            home.shape.slot(named: "address").flatMap { home.packedValue($0)?.embedded.value(0) }
        }
        #expect(streets == [.string("Elm Street"), .string("New Street")])
    }

    @Test("a list of values that was got before tells its object, and again when another writer changed it")
    func values() throws {
        let tags = try home().tags

        let calls = try spy.record {
            #expect(Array(tags) == ["old"])
            _ = (tags.count, tags.first)
            try writeElsewhere(villa.file) { realm in
                realm.object(ofType: Home.self, forPrimaryKey: "Villa")?.tags.append("new")
            }
            realm.refresh()
            #expect(Array(tags) == ["old", "new"])
        }

        // The other instance looked the home up, too.
        #expect(keys(calls) == [.string("Villa"), .string("Villa"), .string("Villa")])
    }

    @Test("a gate that is opened on another thread in the middle of a turn is noticed at the next read")
    func otherThread() throws {
        let person = try person(2)
        _ = person.name

        try onThread { [spy] in spy.gate.open() }
        _ = (person.name, person.score)
        spy.gate.close()
        _ = person.score

        #expect(keys(spy.calls) == [.int(2)])
    }

    @Test("a frozen object is told once for each opening, whichever threads show it")
    func frozen() throws {
        // SAFETY: frozen objects may be used on any thread.
        nonisolated(unsafe) let frozen = try person(2).freeze()
        // SAFETY: the same.
        nonisolated(unsafe) let address = try #require(try home().freeze().address)
        _ = frozen.name

        let calls = try spy.record {
            for _ in 0..<3 { try onThread { _ = (frozen.name, address.street) } }
        }

        #expect(keys(calls) == [.int(2), .string("Villa")])
        #expect(keys(spy.record { _ = frozen.name }) == [.int(2)])
    }
}

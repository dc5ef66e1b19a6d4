import EventModel
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What an observer is told of rows before a transaction")
struct RowsBeforeTests {
    private let villa: ObservedVilla

    private var spy: ObserverSpy { villa.spy }
    private var realm: Realm { villa.realm }

    init() throws { villa = try ObservedVilla(people: [1, 2], ["address": ["street": "Elm Street"]]) }

    private func person(_ id: Int) throws -> Person {
        try #require(realm.object(ofType: Person.self, forPrimaryKey: id))
    }

    private func names(_ snapshots: [ObjectSnapshot]) -> [Value] { snapshots.map { $0.value(1) } }

    @Test("rows without links are kept by the transaction, so that no second connection is opened")
    func noSecondConnection() throws {
        spy.gate.open()
        try realm.write { realm in
            let second = try person(2)
            second.name = "Once"
            second.name = "Twice"
            realm.delete(try person(3))
            realm.add(Person.numbered(7))
        }

        let people = try #require(spy.commits.last?.classes.first { $0.shape.name == "Person" })
        #expect(names(people.modifications.map(\.before)) == [.string("Person 2")])
        #expect(names(people.modifications.map(\.after)) == [.string("Twice")])
        #expect(names(people.deletions) == [.string("Person 3")])
        #expect(realm.core.recording.past == nil)
    }

    @Test("a read in the transaction shows the state before it, whatever the transaction did")
    func reads() throws {
        spy.gate.open()
        try realm.write { realm in
            try person(2).name = "New"
            realm.add(Person.numbered(7))
            let before = spy.calls.count
            _ = try (person(1), person(2), person(7))

            #expect(names(spy.calls[before...].compactMap(\.read)) == [.string("Person 1"), .string("Person 2")])
        }
        #expect(realm.core.recording.past == nil)
    }

    @Test("an observer that begins to listen in the middle of a transaction is told of all of it")
    func lateObserver() throws {
        try realm.write { realm in
            try person(2).name = "Early"
            realm.delete(try person(3))
            spy.gate.open()
            try person(2).name = "Late"
            try person(4).name = "Late"
        }

        let people = try #require(spy.commits.last?.classes.first { $0.shape.name == "Person" })
        #expect(names(people.modifications.map(\.before)) == [.string("Person 2"), .string("Person 4")])
        #expect(names(people.modifications.map(\.after)) == [.string("Late"), .string("Late")])
        #expect(names(people.deletions) == [.string("Person 3")])
    }

    @Test("a transaction that was cancelled leaves no row behind for the next one")
    func cancelled() throws {
        spy.gate.open()
        realm.beginWrite()
        try person(2).name = "Cancelled"
        realm.cancelWrite()
        try realm.write { try person(2).name = "Kept" }

        let people = try #require(spy.commits.last?.classes.first)
        #expect(names(people.modifications.map(\.before)) == [.string("Person 2")])
    }

    @Test("deleting everything tells each object as it was before, also those that were changed first")
    func deleteAll() throws {
        spy.gate.open()
        try realm.write { realm in
            try person(2).name = "Changed"
            realm.add(Person.numbered(7))
            realm.deleteAll()
        }

        let people = try #require(spy.commits.last?.classes.first { $0.shape.name == "Person" })
        #expect(names(people.deletions) == (1...4).map { .string("Person \($0)") })
        #expect(people.modifications.isEmpty)
        #expect(people.insertions.isEmpty)
    }
}

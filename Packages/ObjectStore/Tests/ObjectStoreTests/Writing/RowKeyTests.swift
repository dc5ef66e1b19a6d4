import EventModel
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Primary keys that are row keys")
struct RowKeyTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm(Sample.types)
        realm = try file.open()
    }

    private func person(_ id: Int) -> Person? { realm.object(ofType: Person.self, forPrimaryKey: id) }

    private func texts(_ sql: String) throws -> [String] {
        let statement = try realm.core.store.connection.prepare(sql)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0)) }
        return texts
    }

    // MARK: Tables

    @Test("a required integer has no column and no index, other keys have both")
    func columns() throws {
        let indexes = try texts("SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE '%$key'")

        #expect(try texts("SELECT name FROM pragma_table_info('Person')").first == "$key")
        #expect(try !texts("SELECT name FROM pragma_table_info('Person')").contains("_id"))
        #expect(!indexes.contains("Person._id$key"))
        #expect(try texts("SELECT name FROM pragma_table_info('Home')").contains("name"))
        #expect(indexes.contains("Home.name$key"))
    }

    @Test("any integer is a key: it is found, read, sorted and compared", arguments: [true, false])
    func values(isCreated: Bool) throws {
        let ids = [3, Int.max, -1, 0, Int.min, Int.min + 1, Int.max - 1, -64]
        try realm.write { realm in
            for id in ids {
                if isCreated {
                    realm.create(Person.self, value: ["_id": id])
                } else {
                    realm.add(Person(value: ["_id": id]))
                }
            }
        }

        for id in ids { #expect(person(id)?._id == id) }
        #expect(person(1) == nil)
        let people = realm.objects(Person.self)
        #expect(people.map(\._id) == ids.sorted(), "Without an order they come in that of their row keys.")
        #expect(people.sorted(byKeyPath: "_id", ascending: false).map(\._id) == ids.sorted(by: >))
        #expect(people.where { $0._id < 0 }.map(\._id) == ids.sorted().filter { $0 < 0 })
        #expect(people.where { $0._id.in([Int.max, Int.min, 7]) }.map(\._id) == [.min, .max])
        #expect(people.filter("_id > 2.5 AND _id <= %@", Int.max - 1).map(\._id) == [3, Int.max - 1])
        #expect(people.max(of: \._id) == .max)
        #expect(people.min(of: \._id) == .min)
        #expect(people.distinct(by: ["_id"]).count == ids.count)
        try realm.write { for id in ids { person(id)?.name = "\(id)" } }
        #expect(people.map(\.name) == ids.sorted().map { "\($0)" })
        try realm.write { $0.delete(people) }
        #expect(people.isEmpty)
    }

    @Test("a key that is there is refused, and the object that has it stays", arguments: [true, false])
    func duplicate(isCreated: Bool) throws {
        try realm.write { $0.add(Person.numbered(5)) }
        let old = try #require(person(5))
        let new = Person.numbered(5)

        let error = #expect(throws: Realm.Error.self) {
            try realm.write { realm in
                if isCreated { realm.create(Person.self, value: ["_id": 5]) } else { realm.add(new) }
            }
        }

        #expect(error?.code == .objectAlreadyExists)
        #expect(error?.details == ["5"])
        #expect(old.name == "Person 5")
        #expect(isCreated || new.isInvalidated)
    }

    @Test("an enumeration and a small integer are row keys as well")
    func otherIntegers() throws {
        let file = try TemporaryRealm([RowKeyed.Level.self, RowKeyed.Tiny.self])
        let realm = try file.open()
        try realm.write { realm in
            realm.create(RowKeyed.Level.self, value: ["grade": 7, "title": "high"])
            realm.create(RowKeyed.Tiny.self, value: ["number": -128])
        }

        #expect(realm.object(ofType: RowKeyed.Level.self, forPrimaryKey: RowKeyed.Grade.high)?.title == "high")
        #expect(realm.objects(RowKeyed.Level.self).where { $0.grade == .high }.count == 1)
        #expect(realm.object(ofType: RowKeyed.Tiny.self, forPrimaryKey: Int8.min)?.number == -128)
        #expect(throws: Realm.Error.self) {
            try realm.write { $0.create(RowKeyed.Tiny.self, value: ["number": 128]) }
        }
    }

    // MARK: Coming again

    @Test("an object that is deleted and created again in one transaction is another one")
    func again() throws {
        try realm.write { $0.add([Person.numbered(1), Person.numbered(2)]) }
        let (used, other) = (try #require(person(1)), try #require(person(1)))
        let noticed = try #require(person(2))
        try realm.write { realm in
            realm.delete(used)
            realm.create(Person.self, value: ["_id": 1, "name": "New"])
            realm.delete(realm.objects(Person.self).where { $0._id == 2 })
            #expect(noticed.isInvalidated)
            realm.create(Person.self, value: ["_id": 2, "name": "Newer"])
        }

        #expect(used.isInvalidated, "What it was deleted by stays invalid.")
        #expect(noticed.isInvalidated, "What saw that it was gone stays invalid.")
        #expect(other.name == "New", "What saw nothing shows the object of its key.")
        #expect(person(1)?.name == "New")
        #expect(person(2)?.name == "Newer")
    }

    @Test("when that is cancelled, the old object is there again")
    func cancelled() throws {
        try realm.write { $0.add(Person.numbered(1)) }
        let old = try #require(person(1))

        realm.beginWrite()
        realm.delete(old)
        let new = realm.create(Person.self, value: ["_id": 1, "name": "New"])
        realm.cancelWrite()

        #expect(new.isInvalidated)
        #expect(!old.isInvalidated)
        #expect(old.name == "Person 1")
    }

    @Test("an observer is told of both, and of nothing else")
    func events() throws {
        let spy = ObserverSpy()
        spy.gate.open()
        let realm = try TemporaryRealm(Sample.types) { $0.attachment = spy }.open()
        try realm.write { $0.add([Person.numbered(1), Person.numbered(2)]) }

        try realm.write { realm in
            let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
            person.name = "Changed"
            realm.delete(person)
            realm.create(Person.self, value: ["_id": 1, "name": "New"]).score = 3
            realm.create(Person.self, value: ["_id": -5])
        }

        let changes = try #require(spy.commits.last?.classes.first { $0.shape.name == "Person" })
        #expect(changes.deletions.map { $0.value(1) } == [.string("Person 1")])
        #expect(changes.insertions.map(\.primaryKey) == [.int(-5), .int(1)])
        #expect(changes.insertions.last?.value(3) == .double(3))
        #expect(changes.modifications.isEmpty)
    }

    @Test("links to the old object are gone, and do not lead to the new one")
    func links() throws {
        try realm.write { realm in
            let home = realm.create(Home.self, value: ["name": "Villa"])
            home.owner = Person.numbered(1)
            home.people.append(objectsIn: [Person.numbered(2), home.owner].compactMap { $0 })
        }
        let home = try #require(realm.objects(Home.self).first)

        try realm.write { realm in
            realm.delete(try #require(person(1)))
            realm.add(Person.numbered(1))
        }

        #expect(home.owner == nil)
        #expect(home.people.map(\._id) == [2])
    }
}

enum RowKeyed {
    enum Grade: Int, PersistableEnum {
        case low = -3
        case high = 7
    }

    final class Level: Object {
        @Persisted(primaryKey: true) var grade: Grade
        @Persisted var title: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Tiny: Object {
        @Persisted(primaryKey: true) var number: Int8
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

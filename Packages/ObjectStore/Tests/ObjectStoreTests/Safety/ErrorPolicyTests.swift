import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// A data error inside of a write, and what its message must carry.
private struct DataError: Sendable {
    let situation: String
    let code: Realm.Error.Code
    let words: [String]
    let change: @Sendable (MutatorFixture) -> Void

    init(
        _ situation: String,
        _ words: [String],
        code: Realm.Error.Code = .invalidInput,
        _ change: @escaping @Sendable (MutatorFixture) -> Void
    ) {
        self.situation = situation
        self.code = code
        self.words = words
        self.change = change
    }

    /// One for each row of the table of errors that dooms a transaction.
    static let all: [DataError] = [
        DataError("duplicate primary key, added", ["Person", "update policy"], code: .objectAlreadyExists) {
            $0.realm.add(Person.numbered(1))
        },
        DataError("duplicate primary key, created", ["Person", "update policy"], code: .objectAlreadyExists) {
            $0.realm.create(Person.self, value: ["_id": 1])
        },
        DataError("wrong type in a value", ["String", "Person.employeeId", "int"]) {
            $0.realm.create(Person.self, value: ["_id": 9, "employeeId": "five"])
        },
        DataError("wrong type by key", ["String", "Person.employeeId", "int"]) { $0.person["employeeId"] = "five" },
        DataError("wrong type in a list", ["Int", "Home.tags"]) { $0.home["tags"] = [5] },
        DataError("null for a required value", ["null", "Person.name"]) {
            $0.realm.create(Person.self, value: ["_id": 9, "name": NSNull()])
        },
        DataError("null for a required value by key", ["null", "Person.name"]) { $0.person["name"] = nil },
        DataError("too many values", ["7 values", "Person", "6 properties"]) {
            $0.realm.create(Person.self, value: [9, "x", 1, 1.5, NSNull(), true, 7])
        },
        DataError("no value at all", ["Person"]) { $0.realm.create(Person.self, value: NSNull()) },
        DataError("object of another realm, added", ["Person", "another realm", "create"]) {
            $0.realm.add(otherPerson())
        },
        DataError("object of another realm, linked", ["Person", "another realm", "create"]) {
            $0.home.owner = otherPerson()
        },
        DataError("object of another realm, deleted", ["Person", "not manage"]) { $0.realm.delete(otherPerson()) },
        DataError("unmanaged object, deleted", ["Person", "not manage"]) { $0.realm.delete(Person()) },
        DataError("deleted object, added", ["Dog", "deleted"]) { $0.realm.add(deletedDog($0.realm)) },
        DataError("deleted object, created from", ["Dog", "deleted"]) {
            $0.realm.create(Dog.self, value: deletedDog($0.realm))
        },
        DataError("deleted object, linked", ["Dog", "deleted"]) { $0.home.watchdog = deletedDog($0.realm) },
        DataError("deleted object, appended", ["Dog", "deleted"]) { $0.home.dogs.append(deletedDog($0.realm)) },
        DataError("update without a primary key", ["Dog", "no primary key"]) { $0.realm.add(Dog(), update: .all) },
        DataError("embedded object with two parents", ["Address", "one"]) {
            $0.home.formerAddresses.append($0.address)
        },
        DataError("wrong class for a link", ["Person", "Home.watchdog", "Dog"]) { $0.home["watchdog"] = $0.person },
        DataError("wrong class in a list", ["Person", "Home.dogs", "Dog"]) { $0.home["dogs"] = [$0.person] },
        DataError("primary key changed", ["primary key", "Person"]) { $0.person._id = 7 },
        DataError("primary key changed by key", ["primary key", "Person"]) { $0.person["_id"] = 7 },
        DataError("cycle in a value", ["Node", "refers back"]) { fixture in
            let node = Node(value: ["id": "a"])
            node.next = Node(value: ["id": "b"])
            node.next?.next = node
            fixture.realm.create(Node.self, value: node)
        },
        DataError("value nested too deep", ["Node", "nested deeper"]) { fixture in
            var value: [String: Any] = ["id": "0"]
            for number in 1...1000 { value = ["id": "\(number)", "next": value] }
            fixture.realm.create(Node.self, value: value)
        },
        DataError("class that the realm does not manage", ["Unmanaged", "not managed"]) {
            $0.realm.create(Unmanaged.self, value: [:])
        },
    ]

    private static func otherPerson() -> Person {
        // Kept open by the object.
        let configuration = Realm.Configuration(inMemoryIdentifier: "other", objectTypes: Sample.types)
        guard let other = try? Realm(configuration: configuration),
            let person = try? other.write({ other.create(Person.self, value: ["_id": 5], update: .all) })
        else { return Person() }
        return person
    }

    private static func deletedDog(_ realm: Realm) -> Dog {
        let dog = realm.create(Dog.self)
        realm.delete(dog)
        return dog
    }
}

private class Unmanaged: Object {
    @Persisted var number: Int

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("A data error in a write is thrown by it, and nothing of the write stays")
struct ErrorPolicyTests {
    @Test("row 6: one row of the table of errors", arguments: DataError.all.indices)
    func doomed(index: Int) throws {
        let row = DataError.all[index]
        let file = try TemporaryRealm(MutatorFixture.types)
        let realm = try file.open()
        try MutatorFixture.fill(realm)
        let fixture = try #require(MutatorFixture(realm))
        let before = try FileDump(realm).lines()
        var isAtEnd = false

        let error = #expect(throws: Realm.Error.self) {
            try realm.write {
                realm.add((100..<103).map(Person.numbered))
                row.change(fixture)
                #expect(realm.transactionError != nil, "\(row.situation)")
                realm.add(Person.numbered(200))
                isAtEnd = true
            }
        }

        #expect(isAtEnd, "The block must run on.")
        #expect(error?.code == row.code, "\(row.situation): \(String(describing: error))")
        for word in row.words {
            #expect(error?.message.contains(word) == true, "\(row.situation): \(error?.message ?? "")")
        }
        #expect(error?.message.contains("five") == false, "A message must hold no user data.")
        #expect(try FileDump(realm).lines() == before, "\(row.situation)")
        #expect(!realm.isInWriteTransaction)
        try realm.write { realm.add(Person.numbered(100)) }
        #expect(realm.objects(Person.self).count == 4)
    }

    @Test("the same from 'beginWrite' to 'commitWrite'", arguments: DataError.all.indices)
    func committed(index: Int) throws {
        let row = DataError.all[index]
        let file = try TemporaryRealm(MutatorFixture.types)
        let realm = try file.open()
        try MutatorFixture.fill(realm)
        let fixture = try #require(MutatorFixture(realm))

        realm.beginWrite()
        row.change(fixture)
        #expect(throws: Realm.Error(row.code, "")) { try realm.commitWrite() }

        #expect(!realm.isInWriteTransaction)
        #expect(realm.objects(Person.self).count == 3)
    }

    @Test("all problems of a schema are thrown at once by opening")
    func schema() {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "schema problems",
            objectTypes: [TwoKeys.self, KeyedPart.self]
        )

        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }

        #expect(error?.details.count == 2, "\(String(describing: error?.details))")
    }
}

private class TwoKeys: Object {
    @Persisted(primaryKey: true) var first: Int
    @Persisted(primaryKey: true) var second: Int

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class KeyedPart: EmbeddedObject {
    @Persisted(primaryKey: true) var number: Int

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

#if os(Linux) || os(macOS)
/// A misuse, and what its sentence must carry.
private struct Trap: Sendable {
    let situation: String
    let words: [String]
    let misuse: @Sendable (MutatorFixture) -> Void

    init(_ situation: String, _ words: [String], _ misuse: @escaping @Sendable (MutatorFixture) -> Void) {
        self.situation = situation
        self.words = words
        self.misuse = misuse
    }

    /// One for each row of the table of errors that traps; threads and changes outside of a write are elsewhere.
    static let all: [Trap] = [
        Trap("write in a write", ["nested writes"]) { fixture in
            fixture.realm.beginWrite()
            fixture.realm.beginWrite()
        },
        Trap("commit without a write", ["not in a write transaction"]) { try? $0.realm.commitWrite() },
        Trap("cancel without a write", ["not in a write transaction"]) { $0.realm.cancelWrite() },
        Trap("property of a deleted object", ["Person.name", "deleted", "isInvalidated"]) { fixture in
            try? fixture.realm.write { fixture.realm.delete(fixture.person) }
            _ = fixture.person.name
        },
        Trap("list of a deleted object", ["Home.tags", "deleted", "isInvalidated"]) { fixture in
            let tags = fixture.home.tags
            try? fixture.realm.write { fixture.realm.delete(fixture.home) }
            _ = tags.count
        },
        Trap("property of an invalidated realm", ["Person.name", "invalidated"]) { fixture in
            fixture.realm.invalidate()
            _ = fixture.person.name
        },
        Trap("result of an invalidated realm", ["Person", "invalidated"]) { fixture in
            let people = fixture.realm.objects(Person.self)
            fixture.realm.invalidate()
            _ = people.count
        },
        Trap("index beyond a result", ["index 3", "3"]) { _ = $0.realm.objects(Person.self)[3] },
        Trap("negative index", ["index -1"]) { _ = $0.realm.objects(Person.self)[-1] },
        Trap("index beyond a list", ["index 3", "3 elements"]) { _ = $0.home.tags[3] },
        Trap("removal beyond a list", ["3 elements"]) { fixture in
            fixture.realm.beginWrite()
            fixture.home.tags.remove(at: 3)
        },
        Trap("unknown property by key", ["Person", "nam"]) { _ = $0.person["nam"] },
        Trap("unknown property set by key", ["Person", "nam"]) { $0.person["nam"] = 1 },
        Trap("unknown path in an order", ["Person", "nam"]) {
            _ = $0.realm.objects(Person.self).sorted(byKeyPath: "nam").count
        },
        Trap("unknown path in a predicate", ["Person", "nam"]) {
            _ = $0.realm.objects(Person.self).filter("nam = 1").count
        },
        Trap("malformed predicate", ["predicate"]) { _ = $0.realm.objects(Person.self).filter("name = = 1").count },
        Trap("class that the realm does not manage", ["Unmanaged", "not managed"]) {
            _ = $0.realm.objects(Unmanaged.self).count
        },
        Trap("key of a class without one", ["Dog", "no primary key"]) {
            _ = $0.realm.object(ofType: Dog.self, forPrimaryKey: 1)
        },
        Trap("wrong type in an initializer", ["Person", "name"]) { _ in _ = Person(value: ["name": 5]) },
        Trap("observation of an unmanaged object", ["Person"]) { _ in
            _ = Person().observe { (_: ObjectChange<Person>) in }
        },
    ]
}

@Suite("A misuse ends the process with a sentence")
struct TrapTests {
    @Test("each row of the table of errors that traps")
    func traps() async {
        await #expect(processExitsWith: .success) {
            for trap in Trap.all {
                let sentence = Misuses.sentence {
                    let configuration = Realm.Configuration(
                        inMemoryIdentifier: trap.situation,
                        objectTypes: MutatorFixture.types
                    )
                    guard let realm = try? Realm(configuration: configuration),
                        (try? MutatorFixture.fill(realm)) != nil, let fixture = MutatorFixture(realm)
                    else { return }
                    trap.misuse(fixture)
                }
                for word in trap.words {
                    #expect(sentence?.contains(word) == true, "\(trap.situation): \(sentence ?? "no trap")")
                }
            }
        }
    }

    @Test("the observer is told the sentence, then the process ends")
    func observer() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
            Realm.onMisuse = { sentence in
                print("observed: \(sentence)")
                fflush(nil)
            }
            print(Home().tags[0])
        }
        let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(text.contains("observed: The index 0 is outside of a list of 0 elements"))
    }
}
#endif

import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

/// Results of more rows than are read at once.
@Suite("Going over a long result")
struct LongResultTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let count = 1000

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
        try realm.write { [realm] in realm.add((0..<1000).map(Person.numbered)) }
    }

    @Test("every object comes once, in order, as often as somebody asks", arguments: [1, 255, 256, 257, 512, 1000])
    func order(_ limit: Int) {
        let people = realm.objects(Person.self).where { $0._id < limit }.sorted(byKeyPath: "_id")

        for _ in 0..<2 { #expect(people.map(\._id) == Array(0..<limit)) }
    }

    @Test("two loops over one result do not disturb each other")
    func nested() {
        let people = realm.objects(Person.self)
        var pairs = 0
        for (index, person) in people.enumerated() where index.isMultiple(of: 300) {
            #expect(person._id == index)
            for _ in people { pairs += 1 }
        }
        #expect(pairs == 4 * count)
    }

    @Test("a loop may delete what it goes over, in one transaction or in many")
    func deleting() throws {
        for person in realm.objects(Person.self) where person._id < 10 {
            try realm.write { realm.delete(person) }
        }
        #expect(realm.objects(Person.self).count == count - 10)

        try realm.write {
            for person in realm.objects(Person.self) { realm.delete(person) }
        }
        #expect(realm.objects(Person.self).isEmpty)
    }

    @Test("a loop goes over the objects that were there when it began, whoever writes")
    func snapshot() throws {
        var seen = 0
        for person in realm.objects(Person.self) {
            if seen == 3 {
                try realm.write {
                    realm.add(Person.numbered(count))
                    realm.object(ofType: Person.self, forPrimaryKey: 900)?.name = "changed"
                }
            }
            if seen == 5 { realm.refresh() }
            if person._id == 900 { #expect(person.name == "changed") }
            seen += 1
        }
        #expect(seen == count)
    }

    @Test("a loop that ends early keeps nothing open")
    func earlyEnd() throws {
        for person in realm.objects(Person.self) where person._id == 400 { break }

        try realm.write { realm.deleteAll() }
        #expect(realm.isEmpty)
    }
}

import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Opening a realm")
struct OpeningTests {
    @Test("a new realm is empty and keeps what is written when it is opened again")
    func reopening() throws {
        let file = try TemporaryRealm()
        do {
            let realm = try file.open()
            #expect(realm.isEmpty)
            try realm.write { realm in realm.add(Person.numbered(3)) }
        }

        let person = try #require(try file.open().object(ofType: Person.self, forPrimaryKey: 3))

        #expect(person.name == "Person 3")
        #expect(person.score == 1)
        #expect(person.userId == "user-3")
        #expect(!person.active)
    }
}

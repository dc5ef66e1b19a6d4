import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Creating: copies and cycles")
struct CopyingRowTests {
    private let page: PageRealm
    private let other: PageRealm

    init() throws {
        page = try PageRealm()
        other = try PageRealm()
    }

    /// A person who has everything.
    private func source() throws -> PagePerson {
        let person = try page.addPerson()
        try page.realm.write { realm in
            person.dog?.citiesVisited.insert("Linz")
            person.dog?.favoriteParksByCity["Linz"] = "Volksgarten"
            person.dog?.companion = .object(PageCat(value: ["name": "Tom"]))
            person.friend = PagePerson(value: ["id": 2, "name": "Bob"])
            person.friends.append(try #require(person.friend))
        }
        return person
    }

    private func expectCopy(_ copy: PagePerson, in realm: Realm) {
        #expect(copy.realm == realm)
        #expect(copy.name == "Ada")
        #expect(copy.dog?.realm == realm)
        #expect(copy.dog?.citiesVisited.contains("Linz") == true)
        #expect(copy.dog?.favoriteParksByCity["Linz"] == "Volksgarten")
        #expect(copy.dog?.companion.object(PageCat.self)?.name == "Tom")
        #expect(copy.dogs.map(\.name) == ["Bo", "Max"])
        #expect(copy.dogSet.map(\.name) == ["Pip"])
        #expect(copy.dogsByName["Tim"]??.name == "Tim")
        #expect(copy.address?.place?.latitude == 48.2)
        #expect(copy.formerAddresses.map(\.street) == ["Oak Street"])
        #expect(copy.addressesByKind["work"]??.street == "Main Street")
        #expect(copy.friend?.name == "Bob")
    }

    // MARK: Row 30

    @Test("Row 30: an object is copied to another realm with all that it contains, and stays as it is")
    func copying() throws {
        let person = try source()

        let copy = try other.realm.write { realm in
            realm.create(PagePerson.self, value: person, update: .modified)
        }

        expectCopy(copy, in: other.realm)
        #expect(copy.friends.first?.isSameObject(as: copy.friend) == true)
        expectCopy(person, in: page.realm)
        #expect(other.dogs.count == page.dogs.count)
        #expect(other.people.count == 2)
    }

    @Test("Row 30: a copy goes from a realm in memory to a file and back")
    func inMemory() throws {
        let person = try source()
        let memory = try Realm(
            configuration: Realm.Configuration(inMemoryIdentifier: "row 30", objectTypes: PageModels.types)
        )

        let inMemory = try memory.write { realm in realm.create(PagePerson.self, value: person, update: .all) }
        let back = try other.realm.write { realm in realm.create(PagePerson.self, value: inMemory, update: .all) }

        expectCopy(inMemory, in: memory)
        expectCopy(back, in: other.realm)
    }

    @Test("Row 30: add refuses an object of another realm, and says how to copy it")
    func addingForeign() throws {
        let person = try source()
        for attempt: (Realm) -> Void in [
            { realm in realm.add(person) },
            { realm in realm.add(person, update: .all) },
            { realm in realm.add(PagePerson(value: ["id": 9, "friend": person])) },
            { realm in realm.create(PagePerson.self, value: ["id": 9]).friends.append(person) },
        ] {
            let error = other.error(attempt)
            #expect(error?.code == .invalidInput)
            #expect(error?.message.contains("create(_:value:update:)") == true)
            #expect(other.people.isEmpty)
        }
    }

    @Test("Row 30: a key that the other realm has is an error, or its object is updated, as the policy says")
    func duplicates() throws {
        let person = try source()
        let existing = try other.realm.write { realm in
            realm.create(
                PagePerson.self,
                value: ["id": 1, "name": "Old", "dogs": [["name": "Old"], ["name": "Older"]]]
            )
        }
        let old = try #require(existing.dogs.first)

        let error = other.error { realm in realm.create(PagePerson.self, value: person) }
        #expect(error?.code == .objectAlreadyExists)
        #expect(error?.details == ["1"])
        #expect(existing.name == "Old")

        for policy in [Realm.UpdatePolicy.modified, .all] {
            let copy = try other.realm.write { realm in realm.create(PagePerson.self, value: person, update: policy) }
            #expect(copy == existing)
            expectCopy(existing, in: other.realm)
            #expect(other.people.count == 2)
        }
        #expect(!old.isInvalidated)
    }

    @Test("Row 30: in its own realm an object without a key is copied, one with a key is a duplicate or itself")
    func sameRealm() throws {
        let person = try source()
        let dog = try #require(person.dog)

        let copy = try page.realm.write { realm in realm.create(PageDog.self, value: dog) }
        #expect(!copy.isSameObject(as: dog))
        #expect(copy.citiesVisited.contains("Linz"))
        #expect(copy.companion.object(PageCat.self)?.isSameObject(as: dog.companion.object(PageCat.self)) == true)

        #expect(page.error { realm in realm.create(PagePerson.self, value: person) }?.code == .objectAlreadyExists)
        for policy in [Realm.UpdatePolicy.modified, .all] {
            let same = try page.realm.write { realm in realm.create(PagePerson.self, value: person, update: policy) }
            #expect(same.isSameObject(as: person))
        }
    }

    @Test("Row 30: an object that was deleted cannot be copied")
    func deleted() throws {
        let person = try source()
        try page.realm.write { realm in realm.delete(person) }

        #expect(other.error { realm in realm.create(PagePerson.self, value: person) }?.code == .invalidInput)
        #expect(
            other.error { realm in
                realm.create(PagePerson.self, value: ["id": 3, "friend": person])
            }?
            .code == .invalidInput
        )
    }

    // MARK: Row 31

    @Test("Row 31: create does not copy objects that refer back, and says so with their path; add takes them")
    func cycles() throws {
        let (ada, bob) = (PagePerson(value: ["id": 1]), PagePerson(value: ["id": 2]))
        ada.friends.append(bob)
        bob.friend = ada

        for policy in [Realm.UpdatePolicy.error, .modified, .all] {
            let error = page.error { realm in realm.create(PagePerson.self, value: ada, update: policy) }
            #expect(error?.code == .invalidInput)
            #expect(error?.message.contains("refers back to itself") == true)
            #expect(error?.message.contains("PagePerson.friends, PagePerson.friend") == true, "\(error?.message ?? "")")
            #expect(page.people.isEmpty)
        }

        try page.realm.write { realm in realm.add(ada) }
        #expect(ada.friends.first?.friend == ada)
        #expect(page.people.count == 2)
    }

    @Test("Row 31: an object that refers to itself is a cycle, and so is one that comes back through any value")
    func shortCycles() throws {
        let ada = PagePerson(value: ["id": 1])
        ada.friend = ada
        let dog = PageDog()
        dog.companion = .fromArray([.object(dog)])

        #expect(page.error { $0.create(PagePerson.self, value: ada) }?.message.contains("refers back") == true)
        #expect(
            page.error { $0.create(PageDog.self, value: dog) }?.message
                .contains("refers back to itself through PageDog.companion;") == true
        )
        #expect(
            page.error { $0.create(PagePerson.self, value: ["id": 2, "friend": ada]) }?.message
                .contains("refers back") == true
        )
        #expect(page.realm.isEmpty)

        try page.realm.write { realm in
            realm.add(ada)
            realm.add(dog)
        }
        #expect(ada.friend == ada)
        #expect(dog.companion.listValue?.first?.object(PageDog.self)?.isSameObject(as: dog) == true)
    }

    @Test("Row 31: a cycle of managed objects cannot be copied to another realm either")
    func managedCycle() throws {
        let (ada, bob) = (PagePerson(value: ["id": 1]), PagePerson(value: ["id": 2]))
        ada.friend = bob
        bob.friend = ada
        try page.realm.write { realm in realm.add(ada) }

        let error = other.error { realm in realm.create(PagePerson.self, value: ada, update: .modified) }

        #expect(error?.code == .invalidInput)
        #expect(error?.message.contains("refers back to itself through PagePerson.friend, PagePerson.friend;") == true)
        #expect(other.people.isEmpty)
    }

    @Test("Row 31: an object that several others refer to is no cycle")
    func diamonds() throws {
        let bob = PagePerson(value: ["id": 2])
        let ada = PagePerson(value: ["id": 1, "friend": bob, "friends": [bob, bob]])

        let copy = try page.realm.write { realm in realm.create(PagePerson.self, value: ada, update: .modified) }

        #expect(copy.friends.map(\.id) == [2, 2])
        #expect(page.people.count == 2)
    }
}

import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Creating: embedded objects")
struct EmbeddedRowTests {
    private let page: PageRealm
    private var realm: Realm { page.realm }

    init() throws { page = try PageRealm() }

    private func add(_ id: Int, _ street: String) throws -> PagePerson {
        let person = PagePerson(value: ["id": id])
        person.address = PageAddress(value: ["street": street])
        try realm.write { realm in realm.add(person) }
        return person
    }

    @Test("Row 21: an embedded object is assigned to a property of its parent, before or after that is managed")
    func assigning() throws {
        let person = try add(1, "Elm Street")
        let address = PageAddress()
        address.street = "Oak Street"
        address.place = PagePlace(value: [1, 2])
        try realm.write { realm in
            let other = realm.create(PagePerson.self, value: ["id": 2])
            other.address = address
        }

        #expect(person.address?.street == "Elm Street")
        #expect(address.realm == realm)
        #expect(page.person(2)?.address?.isSameObject(as: address) == true)
        let streets = try page.elsewhere { realm in
            realm.objects(PagePerson.self).sorted(byKeyPath: "id").map { $0.address?.street }
        }
        #expect(streets == ["Elm Street", "Oak Street"])
    }

    @Test("Row 21: assigning another one deletes the old one with what is embedded in it; nil deletes it, too")
    func replacing() throws {
        let person = try add(1, "Elm Street")
        let old = try #require(person.address)
        try realm.write { old.place = PagePlace() }
        let place = try #require(old.place)

        try realm.write { person.address = PageAddress(value: ["street": "Oak Street"]) }
        #expect(old.isInvalidated && place.isInvalidated)
        #expect(realm.dynamicObjects("PageAddress").count == 1)
        #expect(realm.dynamicObjects("PagePlace").isEmpty)

        try realm.write { person.address = nil }
        #expect(realm.dynamicObjects("PageAddress").isEmpty)
    }

    @Test(
        "Row 21: an embedded object cannot be moved to another parent or place; assigning it where it is does nothing"
    )
    func moving() throws {
        let (first, second) = (try add(1, "Elm Street"), try add(2, "Oak Street"))
        let address = try #require(first.address)
        try realm.write { first.address = address }
        #expect(first.address?.isSameObject(as: address) == true)

        let attempts: [(Realm) -> Void] = [
            { _ in second.address = address },
            { _ in first.formerAddresses.append(address) },
            { _ in first.addressesByKind["home"] = address },
            { realm in realm.add(PagePerson(value: ["id": 3, "address": address])) },
        ]
        for (number, attempt) in attempts.enumerated() {
            let error = page.error(attempt)
            #expect(error?.code == .invalidInput, "attempt \(number)")
            #expect(error?.message.contains("'PageAddress' already has a parent") == true, "attempt \(number)")
            #expect(first.address?.street == "Elm Street")
            #expect(second.address?.street == "Oak Street")
        }
    }

    @Test("Row 21: create copies an embedded object that has a parent, also inside a nested value")
    func copying() throws {
        let person = try add(1, "Elm Street")

        try realm.write { realm in
            realm.create(
                PagePerson.self,
                value: ["id": 2, "address": person.address as Any, "formerAddresses": [person.address]]
            )
        }

        #expect(person.address?.street == "Elm Street")
        #expect(page.person(2)?.address?.street == "Elm Street")
        #expect(page.person(2)?.address?.isSameObject(as: person.address) == false)
        #expect(realm.dynamicObjects("PageAddress").count == 3)
    }

    @Test("Row 21: lists of embedded objects own theirs: replacing and removing deletes, and so does the parent")
    func lists() throws {
        let person = try realm.write { realm in
            realm.create(
                PagePerson.self,
                value: ["id": 1, "formerAddresses": [["A"], ["B"], ["C"]], "addressesByKind": ["x": ["D"]]]
            )
        }
        let addresses = Array(person.formerAddresses)
        try realm.write {
            person.formerAddresses[0] = PageAddress(value: ["street": "E"])
            person.formerAddresses.remove(at: 2)
            person.formerAddresses.append(PageAddress(value: ["street": "F"]))
        }
        #expect(addresses.map(\.isInvalidated) == [true, false, true])
        #expect(person.formerAddresses.map(\.street) == ["E", "B", "F"])
        #expect(page.error { _ in person.formerAddresses[1] = person.formerAddresses[1] }?.code == .invalidInput)

        try realm.write { realm in realm.delete(person) }
        #expect(realm.dynamicObjects("PageAddress").isEmpty)
    }

    @Test("Row 21: one unmanaged embedded object in two places is an error when it is added")
    func twice() throws {
        let address = PageAddress(value: ["street": "Elm Street"])
        let person = PagePerson(value: ["id": 1, "address": address, "formerAddresses": [address]])

        #expect(page.error { realm in realm.add(person) }?.code == .invalidInput)
        #expect(realm.isEmpty)
    }
}

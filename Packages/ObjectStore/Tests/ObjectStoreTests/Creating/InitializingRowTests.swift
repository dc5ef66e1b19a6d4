import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Creating: objects and initial values")
struct InitializingRowTests {
    private let page: PageRealm
    private var realm: Realm { page.realm }

    init() throws { page = try PageRealm() }

    private static func expectMisuse(
        _ text: String,
        _ result: ExitTest.Result?,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(text), "\(message.suffix(400))", sourceLocation: location)
    }

    // MARK: Row 11

    @Test("Row 11: an object is instantiated, filled and added: the same instance is then managed, and stored")
    func creating() throws {
        let dog = PageDog()
        dog.name = "Rex"
        dog.age = 10
        #expect(dog.realm == nil)

        try realm.write { realm in realm.add(dog) }

        #expect(dog.realm == realm)
        #expect(page.dogs.first?.isSameObject(as: dog) == true)
        try realm.write { dog.age = 11 }
        let stored = try page.elsewhere { realm in realm.objects(PageDog.self).map { "\($0.name) \($0.age)" } }
        #expect(stored == ["Rex 11"])
    }

    @Test("Row 11: adding an object again is nothing, and adding a deleted one is an error")
    func addingAgain() throws {
        let dog = PageDog(value: ["name": "Rex"])
        try realm.write { realm in
            realm.add(dog)
            realm.add(dog)
        }
        try realm.write { realm in realm.add(dog) }
        #expect(page.dogs.count == 1)

        try realm.write { realm in realm.delete(dog) }
        let error = page.error { realm in realm.add(dog) }
        #expect(error?.code == .invalidInput)
        #expect(error?.message.contains("deleted") == true)
    }

    // MARK: Row 12

    @Test("Row 12: the value may be a dictionary; unknown keys are ignored and absent ones are defaults")
    func dictionary() {
        let dog = PageDog(value: ["name": "Rex", "age": 3, "breed": "none that the class knows"])
        #expect(dog.name == "Rex")
        #expect(dog.age == 3)
        #expect(dog.color.isEmpty)
        #expect(PageAddress(value: ["street": "Elm Street"]).country == "USA")
        #expect(PageAddress(value: [:]).country == "USA")
        #expect(PageDog(value: [String: Any]()).name.isEmpty)
        #expect(PageDog(value: ["name": "Bo"] as NSDictionary).name == "Bo")
    }

    @Test("Row 12: the value may be an array with one element for each property")
    func array() {
        let dog = PageDog(
            value: ["Rex", 3, "brown", "Linz", ["Wien"], "a cat", ["Linz": "Volksgarten"]] as [Any]
        )
        #expect(dog.name == "Rex")
        #expect(dog.age == 3)
        #expect(dog.color == "brown")
        #expect(dog.currentCity == "Linz")
        #expect(dog.citiesVisited.contains("Wien"))
        #expect(dog.companion == .string("a cat"))
        #expect(dog.favoriteParksByCity["Linz"] == "Volksgarten")
        #expect(PageAddress(value: ["Elm Street", "Linz"] as NSArray).city == "Linz")
    }

    @Test("Row 12: the value may be another object of the class, managed or not")
    func object() throws {
        let original = PageDog(value: ["name": "Rex", "citiesVisited": ["Linz"], "companion": 5])
        let copy = PageDog(value: original)
        original.name = "Changed"
        original.citiesVisited.insert("Wien")
        #expect(copy.name == "Rex")
        #expect(Array(copy.citiesVisited) == ["Linz"])
        #expect(copy.companion == .int(5))

        try realm.write { realm in realm.add(original) }
        let second = PageDog(value: original)
        #expect(second.realm == nil)
        #expect(second.name == "Changed")
        #expect(Set(second.citiesVisited) == ["Linz", "Wien"])
        try realm.write { realm in realm.add(second) }
        #expect(page.dogs.count == 2)
    }

    @Test(
        "Row 12: a value of another form ends the process with a sentence",
        arguments: [
            ("tooMany", "An array of 8 values was given for 'PageDog', which has 7 properties"),
            ("number", "PageDog"), ("otherClass", "PageAnimal"), ("wrongType", "'PageDog.age', which is 'int'"),
            ("null", "'PageDog.name', which is 'string'"), ("nested", "'PageDog.name', which is 'string'"),
        ]
    )
    func refused(_ name: String, _ sentence: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
            switch name {
            case "tooMany": _ = PageDog(value: ["", 1, "", "", [], "", [:], 8] as [Any])
            case "number": _ = PageDog(value: 5)
            case "otherClass": _ = PageDog(value: PageAnimal())
            case "wrongType": _ = PageDog(value: ["age": "three"])
            case "null": _ = PageDog(value: ["name": NSNull()])
            default: _ = PagePerson(value: ["dogs": [["name": 5]]])
            }
        }
        Self.expectMisuse(sentence, result)
    }

    @Test("Row 12: the same values given to create are errors that discard the transaction")
    func refusedByCreate() throws {
        let values: [Any] = [
            ["", 1, "", "", [], "", [:], 8] as [Any], 5, PageAnimal(), ["age": "three"], ["name": NSNull()],
            NSNull(), [String: Any]?.none as Any, "Rex", Date(),
        ]
        for value in values {
            let error = page.error { realm in
                realm.create(PageDog.self)
                let refused = realm.create(PageDog.self, value: value)
                #expect(refused.realm == nil)
            }
            #expect(error?.code == .invalidInput, "\(value)")
            #expect(error?.message.contains("PageDog") == true, "\(value)")
            #expect(page.dogs.isEmpty)
        }
        let counts = page.error { realm in realm.create(PageAnimal.self, value: ["", 1, 2] as [Any]) }
        #expect(counts?.message.contains("3 values") == true)
        #expect(counts?.message.contains("2 properties") == true)
    }

    // MARK: Row 13

    @Test("Row 13: an array goes in the order of the declarations, those of the superclass first")
    func arrayOrder() throws {
        let value: [Any] = ["Tom", 3, true, 7, "Tommy"]
        for cat in [PageCat(value: value), try realm.write { realm in realm.create(PageCat.self, value: value) }] {
            #expect(cat.name == "Tom")
            #expect(cat.legs == 3)
            #expect(cat.isIndoor)
            #expect(cat.lives == 7)
            #expect(cat.nick == "Tommy")
        }
    }

    @Test("Row 13: an array may be shorter; what is missing is the default of a new object, or untouched by an update")
    func shortArray() throws {
        let cat = PageCat(value: ["Tom", 3])
        #expect(cat.lives == 9)
        #expect(cat.nick == nil)
        #expect(PageCat(value: [Any]()).legs == 4)

        try realm.write { realm in
            realm.create(PagePerson.self, value: [1, "Ada", ["name": "Rex"]] as [Any])
            realm.create(PagePerson.self, value: [1, "Eve"] as [Any], update: .modified)
        }
        #expect(page.person(1)?.name == "Eve")
        #expect(page.person(1)?.dog?.name == "Rex")
    }

    // MARK: Row 14

    private static var nested: [String: Any] {
        [
            "id": 1, "name": "Ada", "dog": ["Rex", 3] as [Any],
            "dogs": [
                ["Bo", 1] as [Any], ["name": "Max", "citiesVisited": ["Linz", "Wien"]], PageDog(value: ["name": "Pip"]),
            ],
            "dogSet": [["name": "Tim"]], "dogsByName": ["a": ["name": "Kim"], "b": NSNull()],
            "address": ["street": "Elm Street", "place": ["latitude": 48.2, "longitude": 16.4]] as [String: Any],
            "formerAddresses": [["Oak Street", "Linz", "Austria", [1.5, 2]] as [Any], ["street": "Ash Street"]],
            "addressesByKind": ["work": ["street": "Main Street"]],
            "friend": ["id": 2, "name": "Bob", "friend": ["id": 3, "dogs": [["Zoe"]]] as [String: Any]]
                as [String: Any],
            "friends": [["id": 4, "friends": [["id": 5]]] as [String: Any]],
        ]
    }

    private func expectNested(_ person: PagePerson) {
        #expect(person.dog?.name == "Rex")
        #expect(person.dogs.map(\.name) == ["Bo", "Max", "Pip"])
        #expect(person.dogs.map(\.age) == [1, 0, 0])
        #expect(person.dogs[1].citiesVisited.contains("Wien"))
        #expect(person.dogSet.map(\.name) == ["Tim"])
        #expect(person.dogsByName["a"]??.name == "Kim")
        #expect(person.dogsByName["b"] == .some(nil))
        #expect(person.address?.place?.longitude == 16.4)
        #expect(person.formerAddresses.map(\.street) == ["Oak Street", "Ash Street"])
        #expect(person.formerAddresses.map(\.country) == ["Austria", "USA"])
        #expect(person.formerAddresses.first?.place?.latitude == 1.5)
        #expect(person.addressesByKind["work"]??.street == "Main Street")
        #expect(person.friend?.friend?.dogs.first?.name == "Zoe")
        #expect(person.friends.first?.friends.first?.id == 5)
    }

    @Test("Row 14: related and embedded objects are made of nested values: unmanaged by init, then added as one")
    func nestedInitializer() throws {
        let person = PagePerson(value: Self.nested)
        expectNested(person)
        #expect(person.friend?.friend?.realm == nil)

        try realm.write { realm in realm.add(person) }
        expectNested(person)
        expectNested(try #require(page.person(1)))
        #expect(page.people.count == 5)
        #expect(page.dogs.count == 7)
    }

    @Test("Row 14: create makes the same of nested values, and leaves the objects in them unmanaged")
    func nestedCreate() throws {
        let pip = PageDog(value: ["name": "Pip"])
        var value = Self.nested
        value["dogs"] = [["Bo", 1] as [Any], ["name": "Max", "citiesVisited": ["Linz", "Wien"]], pip]

        let person = try realm.write { realm in realm.create(PagePerson.self, value: value) }

        expectNested(person)
        #expect(pip.realm == nil)
        #expect(person.friend?.friend?.realm == realm)
        #expect(page.people.count == 5)
        #expect(page.dogs.count == 7)
    }

    @Test("Row 14: objects that are managed already are linked by a nested value, not copied")
    func nestedManaged() throws {
        let rex = try realm.write { realm in realm.create(PageDog.self, value: ["name": "Rex"]) }

        let person = PagePerson(value: ["id": 1, "dog": rex, "dogs": [rex, rex]])
        try realm.write { realm in
            realm.add(person)
            realm.create(PagePerson.self, value: ["id": 2, "dog": rex])
        }

        #expect(page.dogs.count == 1)
        #expect(person.dogs.count == 2)
        #expect(page.person(2)?.dog?.isSameObject(as: rex) == true)
    }

    // MARK: Row 15

    @Test("Row 15: a set can be filled while its object is unmanaged, by its value or by inserting")
    func unmanagedSet() throws {
        let dog = PageDog(value: ["name": "Rex", "citiesVisited": ["Boston", "Chicago", "Boston"]])
        dog.citiesVisited.insert("Linz")
        #expect(Set(dog.citiesVisited) == ["Boston", "Chicago", "Linz"])

        try realm.write { realm in
            realm.add(dog)
            realm.create(PageDog.self, value: ["name": "Bo", "citiesVisited": ["Wien"]])
        }

        #expect(Set(dog.citiesVisited) == ["Boston", "Chicago", "Linz"])
        #expect(page.dogs.where { $0.name == "Bo" }.first?.citiesVisited.contains("Wien") == true)
    }

    @Test("Row 15: once its object is managed, a set changes in transactions only", arguments: ["insert", "assign"])
    func managedSet(_ name: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
            let page = try PageRealm()
            let dog = PageDog(value: ["citiesVisited": ["Boston"]])
            try page.realm.write { realm in realm.add(dog) }
            if name == "insert" { dog.citiesVisited.insert("Linz") } else { dog.citiesVisited = MutableSet() }
        }
        Self.expectMisuse("outside of a write transaction", result)
    }
}

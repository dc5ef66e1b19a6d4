import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Creating: values of any type")
struct AnyValueRowTests {
    private let page: PageRealm
    private var realm: Realm { page.realm }

    init() throws { page = try PageRealm() }

    @Test("Row 26: the type of a value is said when it is set, and none is nil")
    func cases() throws {
        let values: [AnyRealmValue] = [
            .none, .int(1), .bool(true), .float(1), .double(1), .string("1"), .data(Data([1])),
            .date(Date(timeIntervalSince1970: 1)), .objectId(ObjectId("507f1f77bcf86cd799439011")), .decimal128(1),
            .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))),
            .fromArray([.int(1)]), .fromDictionary(["a": .int(1)]),
        ]
        let dogs = values.enumerated()
            .map { number, value in
                let dog = PageDog(value: ["age": number])
                dog.companion = value
                return dog
            }
        try realm.write { realm in realm.add(dogs) }

        for (number, value) in values.enumerated().prefix(11) {
            #expect(dogs[number].companion == value)
            // A number of another type, or a text that looks like it, is another value.
            for other in values[0..<11] where other != value { #expect(dogs[number].companion != other) }
        }
        #expect(dogs[11].companion.listValue.map { Array($0) } == [.int(1)])
        #expect(dogs[12].companion.dictionaryValue?["a"] == .int(1))
        let names = try page.elsewhere { realm in
            realm.objects(PageDog.self).sorted(byKeyPath: "age").map { caseName($0.companion) }
        }
        #expect(
            names == [
                "none", "int", "bool", "float", "double", "string", "data", "date", "objectId", "decimal128", "uuid",
                "list", "dictionary",
            ]
        )
    }

    @Test("Row 26: what is read has to be asked for its type")
    func reading() throws {
        let dog = PageDog(value: ["companion": "Fluffy the Cat"])
        try realm.write { realm in realm.add(dog) }

        guard case .string(let text) = dog.companion else {
            Issue.record("it is a text")
            return
        }
        #expect(text == "Fluffy the Cat")
        #expect(dog.companion.stringValue == text)
        #expect(dog.companion.intValue == nil)
        #expect(dog.companion.object(PageDog.self) == nil)
        try realm.write { dog.companion = .none }
        #expect(dog.companion == .none)
        try realm.write { dog["companion"] = 5 }
        #expect(dog.companion == .int(5))
        try realm.write { dog["companion"] = nil }
        #expect(dog.companion == .none)
    }

    @Test("Row 27: an object that is a value is stored too, so that three dogs make four, without a link back")
    func linkedObject() throws {
        let myDog = PageDog()
        myDog.name = "Rex"
        myDog.companion = .none
        let theirDog = PageDog()
        theirDog.name = "Wolfie"
        theirDog.companion = .string("Fluffy the Cat")
        let anotherDog = PageDog()
        anotherDog.name = "Fido"
        anotherDog.companion = .object(PageDog(value: ["name": "Spot"]))

        try realm.write { realm in realm.add([myDog, theirDog, anotherDog]) }

        #expect(page.dogs.count == 4)
        let spot = try #require(page.dogs.where { $0.name == "Spot" }.first)
        #expect(anotherDog.companion.object(PageDog.self)?.isSameObject(as: spot) == true)
        #expect(spot.companion == .none)
        #expect(myDog.companion == .none)
        #expect(theirDog.companion == .string("Fluffy the Cat"))

        try realm.write { realm in realm.delete(spot) }
        #expect(anotherDog.companion == .none)
        #expect(page.dogs.count == 3)
    }

    @Test("Row 27: the object may have another class, and its own values may hold objects")
    func otherClasses() throws {
        let cat = PageCat(value: ["name": "Tom"])
        let fido = PageDog(value: ["name": "Fido", "companion": PageDog(value: ["name": "Spot", "companion": cat])])

        try realm.write { realm in realm.add(fido) }

        #expect(cat.realm == realm)
        #expect(fido.companion.object(PageDog.self)?.companion.object(PageCat.self)?.name == "Tom")
        #expect(fido.companion.object(PageCat.self) == nil)
        let cats: [AnyRealmValue] = [.object(cat)]
        try realm.write { fido.companion = .fromArray(cats + [.object(PageCat(value: ["name": "Kit"]))]) }
        #expect(realm.objects(PageCat.self).map(\.name) == ["Tom", "Kit"])
    }
}

/// The name of the case of a value.
private func caseName(_ value: AnyRealmValue) -> String {
    switch value {
    case .none: "none"
    case .int: "int"
    case .bool: "bool"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .object: "object"
    case .objectId: "objectId"
    case .decimal128: "decimal128"
    case .uuid: "uuid"
    case .dictionary: "dictionary"
    case .list: "list"
    }
}

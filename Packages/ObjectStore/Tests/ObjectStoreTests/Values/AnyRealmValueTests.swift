import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

/// An object with a value of any type, as the page on creating objects has it.
private class AnyPet: Object {
    @Persisted var name: String
    @Persisted var companion: AnyRealmValue
    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

/// An object with a value of any type and a key.
private class AnySetting: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var value: AnyRealmValue
    @Persisted var fallback = AnyRealmValue.int(7)
}

/// An object that values of any type link to.
private class AnyKennel: Object {
    @Persisted(primaryKey: true) var id: Int
}

/// A scalar of each case, with what its getter returns.
private var scalars: [(value: AnyRealmValue, text: String)] {
    [
        (.none, "none"), (.int(.min), "int"), (.int(0), "int"), (.int(.max), "int"), (.bool(true), "bool"),
        (.bool(false), "bool"), (.float(1.1), "float"), (.float(-.infinity), "float"), (.double(0.1), "double"),
        (.double(.infinity), "double"), (.string(""), "string"), (.string("\u{0} é 👩‍⚕️ Dog/1"), "string"),
        (.data(Data()), "data"),
        (.data(Data([0, 255])), "data"), (.date(Date(timeIntervalSinceReferenceDate: 0.123456789)), "date"),
        (.date(.distantPast), "date"), (.objectId(ObjectId("507f1f77bcf86cd799439011")), "objectId"),
        (.decimal128("-1.50E+6000"), "decimal128"), (.decimal128("0.00"), "decimal128"),
        (.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))), "uuid"),
    ]
}

extension AnyRealmValue {
    /// The names of the getters that return something.
    fileprivate var answers: [String] {
        let all: [(String, Any?)] = [
            ("int", intValue), ("bool", boolValue), ("float", floatValue), ("double", doubleValue),
            ("string", stringValue), ("data", dataValue), ("date", dateValue), ("objectId", objectIdValue),
            ("decimal128", decimal128Value), ("uuid", uuidValue), ("dictionary", dictionaryValue), ("list", listValue),
            ("object", object(Object.self)),
        ]
        return all.filter { $0.1 != nil }.map(\.0)
    }
}

@Suite("A value of any type")
struct AnyRealmValueTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([AnyPet.self, AnySetting.self, AnyKennel.self])
        realm = try file.open()
    }

    private func setting(_ value: AnyRealmValue) throws -> AnySetting {
        try realm.write { realm in
            let setting = AnySetting()
            setting.name = UUID().uuidString
            setting.value = value
            realm.add(setting)
            return setting
        }
    }

    /// Reads the value of a setting through an instance of another thread.
    private func onOtherThread(_ name: String) async throws -> [String] {
        let configuration = file.configuration
        return
            try await Task.detached {
                let realm = try Realm(configuration: configuration)
                let setting = realm.object(ofType: AnySetting.self, forPrimaryKey: name)
                return [setting.map { "\($0.value)" } ?? "missing"] + (setting?.value.answers ?? [])
            }
            .value
    }

    @Test("is nothing by default, also in a key path, and has the default of its declaration")
    func defaults() throws {
        #expect(AnySetting().value == .none)
        #expect(AnySetting().fallback == .int(7))
        let stored = try setting(.none)
        #expect(stored.value == .none)
        #expect(stored.fallback == .int(7))
    }

    @Test("each case comes back as it was stored: unmanaged, managed, assigned, in a second instance")
    func everyCase() async throws {
        var expected: [String: [String]] = [:]
        for (value, name) in scalars {
            let answers = name == "none" ? [] : [name]
            let unmanaged = AnySetting()
            unmanaged.value = value
            #expect(unmanaged.value == value)
            #expect(unmanaged.value.answers == answers)

            let added = try setting(value)
            #expect(added.value == value)
            #expect(added.value.answers == answers)

            let assigned = try setting(.string("before"))
            try realm.write { assigned.value = value }
            #expect(assigned.value == value)
            #expect(realm.object(ofType: AnySetting.self, forPrimaryKey: assigned.name)?.value == value)
            expected[assigned.name] = ["\(value)"] + answers
        }
        // From here on this may be another thread.
        for (name, answers) in expected { #expect(try await onOtherThread(name) == answers) }
    }

    @Test("NaN and negative zero are kept")
    func specialNumbers() throws {
        let nan = try setting(.double(.nan))
        #expect(nan.value.doubleValue?.isNaN == true)
        #expect(try setting(.float(.nan)).value.floatValue?.isNaN == true)
        #expect(try setting(.double(-0.0)).value.doubleValue?.sign == .minus)
        #expect(try setting(.float(-0.0)).value.floatValue?.sign == .minus)
    }

    @Test("a transaction that is rolled back leaves the value")
    func rollback() throws {
        let stored = try setting(.int(1))
        realm.beginWrite()
        stored.value = .string("gone")
        #expect(stored.value == .string("gone"))
        realm.cancelWrite()
        #expect(stored.value == .int(1))
    }

    @Test("equality asks for the same case")
    func equality() {
        #expect(AnyRealmValue.int(1) != .double(1))
        #expect(AnyRealmValue.float(1) != .double(1))
        #expect(AnyRealmValue.bool(true) != .int(1))
        #expect(AnyRealmValue.none != .int(0))
        #expect(AnyRealmValue.string("1") != .int(1))
        #expect(Set([AnyRealmValue.int(1), .int(1), .double(1), .none]).count == 3)
        let pet = AnyPet("Rex")
        #expect(AnyRealmValue.object(pet) == .object(pet))
        #expect(AnyRealmValue.object(pet) != .object(AnyPet("Rex")))
    }

    @Test("seed 27: the object inside is stored too, without a link back; deleting it leaves nothing")
    func companions() throws {
        try realm.write { realm in
            let rex = AnyPet("Rex")
            rex.companion = .string("Rolf the ghost")
            let wolfie = AnyPet("Wolfie")
            wolfie.companion = .string("fluffy the cat")
            let fido = AnyPet("Fido")
            let spot = AnyPet(value: ["name": "Spot"])
            fido.companion = .object(spot)
            realm.add([rex, wolfie, fido])
            #expect(spot.realm == realm)
        }
        #expect(realm.objects(AnyPet.self).count == 4)
        let fido = try #require(realm.objects(AnyPet.self).where { $0.name == "Fido" }.first)
        let spot = try #require(fido.companion.object(AnyPet.self))
        #expect(spot.name == "Spot")
        #expect(spot.companion == .none)
        #expect(fido.companion.object(AnySetting.self) == nil)

        try realm.write { realm in realm.delete(spot) }

        #expect(fido.companion == .none)
        #expect(realm.objects(AnyPet.self).count == 3)
    }

    @Test("C2: cycles of objects through values of any type are added; assigning an unmanaged object adds it")
    func cycles() throws {
        let (first, second) = (AnyPet("a"), AnyPet("b"))
        first.companion = .object(second)
        second.companion = .object(first)
        try realm.write { realm in realm.add(first) }
        #expect(second.companion.object(AnyPet.self)?.isSameObject(as: first) == true)

        let third = AnyPet("c")
        try realm.write { second.companion = .object(third) }
        #expect(third.realm == realm)
        #expect(second.companion.object(AnyPet.self)?.name == "c")
    }

    @Test("an object that links to itself can be deleted")
    func selfLink() throws {
        let pet = AnyPet("Ouroboros")
        pet.companion = .object(pet)
        try realm.write { realm in realm.add(pet) }
        try realm.write { realm in realm.delete(pet) }
        #expect(realm.isEmpty)
    }

    @Test("only the link to the deleted row goes, not one to the same row of another class")
    func sameRowOfOtherClass() throws {
        let (kennel, pet) = (AnyKennel(), AnyPet("Rex"))
        let holders = [AnyPet("k"), AnyPet("p")]
        holders[0].companion = .object(kennel)
        try realm.write { realm in
            realm.add(pet)
            realm.add(kennel)
            holders[1].companion = .object(pet)
            realm.add(holders)
            realm.delete(pet)
        }
        #expect(holders[0].companion.object(AnyKennel.self) != nil)
        #expect(holders[1].companion == .none)
    }

    @Test("create copies the object inside, links one of this realm, and updates one with a key")
    func create() throws {
        let unmanaged = AnyPet("inside")
        let holder = try realm.write { realm in
            realm.create(AnyPet.self, value: ["name": "holder", "companion": unmanaged])
        }
        #expect(unmanaged.realm == nil)
        #expect(holder.companion.object(AnyPet.self)?.name == "inside")

        let kennel = try realm.write { realm in realm.create(AnyKennel.self, value: [5]) }
        let second = try realm.write { realm in
            realm.create(AnyPet.self, value: ["companion": AnyRealmValue.object(kennel)])
        }
        #expect(second.companion.object(AnyKennel.self)?.isSameObject(as: kennel) == true)
        #expect(realm.objects(AnyKennel.self).count == 1)
    }

    @Test("C6: a cycle of values that create is given is refused, the transaction is rolled back")
    func createCycle() throws {
        let (first, second) = (AnyPet("a"), AnyPet("b"))
        first.companion = .object(second)
        second.companion = .object(first)
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in _ = realm.create(AnyPet.self, value: first) }
        }
        #expect(realm.isEmpty)
    }

    @Test("an object of a class that the realm does not manage is refused")
    func foreignClass() throws {
        let error = #expect(throws: Realm.Error.self) {
            try realm.write { realm in
                _ = realm.create(AnyPet.self, value: ["companion": Counter()])
            }
        }
        #expect(error?.message.contains("'Counter' is not managed") == true)
        #expect(throws: Realm.Error(.invalidInput, "")) {
            let other = try TemporaryRealm([AnyKennel.self]).open()
            let kennel = try other.write { realm in realm.create(AnyKennel.self) }
            try realm.write { realm in
                let pet = realm.create(AnyPet.self)
                pet.companion = .object(kennel)
            }
        }
    }

    @Test("row 26 of the conversions: scalars keep their Swift type, numbers of Foundation their encoded type")
    func conversions() throws {
        let uuid = UUID()
        let rows: [(Any, AnyRealmValue)] = [
            (1, .int(1)), (Int8(-1), .int(-1)), (UInt16(2), .int(2)), (true, .bool(true)), (Float(1.5), .float(1.5)),
            (1.5, .double(1.5)), ("text", .string("text")), (Data([1]), .data(Data([1]))), (uuid, .uuid(uuid)),
            (Decimal128(3), .decimal128(3)), (NSNumber(value: 3), .int(3)), (NSNumber(value: true), .bool(true)),
            (NSNumber(value: 2.0), .double(2)), (NSNull(), .none), (Int?.none as Any, .none), (Int?(4) as Any, .int(4)),
            (AnyRealmValue.float(2), .float(2)), (Ward.intensiveCare, .string("intensiveCare")), (Triage.red, .int(3)),
        ]
        for (given, expected) in rows {
            #expect(AnySetting(value: ["value": given]).value == expected)
            let stored = try realm.write { realm in
                realm.create(AnySetting.self, value: ["name": UUID().uuidString, "value": given])
            }
            #expect(stored.value == expected)
            try realm.write { stored["fallback"] = given }
            #expect(stored.fallback == expected)
        }
    }

    @Test("JSON numbers and truth values are told apart")
    func json() throws {
        let text = #"{"name": "json", "value": true, "fallback": 2.0}"#
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let stored = try realm.write { realm in realm.create(AnySetting.self, value: json) }
        #expect(stored.value == .bool(true))
        #expect(stored.fallback == .double(2))
    }

    @Test("what a realm cannot store is refused", arguments: ["set", "url", "large", "embedded", "character"])
    func refused(_ name: String) throws {
        let values: [String: Any] = [
            "set": Set([1]), "url": URL(fileURLWithPath: "/"), "large": UInt64.max, "embedded": Address(),
            "character": Character("a"),
        ]
        let error = #expect(throws: Realm.Error.self) {
            try realm.write { realm in
                _ = realm.create(AnySetting.self, value: ["name": name, "value": values[name] as Any])
            }
        }
        #expect(error?.message.contains("AnySetting.value") == true)
    }

    @Test("key-value coding hands out the content, and nil for nothing")
    func keyValueCoding() throws {
        let stored = try setting(.int(4))
        #expect(stored["value"] as? Int == 4)
        #expect(AnySetting(value: ["value": "x"]).value(forKey: "value") as? String == "x")
        try realm.write { stored.setValue(nil, forKey: "value") }
        #expect(stored.value(forKey: "value") == nil)
        #expect(stored.value == .none)
    }

    @Test("C12: with .modified an equal value is not written, with .all it is")
    func updates() throws {
        let stored = try setting(.double(1))
        let update: (Any, Realm.UpdatePolicy) throws -> Void = { value, policy in
            try realm.write { realm in
                _ = realm.create(AnySetting.self, value: ["name": stored.name, "value": value], update: policy)
            }
        }
        try update(1.0, .modified)
        #expect(stored.value == .double(1))
        try update(1, .modified)
        #expect(stored.value == .int(1))
        try update("x", .all)
        #expect(stored.value == .string("x"))
        #expect(stored.fallback == .int(7))
    }

    @Test("copying an object to another realm copies its value, the object inside with it")
    func otherRealm() throws {
        let pet = AnyPet("Fido")
        pet.companion = .object(AnyPet("Spot"))
        try realm.write { realm in realm.add(pet) }
        let other = try TemporaryRealm([AnyPet.self])
        let copy = try other.open().write { realm in realm.create(AnyPet.self, value: pet) }
        #expect(copy.companion.object(AnyPet.self)?.name == "Spot")
        #expect(copy.companion.object(AnyPet.self)?.realm != realm)
    }

    @Test("queries find values by type and size")
    func queries() throws {
        for value: AnyRealmValue in [.int(3), .double(3), .string("3"), .none, .bool(true), .decimal128(3)] {
            _ = try setting(value)
        }
        #expect(realm.objects(AnySetting.self).filter("value == 3").count == 3)
        #expect(realm.objects(AnySetting.self).filter("value == '3'").count == 1)
        #expect(realm.objects(AnySetting.self).filter("value == nil").count == 1)
        #expect(realm.objects(AnySetting.self).filter("value == true").count == 1)
        #expect(realm.objects(AnySetting.self).filter("value != nil").count == 5)
    }
}

import EventModel
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private class CodableOwner: Object, Codable {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var isActive: Bool
    @Persisted var weight: Float
    @Persisted var nickname: String?
    @Persisted var birthday: Date
    @Persisted var balance: Decimal128
    @Persisted var pet: CodablePet?
    @Persisted var pets: List<CodablePet>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var home: CodableHome?
    @Persisted var mood: CodableMood
}

private class CodablePet: Object, Codable {
    @Persisted var name: String
}

private class CodableHome: EmbeddedObject, Codable {
    @Persisted var street: String
}

private enum CodableMood: String, PersistableEnum, Codable {
    case fine, bad
}

/// A class whose keys are others than its properties, some of which are left out.
private class PartlyCodable: Object, Codable {
    @Persisted var name: String
    @Persisted var secret = "hidden"
    private enum CodingKeys: String, CodingKey { case name = "n" }
}

@Suite("Objects that declare Codable")
struct CodableTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let decoder = JSONDecoder()
    private let encoder = JSONEncoder()
    private let json = """
        {"id":"507f1f77bcf86cd799439011","name":"Ada","age":36,"isActive":true,"weight":1.5,"nickname":null,\
        "birthday":"1815-12-10T00:00:00Z","balance":"12.50","pet":{"name":"Rex"},"pets":[{"name":"a"},{"name":"b"}],\
        "tags":["x"],"scores":{"m":1},"home":{"street":"Elm"},"mood":"bad"}
        """

    init() throws {
        file = try TemporaryRealm([CodableOwner.self, CodablePet.self, CodableHome.self, PartlyCodable.self])
        realm = try file.open()
        decoder.dateDecodingStrategy = .iso8601
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys]
    }

    private func decoded(_ text: String) throws -> CodableOwner {
        try decoder.decode(CodableOwner.self, from: Data(text.utf8))
    }

    private func object(_ data: Data) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }

    @Test("an object is decoded with the decoder's strategies")
    func decoding() throws {
        let owner = try decoded(json)
        #expect(owner.id.stringValue == "507f1f77bcf86cd799439011")
        #expect(owner.age == 36)
        #expect(owner.nickname == nil)
        #expect(owner.birthday == Date(timeIntervalSince1970: -4_861_728_000))
        #expect(owner.balance == "12.50")
        #expect(owner.pet?.name == "Rex")
        #expect(owner.pets.map(\.name) == ["a", "b"])
        #expect(owner.tags.contains("x"))
        #expect(owner.scores["m"] == 1)
        #expect(owner.home?.street == "Elm")
        #expect(owner.mood == .bad)
        #expect(owner.realm == nil)
    }

    @Test("a missing key of an optional property is nil, one of a required property is an error")
    func missingKeys() throws {
        let owner = try decoded(
            json.replacingOccurrences(of: #""nickname":null,"#, with: "")
                .replacingOccurrences(of: #""pet":{"name":"Rex"},"#, with: "")
        )
        #expect(owner.nickname == nil)
        #expect(owner.pet == nil)
        #expect(throws: DecodingError.self) {
            _ = try decoded(json.replacingOccurrences(of: #""age":36,"#, with: ""))
        }
    }

    @Test("an unmanaged and a managed object are encoded alike, with the encoder's strategies")
    func encoding() throws {
        let owner = try decoded(json)
        let expected = try object(Data(json.utf8))
        #expect(try object(encoder.encode(owner)) == expected)
        try realm.write { realm in realm.add(owner) }
        #expect(try object(encoder.encode(owner)) == expected)
        let found = try #require(realm.objects(CodableOwner.self).first)
        #expect(try object(encoder.encode(found)) == expected)
    }

    @Test("a managed object is encoded as it is now, not as it was when it was added")
    func changes() throws {
        let owner = try decoded(json)
        try realm.write { realm in
            realm.add(owner)
            owner.age = 40
            owner.isActive = false
            owner.nickname = "Lady"
            owner.home = nil
            owner.pets.removeFirst()
            owner.scores["n"] = 2
        }
        let members = try object(encoder.encode(owner))
        #expect(members["age"] as? Int == 40)
        #expect(members["isActive"] as? Bool == false)
        #expect(members["nickname"] as? String == "Lady")
        #expect(members["home"] is NSNull)
        #expect((members["pets"] as? [Any])?.count == 1)
        #expect((members["scores"] as? [String: Int]) == ["m": 1, "n": 2])
    }

    @Test("results, lists, sets and maps are encoded and decoded by themselves")
    func collections() throws {
        let owner = try decoded(json)
        try realm.write { realm in realm.add(owner) }
        let names = try decoder.decode([CodablePet].self, from: encoder.encode(realm.objects(CodablePet.self)))
        #expect(Set(names.map(\.name)) == ["Rex", "a", "b"])
        #expect(try String(decoding: encoder.encode(owner.pets), as: UTF8.self) == #"[{"name":"a"},{"name":"b"}]"#)
        #expect(try decoder.decode(List<Int?>.self, from: Data("[1,null]".utf8)).map { $0 } == [1, nil])
        #expect(try decoder.decode(MutableSet<Int>.self, from: Data("[1,1,2]".utf8)).count == 2)
        #expect(try decoder.decode(Map<String, String>.self, from: Data(#"{"a":"b"}"#.utf8))["a"] == "b")
    }

    @Test("own coding keys decide what is encoded and under which name")
    func codingKeys() throws {
        let value = try decoder.decode(PartlyCodable.self, from: Data(#"{"n":"x"}"#.utf8))
        #expect(value.secret == "hidden")
        try realm.write { realm in realm.add(value) }
        #expect(try String(decoding: encoder.encode(value), as: UTF8.self) == #"{"n":"x"}"#)
    }

    @Test("ids and decimals are text; decimals are decoded from numbers too")
    func values() throws {
        let id = ObjectId("507f1f77bcf86cd799439011")
        #expect(try String(decoding: encoder.encode([id]), as: UTF8.self) == #"["507f1f77bcf86cd799439011"]"#)
        let text = #"["1.50",2,0.25,"NaN","-Infinity"]"#
        let decimals = try decoder.decode([Decimal128].self, from: Data(text.utf8))
        #expect(decimals.map(\.description) == ["1.50", "2", "0.25", "NaN", "-Infinity"])
        #expect(throws: (any Error).self) { _ = try decoder.decode([Decimal128].self, from: Data(#"["x"]"#.utf8)) }
        #expect(throws: (any Error).self) { _ = try decoder.decode([ObjectId].self, from: Data(#"["12"]"#.utf8)) }
    }

    @Test("a value of any type is its content; what JSON tells apart comes back as it was")
    func anyValues() throws {
        let text = #"{"a":[1,1.5,true,null,"x"],"b":{}}"#
        let value = try decoder.decode(AnyRealmValue.self, from: Data(text.utf8))
        let list = try #require(value.dictionaryValue?["a"]?.listValue)
        #expect(Array(list) == [.int(1), .double(1.5), .bool(true), .none, .string("x")])
        #expect(try String(decoding: encoder.encode(value), as: UTF8.self) == text)
        let others: [AnyRealmValue] = [
            .float(0.5), .data(Data([1])), .date(Date(timeIntervalSince1970: 0)), .decimal128("1.50"),
            .objectId(ObjectId("507f1f77bcf86cd799439011")), .object(CodablePet(value: ["name": "Rex"])),
        ]
        #expect(
            try String(decoding: encoder.encode(others), as: UTF8.self)
                == #"[0.5,"AQ==","1970-01-01T00:00:00Z","1.50","507f1f77bcf86cd799439011",{"name":"Rex"}]"#
        )
        #expect(throws: EncodingError.self) { _ = try encoder.encode([AnyRealmValue.object(Dog())]) }
        #expect(throws: DecodingError.self) {
            _ = try decoder.decode([AnyRealmValue].self, from: Data("[[1e999]]".utf8))
        }
    }
}

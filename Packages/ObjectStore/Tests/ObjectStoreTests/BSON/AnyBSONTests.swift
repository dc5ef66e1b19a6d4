import Foundation
import ObjectStore
import Testing

@Suite("BSON values")
struct AnyBSONTests {
    private static let values: [AnyBSON] = [
        .double(1.5), .double(3), .double(-.infinity), .string("Ada"), .string(""), .binary(Data([0, 255])),
        .bool(true),
        .datetime(Date(timeIntervalSince1970: 1_700_000_000.123)), .datetime(Date(timeIntervalSince1970: -5)),
        .int32(-7), .int64(7), .int64(.max), .timestamp(Date(timeIntervalSince1970: 4_000_000_000)), .minKey, .maxKey,
        .null,
        .decimal128("1.50"), .array([1, nil, "x"]), .document(["a": nil, "b": ["c": 2.5]]),
    ]

    @Test("a value is made of each type, and is taken out as that type only")
    func conversions() throws {
        let id = try ObjectId(string: "507f1f77bcf86cd799439011")
        let uuid = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        let regex = try NSRegularExpression(pattern: "a.*", options: .caseInsensitive)

        let five = 5
        #expect(AnyBSON(five) == .int32(5))
        #expect(AnyBSON(Int(Int32.max) + 1) == .int64(Int64(Int32.max) + 1))
        #expect(AnyBSON(Int64(5)) == .int64(5))
        #expect(AnyBSON(id).objectIdValue == id)
        #expect(AnyBSON(uuid).uuidValue == uuid)
        #expect(AnyBSON(regex).regexValue == regex)
        #expect(AnyBSON("x").stringValue == "x")
        #expect(AnyBSON(true).boolValue == true)
        #expect(AnyBSON(MinKey()) == .minKey)
        #expect(AnyBSON(NSNull()).isNull)
        #expect(AnyBSON(String?.none) == .null)
        #expect(AnyBSON(AnyBSON.double(2)) == .double(2))
        #expect(AnyBSON(["a": 1] as Document).documentValue == ["a": 1])
        #expect(AnyBSON([1, nil] as [AnyBSON?]).arrayValue?.count == 2)
        #expect(AnyBSON.string("x").int32Value == nil)
        let number: Int? = AnyBSON.int64(9).value()
        let text: String? = AnyBSON.int64(9).value()
        #expect(number == 9)
        #expect(text == nil)
    }

    @Test("literals make values, also inside of documents and arrays")
    func literals() {
        let person: Document = [
            "name": "Ada", "age": 36, "height": 1.7, "isIn": true, "tags": ["a", nil], "home": ["city": "Bern"],
        ]

        func value(_ name: String) -> AnyBSON { (person[name] ?? nil) ?? .null }
        #expect(value("name") == .string("Ada"))
        #expect(value("age") == .int64(36))
        #expect(value("height") == .double(1.7))
        #expect(value("isIn") == .bool(true))
        #expect(value("tags") == .array([.string("a"), nil]))
        #expect(value("home") == .document(["city": .string("Bern")]))
        #expect(person["age"]??.asInt() == 36)
    }

    @Test("numbers are converted to each other where they fit")
    func numbers() {
        #expect(AnyBSON.double(3).asInt32() == 3)
        #expect(AnyBSON.double(3.5).asInt() == nil)
        #expect(AnyBSON.int64(.max).asInt32() == nil)
        #expect(AnyBSON.decimal128("12").asInt64() == 12)
        #expect(AnyBSON.int32(2).asDouble() == 2)
        #expect(AnyBSON.int64(2).asDecimal128() == "2")
        #expect(AnyBSON.string("2").asInt() == nil)
    }

    @Test("Extended JSON gives every value again", arguments: Self.values)
    func roundTrip(value: AnyBSON) throws {
        let data = try JSONEncoder().encode(["value": value])

        let read = try JSONDecoder().decode([String: AnyBSON].self, from: data)

        let expected = value == .array([1, nil, "x"]) ? AnyBSON.array([1, .null, "x"]) : value
        if case .document = value {
            #expect(read["value"] == .document(["a": .null, "b": ["c": 2.5]]))
        } else {
            #expect(read["value"] == expected, "\(String(decoding: data, as: UTF8.self))")
        }
    }

    @Test("ids and expressions have their form in Extended JSON")
    func forms() throws {
        let id = try ObjectId(string: "507f1f77bcf86cd799439011")
        let regex = try NSRegularExpression(pattern: "a.*", options: [.caseInsensitive, .anchorsMatchLines])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func text(_ value: AnyBSON) throws -> String { String(decoding: try encoder.encode(value), as: UTF8.self) }

        #expect(try text(.objectId(id)) == #"{"$oid":"507f1f77bcf86cd799439011"}"#)
        #expect(try text(.regex(regex)) == #"{"$regularExpression":{"options":"im","pattern":"a.*"}}"#)
        #expect(try text(.datetime(Date(timeIntervalSince1970: 1))) == #"{"$date":{"$numberLong":"1000"}}"#)
        #expect(try text(.int32(5)) == "5")
        #expect(try text(.binary(Data([1]))) == #"{"$binary":{"base64":"AQ==","subType":"00"}}"#)
    }

    @Test(
        "other writings of Extended JSON are read",
        arguments: [
            (#"{"$numberInt":"7"}"#, .int32(7)),
            (#"{"$date":"1970-01-01T00:00:01Z"}"#, .datetime(Date(timeIntervalSince1970: 1))),
            (#"{"$unknown":1}"#, .document(["$unknown": .int32(1)])), ("5000000000", .int64(5_000_000_000)),
            ("2.5", .double(2.5)),
            (
                #"{"$binary":{"base64":"a6e4EJ2tEdGAtADAT9QwyA==","subType":"04"}}"#,
                .uuid(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8") ?? UUID())
            ),
        ] as [(String, AnyBSON)]
    )
    func reading(text: String, expected: AnyBSON) throws {
        let read = try JSONDecoder().decode([AnyBSON].self, from: Data("[\(text)]".utf8))

        #expect(read == [expected])
    }

    @Test(
        "what has the name of a type and not its form is refused",
        arguments: [
            #"{"$oid":"x"}"#, #"{"$numberLong":"x"}"#, #"{"$uuid":5}"#, #"{"$regularExpression":{"pattern":"("}}"#,
            #"{"$date":true}"#,
        ]
    )
    func refusals(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([AnyBSON].self, from: Data("[\(text)]".utf8)) }
    }
}

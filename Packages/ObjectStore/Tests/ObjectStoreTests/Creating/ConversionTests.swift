import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Conversion of values")
struct ConversionTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
    }

    private func created(_ property: String, _ value: Any) throws -> Everything {
        try realm.write { realm in realm.create(Everything.self, value: [property: value]) }
    }

    private func expectRefused(_ property: String, _ value: Any) {
        let error = #expect(throws: Realm.Error.self) { _ = try created(property, value) }
        #expect(error?.code == .invalidInput)
        #expect(error?.message.contains("Everything.\(property)") == true)
    }

    private func json(_ text: String) throws -> Any {
        let object = try JSONSerialization.jsonObject(with: Data("{\"value\": \(text)}".utf8))
        return try #require((object as? [String: Any])?["value"])
    }

    @Test("integers from JSON keep all bits", arguments: ["0", "-1", "9007199254740993", "9223372036854775807"])
    func jsonIntegers(_ text: String) throws {
        #expect(try created("int", json(text)).int == Int(text))
    }

    @Test(
        "numbers with a fraction, too large, or text are no integers",
        arguments: ["1.5", "1e3", "9223372036854775808", "\"1\"", "null"]
    )
    func refusedIntegers(_ text: String) throws {
        expectRefused("int", try json(text))
    }

    @Test("an integer must fit its property")
    func narrowIntegers() throws {
        #expect(try created("int8", 127).int8 == 127)
        #expect(try created("int16", UInt8(255)).int16 == 255)
        expectRefused("int8", 128)
        expectRefused("int32", Int64(1) << 40)
    }

    @Test("truth values are integers 0 and 1, and the other way round")
    func truthValues() throws {
        #expect(try created("int", json("true")).int == 1)
        #expect(try created("bool", json("1")).bool)
        #expect(try created("bool", json("false")).bool == false)
        #expect(try created("bool", true).bool)
        expectRefused("bool", try json("2"))
        expectRefused("bool", "true")
        expectRefused("bool", 1.0)
    }

    @Test("numbers are converted to fractions, truth values are not")
    func fractions() throws {
        #expect(try created("float", json("1")).float == 1)
        #expect(try created("float", json("1.5")).float == 1.5)
        #expect(try created("double", Float(0.5)).double == 0.5)
        #expect(try created("double", 3).double == 3)
        expectRefused("float", try json("1e300"))
        expectRefused("double", try json("true"))
        expectRefused("double", "1")
    }

    @Test("dates, data and ids are never inferred from text")
    func notInferred() {
        expectRefused("date", "2020-01-01T00:00:00Z")
        expectRefused("date", 0)
        expectRefused("data", "AAAA")
        expectRefused("id", "507f1f77bcf86cd799439011")
        expectRefused("string", 1)
    }

    @Test("a UUID may be text, an enumeration its raw value")
    func textForms() throws {
        let uuid = UUID()
        #expect(try created("uuid", uuid.uuidString).uuid == uuid)
        #expect(try created("ward", "intensiveCare").ward == .intensiveCare)
        #expect(try created("triage", json("3")).triage == .red)
        #expect(try created("optionalWard", NSNull()).optionalWard == nil)
        expectRefused("uuid", "no uuid")
        expectRefused("ward", "garden")
        expectRefused("triage", 2)
    }

    @Test("decimals come from numbers and numeric text")
    func decimals() throws {
        #expect(try created("decimal", "12.50").decimal == Decimal128(string: "12.50"))
        #expect(try created("decimal", json("7")).decimal == 7)
        #expect(try created("decimal", json("0.25")).decimal == 0.25)
        expectRefused("decimal", "many")
        expectRefused("decimal", true)
    }

    @Test("null empties optionals and is refused elsewhere, also when an optional hides it")
    func nulls() throws {
        #expect(try created("optionalInt", NSNull()).optionalInt == nil)
        #expect(try created("optionalString", String?.none as Any).optionalString == nil)
        #expect(try created("optionalInt", Int?(4) as Any).optionalInt == 4)
        expectRefused("string", NSNull())
        expectRefused("double", Double?.none as Any)
    }

    @Test("lists accept sequences of what their elements accept, not scalars or other lists")
    func lists() throws {
        func home(_ value: [String: Any]) throws -> Home {
            try realm.write { realm in
                realm.create(Home.self, value: value.merging(["name": UUID().uuidString]) { $1 })
            }
        }
        #expect(try home(["ratings": [1, nil, true] as [Any?]]).ratings.map { $0 } == [1, nil, 1])
        #expect(try home(["tags": NSNull()]).tags.isEmpty)
        for value: [String: Any] in [["tags": "a"], ["tags": 1], ["tags": [1]], ["tags": List<Int>()], ["dogs": [1]]] {
            #expect(throws: Realm.Error(.invalidInput, "")) { _ = try home(value) }
        }
    }

    @Test("every type comes back as it was stored")
    func roundTrip() throws {
        let stored = Everything()
        stored.int = .min
        stored.int8 = -8
        stored.int16 = -16
        stored.int32 = .max
        stored.int64 = .max
        stored.bool = true
        stored.float = 1.1
        stored.double = -0.1
        stored.string = "\u{0} é 👩‍⚕️"
        stored.data = Data([0, 255])
        stored.date = Date(timeIntervalSinceReferenceDate: 0.123456789)
        stored.decimal = Decimal128(high: 1, low: 2)
        stored.ward = .intensiveCare
        stored.triage = .red
        stored.optionalDouble = .nan
        stored.optionalData = Data()
        stored.optionalObjectId = ObjectId()
        stored.optionalUUID = UUID()
        stored.optionalString = ""
        stored.optionalFloat = -.infinity
        let (id, uuid, objectId) = (stored.id, stored.uuid, stored.optionalObjectId)
        do {
            try realm.write { realm in realm.add(stored) }
        }

        realm.refresh()
        let read = try #require(realm.object(ofType: Everything.self, forPrimaryKey: id))

        #expect(read.int == .min)
        #expect(read.int8 == -8)
        #expect(read.int16 == -16)
        #expect(read.int32 == .max)
        #expect(read.int64 == .max)
        #expect(read.bool)
        #expect(read.float == 1.1)
        #expect(read.double == -0.1)
        #expect(read.string == "\u{0} é 👩‍⚕️")
        #expect(read.data == Data([0, 255]))
        #expect(read.date.timeIntervalSinceReferenceDate == 0.123456789)
        #expect(read.uuid == uuid)
        #expect(read.decimal == Decimal128(high: 1, low: 2))
        #expect(read.ward == .intensiveCare)
        #expect(read.triage == .red)
        #expect(read.optionalDouble?.isNaN == true)
        #expect(read.optionalData == Data())
        #expect(read.optionalObjectId == objectId)
        #expect(read.optionalString == "")
        #expect(read.optionalFloat == -.infinity)
        #expect(read.optionalInt == nil)
    }

    @Test("a number that is none, or zero, is read as it was written")
    func specialNumbers() throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        for (double, float) in [(Double.nan, Float.nan), (0, 0), (.infinity, -.infinity)] {
            let stored = try realm.write { realm.create(Everything.self, value: ["double": double, "float": float]) }

            #expect(stored.double == double || (stored.double.isNaN && double.isNaN))
            #expect(stored.float == float || (stored.float.isNaN && float.isNaN))
        }
    }
}

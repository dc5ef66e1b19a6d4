import EventModel
import EventSerializationTesting
import Foundation
import Testing

@Suite("Values as JSON")
struct ValueTextTests {
    /// A value with the kind of property that holds it, and its text.
    struct Case: CustomTestStringConvertible {
        let kind: PropertyShape.Kind
        let value: Value
        let text: String

        init(_ kind: PropertyShape.Kind, _ value: Value, _ text: String) {
            self.kind = kind
            self.value = value
            self.text = text
        }

        var testDescription: String { "\(kind) \(text)" }
    }

    static func date(_ secondsSince1970: Double) -> Value {
        .date(Date(timeIntervalSinceReferenceDate: secondsSince1970 - 978_307_200))
    }

    static let integers: [Case] = [
        Case(.int, .int(0), "0"), Case(.int, .int(-1), "-1"), Case(.int, .int(10), "10"), Case(.int, .int(99), "99"),
        Case(.int, .int(100), "100"), Case(.int, .int(.max), "9223372036854775807"),
        Case(.int, .int(.min), "-9223372036854775808"),
        Case(.int, .int(1_000_000_000_000_000_000), "1000000000000000000"),
        Case(.bool, .bool(true), "true"), Case(.bool, .bool(false), "false"),
    ]

    static let numbers: [Case] = [
        Case(.double, .double(3), "3.0"), Case(.double, .double(0), "0.0"), Case(.double, .double(-0.0), "-0.0"),
        Case(.double, .double(0.1), "0.1"), Case(.double, .double(-98.6), "-98.6"),
        Case(.double, .double(1.05), "1.05"),
        Case(.double, .double(0.1 + 0.2), "0.30000000000000004"), Case(.double, .double(1e300), "1e+300"),
        Case(.double, .double(1e-7), "1e-07"), Case(.double, .double(123456.789), "123456.789"),
        Case(.double, .double(0.001), "0.001"), Case(.double, .double(0.0001), "0.0001"),
        Case(.double, .double(1e15), "1000000000000000.0"),
        Case(.double, .double(9_007_199_254_740_991), "9007199254740991.0"),
        Case(.double, .double(9_007_199_254_740_992), "9007199254740992.0"),
        Case(.double, .double(9_007_199_254_740_994), "9.007199254740994e+15"),
        Case(.double, .double(-9_007_199_254_740_994), "-9.007199254740994e+15"),
        Case(.double, .double(12_345_678_901_234_568), "1.2345678901234568e+16"),
        Case(.double, .double(0.00012345), "0.00012345"), Case(.double, .double(0.000099999), "9.9999e-05"),
        Case(.double, .double(-1.5e-5), "-1.5e-05"), Case(.double, .double(1e100), "1e+100"),
        Case(.double, .double(-.greatestFiniteMagnitude), "-1.7976931348623157e+308"),
        Case(.double, .double(.leastNormalMagnitude), "2.2250738585072014e-308"),
        Case(.double, .double(1e16), "1e+16"), Case(.double, .double(999_999_999_999_999), "999999999999999.0"),
        Case(.double, .double(.greatestFiniteMagnitude), "1.7976931348623157e+308"),
        Case(.double, .double(.leastNonzeroMagnitude), "5e-324"), Case(.double, .double(.pi), "3.141592653589793"),
        Case(.double, .double(.nan), "null"), Case(.double, .double(.infinity), "null"),
        Case(.double, .double(-.infinity), "null"), Case(.float, .float(1.1), "1.100000023841858"),
        Case(.float, .float(1.5), "1.5"), Case(.float, .float(-0.0), "-0.0"), Case(.float, .float(.nan), "null"),
        Case(.float, .float(.greatestFiniteMagnitude), "3.4028234663852886e+38"),
        Case(.float, .float(0.1), "0.10000000149011612"), Case(.float, .float(16_777_216), "16777216.0"),
        Case(.float, .float(.leastNonzeroMagnitude), "1.401298464324817e-45"), Case(.float, .float(-.infinity), "null"),
        Case(.decimal128, .decimal128("1.50"), "\"1.50\""), Case(.decimal128, .decimal128("-1E+3"), "\"-1E+3\""),
        Case(.decimal128, .decimal128("NaN"), "\"NaN\""), Case(.decimal128, .decimal128("Infinity"), "\"Infinity\""),
        Case(
            .decimal128,
            .decimal128("9.999999999999999999999999999999999E+6144"),
            "\"9.999999999999999999999999999999999E+6144\""
        ),
    ]

    static let texts: [Case] = [
        Case(.string, .string(""), "\"\""), Case(.string, .string("plain"), "\"plain\""),
        Case(.string, .string("a/b <ü> 🩺\u{7F}"), "\"a/b <ü> 🩺\u{7F}\""),
        Case(.string, .string("\"\\"), #""\"\\""#),
        Case(.string, .string("\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}"), #""\u0000\u0001\b\t\n\u000b\f\r\u001f""#),
        Case(.string, .string("longer than eight\nbytes"), #""longer than eight\nbytes""#),
        Case(
            .string,
            .string("\u{800}\u{FFFF}\u{10FFFF}\u{10000}\u{D7FF}"),
            "\"\u{800}\u{FFFF}\u{10FFFF}\u{10000}\u{D7FF}\""
        ),
        Case(
            .string,
            .string(String(repeating: "\u{1}", count: 300)),
            "\"" + String(repeating: "\\u0001", count: 300) + "\""
        ),
        Case(.objectId, .objectId(ObjectId("62b38b3c10846041166f5deb")), "\"62b38b3c10846041166f5deb\""),
        Case(
            .uuid,
            .uuid(UUID(uuid: (0, 1, 2, 3, 0xAB, 0xCD, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))),
            "\"00010203-abcd-0607-0809-0a0b0c0d0eff\""
        ),
    ]

    static let dates: [Case] = [
        Case(.date, date(0), "\"1970-01-01T00:00:00.000Z\""), Case(.date, date(0.9999), "\"1970-01-01T00:00:00.999Z\""),
        Case(.date, date(-0.5), "\"1969-12-31T23:59:59.500Z\""),
        Case(.date, date(-0.0005), "\"1969-12-31T23:59:59.999Z\""),
        Case(.date, date(1_656_000_000.123), "\"2022-06-23T16:00:00.123Z\""),
        Case(.date, date(951_782_400), "\"2000-02-29T00:00:00.000Z\""),
        Case(.date, date(-2_208_988_800.25), "\"1899-12-31T23:59:59.750Z\""),
        Case(.date, date(253_402_300_799.999), "\"9999-12-31T23:59:59.999Z\""),
        Case(.date, date(253_402_300_800.5), "\"+010000-01-01T00:00:00.500Z\""),
        Case(.date, date(1_656_000_000.9996), "\"2022-06-23T16:00:00.999Z\""),
        Case(.date, date(-62_135_596_799.75), "\"0001-01-01T00:00:00.250Z\""),
        Case(.date, date(-1.001), "\"1969-12-31T23:59:58.999Z\""),
        Case(.date, date(-2_208_988_800.001), "\"1899-12-31T23:59:59.999Z\""),
        Case(.date, date(253_402_300_800), "\"+010000-01-01T00:00:00.000Z\""),
        Case(.date, .date(.distantFuture), "\"4001-01-01T00:00:00.000Z\""),
        Case(.date, date(-62_135_596_800), "\"0001-01-01T00:00:00.000Z\""),
        Case(.date, date(-62_167_219_200), "\"0000-01-01T00:00:00.000Z\""),
        Case(.date, date(-62_167_219_201), "\"-000001-12-31T23:59:59.000Z\""),
        Case(.date, date(1e14), "\"+3170843-11-07T09:46:40.000Z\""),
        Case(.date, .date(Date(timeIntervalSinceReferenceDate: .nan)), "null"),
        Case(.date, .date(Date(timeIntervalSinceReferenceDate: .infinity)), "null"),
        Case(.date, .date(Date(timeIntervalSinceReferenceDate: 1e300)), "null"),
    ]

    static let objects: [Case] = [
        Case(.link, .link(ObjectReference(className: "Person", key: 9, primaryKey: .string("k"))), "\"k\""),
        Case(.link, .link(ObjectReference(className: "Person", key: 9, primaryKey: .int(-3))), "-3"),
        Case(.link, .link(ObjectReference(className: "Person", key: 9)), "9"),
        Case(.embedded, .object(.sampleAddress(street: "a")), #"{"city":"Bern","street":"a"}"#),
    ]

    @Test(
        "a value has this text alone, in a list, a set and a map",
        arguments: integers + numbers + texts + dates + objects
    )
    func containers(sample: Case) throws {
        let snapshot = ObjectSnapshot.sample(
            .sampleHolder(of: sample.kind),
            [
                "single": sample.value,
                "list": .list([sample.value, .null, sample.value]),
                "set": .list([sample.value]),
                "map": .dictionary(["k": sample.value, "a": .null]),
            ]
        )
        let text = sample.text

        #expect(
            try objectText(snapshot)
                == #"{"list":[\#(text),null,\#(text)],"map":{"a":null,"k":\#(text)},"set":[\#(text)],"single":\#(text)}"#
        )
    }

    @Test("a value of any type has the same text", arguments: integers + numbers + texts + dates)
    func anyType(sample: Case) throws {
        let nested = Value.list([.dictionary(["k": sample.value]), sample.value])
        let snapshot = ObjectSnapshot.sample(
            .sampleHolder(of: .any),
            ["single": sample.value, "list": .list([nested])]
        )

        #expect(
            try objectText(snapshot)
                == #"{"list":[[{"k":\#(sample.text)},\#(sample.text)]],"map":{},"set":[],"single":\#(sample.text)}"#
        )
    }

    @Test(
        "null has its key, and an empty collection is empty",
        arguments: [
            PropertyShape.Kind.int, .bool, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128, .any,
            .link, .embedded,
        ]
    )
    func nulls(kind: PropertyShape.Kind) throws {
        #expect(
            try objectText(.sample(.sampleHolder(of: kind), [:])) == #"{"list":[],"map":{},"set":[],"single":null}"#
        )
        #expect(
            try objectText(.sample(.sampleHolder(of: kind), ["list": .list([]), "map": .dictionary([:])]))
                == #"{"list":[],"map":{},"set":[],"single":null}"#
        )
    }

    @Test("data has no key, and is null in collections", arguments: [PropertyShape.Kind.data, .any])
    func data(kind: PropertyShape.Kind) throws {
        let snapshot = ObjectSnapshot.sample(
            .sampleHolder(of: kind),
            ["single": .data([1]), "list": .list([.data([1]), .null]), "map": .dictionary(["k": .data([2])])]
        )

        #expect(try objectText(snapshot) == #"{"list":[null,null],"map":{"k":null},"set":[]}"#)
    }

    @Test("the keys of maps are escaped and sorted by bytes, in whatever order they are stored")
    func mapKeys() throws {
        let shape = ClassShape.sampleHolder(of: .int)
        var writer = SnapshotWriter(shape: shape)
        writer.begin(key: 1, version: 1, whole: true)
        writer.setPacked(3) { packed in
            packed.append(dictionaryOf: 4) { entries in
                for (index, key) in ["é", "b", "$a.\"", "Z"].enumerated() {
                    entries.appendKey(key)
                    entries.append(int: Int64(index))
                }
            }
        }

        #expect(
            try objectText(writer.finish())
                == #"{"list":[],"map":{"$a.\"":2,"Z":3,"b":1,"é":0},"set":[],"single":null}"#
        )
    }

    @Test("text of megabytes is written whole, plain or escaped")
    func largeText() throws {
        let shape = ClassShape(name: "Holder", properties: [PropertyShape(name: "s", kind: .string)])
        for (part, json, bytes) in [
            ("0123456789", "0123456789", 10_000_000), ("🩺é", "🩺é", 1_000_000), ("\n\u{1}", #"\n\u0001"#, 1_000_000),
        ] {
            let count = bytes / part.utf8.count
            let text = try objectText(.sample(shape, ["s": .string(String(repeating: part, count: count))]))

            #expect(text == "{\"s\":\"" + String(repeating: json, count: count) + "\"}")
        }
    }

    @Test("a payload of ten megabytes is written whole")
    func largePayload() throws {
        let name = String(repeating: "0123456789", count: 1000)
        let objects = (0..<1000).map { ReadObject(snapshot: .samplePerson(key: $0, name: name, employeeId: $0)) }
        let text = try readText(objects, type: "Person")

        let middle = (0..<1000)
            .map {
                #"{"_id":"62b38b3c10846041166f5deb","_partition":"","employeeId":\#($0),"name":"\#(name)","userId":null}"#
            }
        #expect(text.utf8.count > 10_000_000)
        #expect(text == #"{"type":"Person","value":["# + middle.joined(separator: ",") + "]}")
    }

    @Test("text of every length is copied whole", arguments: 0...40)
    func lengths(length: Int) throws {
        let shape = ClassShape(name: "Holder", properties: [PropertyShape(name: "s", kind: .string)])
        for special in ["", "\n", "ü", "\""] {
            for position in 0...length {
                var text = String(repeating: "x", count: length)
                text.insert(contentsOf: special, at: text.index(text.startIndex, offsetBy: position))
                let json = text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")

                #expect(try objectText(.sample(shape, ["s": .string(text)])) == #"{"s":"\#(json)"}"#)
            }
        }
    }
}

import Daybook
import Testing

@Suite("Scenarios: the JSON of extreme values")
struct ExtremeValueTests {
    /// Stores a record that a closure filled, reads it in a scope and returns what is recorded.
    private func recordedJSON(_ fill: (Record) -> Void) throws -> String {
        let record = Record()
        record._id = 1
        fill(record)
        let recorded = try RecordedRealm(holding: [record])
        try recorded.record { _ = recorded.realm.object(ofType: Record.self, forPrimaryKey: 1) }
        let lines = try recorded.lines()
        try #require(lines.count == 1)
        return lines[0]
    }

    @Test("Scenario 103: Int64 limits are whole numbers with all their digits", .tags(.scenario103))
    func integers() throws {
        let json = try recordedJSON { record in
            record.int = Int(Int64.min)
            record.intList.append(objectsIn: [Int(Int64.max), 9_007_199_254_740_993])
        }

        #expect(json.contains(#""int":-9223372036854775808,"intList":[9223372036854775807,9007199254740993]"#))
    }

    @Test(
        "Scenario 103: doubles are the shortest text that reads back as the same, what is no number is null",
        .tags(.scenario103),
        arguments: [
            (Double.nan, "null"), (.infinity, "null"), (-.infinity, "null"), (3, "3.0"), (-0.0, "-0.0"), (0.1, "0.1"),
            (1e300, "1e+300"), (1e-07, "1e-07"), (.leastNonzeroMagnitude, "5e-324"),
        ]
    )
    func doubles(number: Double, text: String) throws {
        #expect(try recordedJSON { $0.double = number }.contains(#""double":\#(text),"#))
    }

    @Test(
        "Scenario 103: dates are in UTC with three digits of a second, cut off, in every year",
        .tags(.scenario103),
        arguments: [
            (-0.5, "1969-12-31T23:59:59.500Z"), (-0.0004, "1969-12-31T23:59:59.999Z"),
            (0.9999, "1970-01-01T00:00:00.999Z"),
            (-62_135_596_800, "0001-01-01T00:00:00.000Z"), (253_402_300_800, "+010000-01-01T00:00:00.000Z"),
        ]
    )
    func dates(seconds: Double, text: String) throws {
        let json = try recordedJSON { $0.date = Date(timeIntervalSince1970: seconds) }

        #expect(json.contains(#""date":"\#(text)","#))
    }

    @Test(
        "Scenario 103: text keeps every character; quotes, backslashes and control characters are escaped",
        .tags(.scenario103),
        arguments: [
            ("\u{0}\u{1}\u{8}\t\n\u{c}\r\u{1f}", #"\u0000\u0001\b\t\n\f\r\u001f"#), (#"a"b\c/d"#, #"a\"b\\c/d"#),
            ("👩‍⚕️🇦🇹e\u{301}é", "👩‍⚕️🇦🇹e\u{301}é"), ("\u{2028}\u{2029}\u{feff}\u{7f}", "\u{2028}\u{2029}\u{feff}\u{7f}"),
            ("\u{fffe}\u{10ffff}\u{202e}", "\u{fffe}\u{10ffff}\u{202e}"), ("", ""),
        ]
    )
    func texts(text: String, escaped: String) throws {
        let json = try recordedJSON { $0.string = text }

        #expect(Array(json.utf8).contains(Array(#""string":"\#(escaped)","#.utf8)))
    }

    @Test("Scenario 103: decimals are text, also those at the ends of the range", .tags(.scenario103))
    func decimals() throws {
        #expect(try recordedJSON { $0.decimal = 0.1 }.contains(#""decimal":"0.1""#))
        let largest = try Decimal128(string: "9.999999999999999999999999999999999E6144")
        #expect(
            try recordedJSON { $0.decimal = largest }
                .contains(#""decimal":"9.999999999999999999999999999999999E+6144""#)
        )
    }

    @Test("Scenario 103: collections nest in any value, and data in them is null", .tags(.scenario103))
    func nested() throws {
        let json = try recordedJSON { record in
            record.mixed = .fromDictionary([
                "list": .fromArray([.int(1), .none, .data(Data([1])), .fromDictionary(["x": .bool(true)])]),
                "decimal": .decimal128(2.5),
            ])
        }

        #expect(json.contains(#""mixed":{"decimal":"2.5","list":[1,null,null,{"x":true}]}"#))
    }

    @Test("Scenario 103: data that is set is left out, data that is not set is null", .tags(.scenario103))
    func data() throws {
        #expect(try !recordedJSON { $0.data = Data([1]) }.contains(#""data""#))
        #expect(try recordedJSON { $0.data = nil }.contains(#""data":null"#))
    }
}

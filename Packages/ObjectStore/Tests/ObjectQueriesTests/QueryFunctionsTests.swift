import EventModel
import ObjectQueries
import Testing

@Suite("QueryFunctions")
struct QueryFunctionsTests {
    @Test("folding makes texts equal that differ in case or diacritics only")
    func folding() {
        #expect(QueryFunctions.fold("ÀÉ", .caseInsensitive) == "àé")
        #expect(QueryFunctions.fold("Straße", .caseInsensitive) == QueryFunctions.fold("STRASSE", .caseInsensitive))
        #expect(QueryFunctions.fold("Ünïcödé", .diacriticInsensitive) == "Unicode")
        #expect(QueryFunctions.fold("É", [.caseInsensitive, .diacriticInsensitive]) == "e")
        #expect(QueryFunctions.fold("ABC", []) == "ABC")
        #expect(QueryFunctions.fold("ABC", .diacriticInsensitive) == "ABC")
        #expect(QueryFunctions.fold("한글", [.caseInsensitive, .diacriticInsensitive]).isEmpty == false)
    }

    @Test(
        "patterns match",
        arguments: [
            ("", "", true), ("", "*", true), ("a", "", false), ("abc", "a*c", true), ("abc", "a?c", true),
            ("abc", "*", true), ("abc", "???", true), ("abc", "??", false), ("aXbXc", "a*X*c", true),
            ("mississippi", "*issip*", true), ("mississippi", "*issi", false), ("a*c", #"a\*c"#, true),
            ("abc", #"a\*c"#, false), (#"a\c"#, #"a\\c"#, true), (#"a\"#, #"a\"#, true), (#"a\b"#, #"a\b"#, true),
            ("é🩺", "??", true),
        ]
    )
    func patterns(text: String, pattern: String, matches: Bool) {
        #expect(QueryFunctions.isLike(text, pattern: pattern) == matches)
    }

    @Test("a pattern of many stars does not take exponential time")
    func manyStars() {
        let text = String(repeating: "a", count: 2000)

        #expect(!QueryFunctions.isLike(text, pattern: String(repeating: "*a", count: 50) + "b"))
    }

    @Test("the keys of decimals have the order of the numbers")
    func decimalKeys() {
        let ordered: [Decimal128] = [
            "NaN", "-Infinity", "-9E+6111", "-1E+3", "-999", "-1.5", "-1", "-1E-6176", "0", "1E-6176", "0.001",
            "0.0011",
            "1", "1.5", "999.9999999999999999999999999999999", "1000", "1E+4", "9E+6111", "Infinity",
        ]
        let keys = ordered.map(QueryFunctions.decimalKey)
        for (left, right) in zip(keys, keys.dropFirst()) {
            #expect(left.lexicographicallyPrecedes(right))
        }
        #expect(QueryFunctions.decimalKey("1.0") == QueryFunctions.decimalKey("1.00"))
        #expect(QueryFunctions.decimalKey("-0") == QueryFunctions.decimalKey("0E+10"))
    }

    @Test("a decimal survives its blob, which is the one of BSON")
    func blobs() {
        let number: Decimal128 = "-12.34"
        let blob = QueryFunctions.blob(number)

        #expect(blob.withUnsafeBytes { QueryFunctions.decimal(blob: $0) }?.description == "-12.34")
        #expect(blob == [0xD2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3C, 0xB0])
        #expect([UInt8]([1, 2]).withUnsafeBytes { QueryFunctions.decimal(blob: $0) } == nil)
    }
}

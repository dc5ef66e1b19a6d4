import EventModel
import Foundation
import Testing

@Suite("Decimal128 as text")
struct Decimal128TextTests {
    @Test(
        "numbers have these bits, and these bits this text",
        arguments: [
            ("0", 0x3040_0000_0000_0000, 0), ("-0", 0xB040_0000_0000_0000, 0), ("1", 0x3040_0000_0000_0000, 1),
            ("-1", 0xB040_0000_0000_0000, 1), ("0.1", 0x303E_0000_0000_0000, 1),
            ("0.001234", 0x3034_0000_0000_0000, 1234),
            ("123456789012", 0x3040_0000_0000_0000, 123_456_789_012),
            ("0.1234567890123456789012345678901234", 0x2FFC_3CDE_6FFF_9732, 0xDE82_5CD0_7E96_AFF2),
            ("1.000000000000000000000000000000000E+6144", 0x5FFE_314D_C644_8D93, 0x38C1_5B0A_0000_0000),
            ("9.999999999999999999999999999999999E+6144", 0x5FFF_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF),
            ("1E-6176", 0, 1), ("0E-6176", 0, 0), ("0E+6111", 0x5FFE_0000_0000_0000, 0),
            ("1.2E+4", 0x3046_0000_0000_0000, 12), ("-1.00E-8", 0xB02C_0000_0000_0000, 100),
            ("Infinity", 0x7800_0000_0000_0000, 0), ("-Infinity", 0xF800_0000_0000_0000, 0),
            ("NaN", 0x7C00_0000_0000_0000, 0), ("0.000001", 0x3034_0000_0000_0000, 1),
            ("1E-7", 0x3032_0000_0000_0000, 1),
            ("1E+3", 0x3046_0000_0000_0000, 1), ("0.00", 0x303C_0000_0000_0000, 0), ("0E-7", 0x3032_0000_0000_0000, 0),
        ] as [(String, UInt64, UInt64)]
    )
    func bits(text: String, high: UInt64, low: UInt64) throws {
        let number = try Decimal128(string: text)

        #expect(number.high == high)
        #expect(number.low == low)
        #expect(Decimal128(high: high, low: low).description == text)
    }

    @Test(
        "other spellings are read",
        arguments: [
            ("+1", "1"), ("1.", "1"), (".5", "0.5"), ("007", "7"), ("1e3", "1E+3"), ("1E0003", "1E+3"),
            ("12E-1", "1.2"),
            ("inf", "Infinity"), ("-INFINITY", "-Infinity"), ("nan", "NaN"), ("-NaN", "NaN"), ("1E+6112", "1.0E+6112"),
            ("1E+6145", "Infinity"), ("1E+99999999999999999999", "Infinity"), ("1E-99999999999999999999", "0E-6176"),
            ("0E+9999", "0E+6111"), ("5E-6177", "0E-6176"), ("6E-6177", "1E-6176"), ("15E-6177", "2E-6176"),
            ("12345678901234567890123456789012345", "1.234567890123456789012345678901234E+34"),
            ("12345678901234567890123456789012355", "1.234567890123456789012345678901236E+34"),
            ("12345678901234567890123456789012345000001", "1.234567890123456789012345678901235E+40"),
            ("99999999999999999999999999999999995", "1.000000000000000000000000000000000E+35"),
            ("99999999999999999999999999999999994", "9.999999999999999999999999999999999E+34"),
        ]
    )
    func spellings(text: String, expected: String) throws {
        #expect(try Decimal128(string: text).description == expected)
    }

    @Test(
        "anything else is refused",
        arguments: ["", " ", "1 ", "-", ".", "1.2.3", "1e", "1e+", "e5", "0x10", "1,5", "--1", "infinit", "١", "1e1.5"]
    )
    func refused(text: String) {
        #expect(throws: EventModelError.malformedDecimal(length: text.utf8.count)) { try Decimal128(string: text) }
        #expect(Decimal128(text) == nil)
    }

    @Test("non-canonical encodings are zero")
    func nonCanonical() {
        #expect(Decimal128(high: 0x3041_ED09_BEAD_87C0, low: 0x378D_8E64_0000_0000).description == "0")
        #expect(Decimal128(high: 0x6C10_0000_0000_0000, low: 5).significand == 0)
        #expect(Decimal128(high: 0x6C10_0000_0000_0000, low: 5).isZero)
    }

    @Test("JSON holds the text; text, integers and numbers are decoded")
    func coding() throws {
        let encoded = try JSONEncoder().encode([Decimal128("1.50"), .nan])

        #expect(String(decoding: encoded, as: UTF8.self) == #"["1.50","NaN"]"#)
        let decoded = try JSONDecoder().decode([Decimal128].self, from: Data(#"["1.50", 7, 0.25]"#.utf8))
        #expect(decoded.map(\.description) == ["1.50", "7", "0.25"])
        #expect(throws: (any Error).self) { try JSONDecoder().decode([Decimal128].self, from: Data("[true]".utf8)) }
        #expect(throws: EventModelError.malformedDecimal(length: 1)) {
            try JSONDecoder().decode([Decimal128].self, from: Data(#"["x"]"#.utf8))
        }
    }
}

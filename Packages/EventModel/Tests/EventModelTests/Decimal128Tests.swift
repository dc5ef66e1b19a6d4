import EventModel
import Testing

@Suite("Decimal128")
struct Decimal128Tests {
    @Test(
        "arithmetic rounds half to even and keeps the preferred exponent",
        arguments: [
            ("0.1", "+", "0.2", "0.3"),
            ("1", "+", "1.00", "2.00"),
            ("1E+36", "+", "1", "1.000000000000000000000000000000000E+36"),
            ("1E+40", "-", "1", "1.000000000000000000000000000000000E+40"),
            ("1", "+", "9999999999999999999999999999999999E-37", "1.001000000000000000000000000000000"),
            ("1", "-", "1E-6176", "1.000000000000000000000000000000000"),
            ("9999999999999999999999999999999999", "+", "0.5", "1.000000000000000000000000000000000E+34"),
            ("9999999999999999999999999999999999", "+", "0.4", "9999999999999999999999999999999999"),
            ("9999999999999999999999999999999998", "+", "0.5", "9999999999999999999999999999999998"),
            ("-5", "+", "5.00", "0.00"),
            ("0E+3", "+", "1", "1"),
            ("1E+40", "+", "0", "1.000000000000000000000000000000000E+40"),
            ("0", "-", "0", "0"),
            ("-0", "-", "0", "-0"),
            ("9999999999999999999999999999999999E+6111", "+", "1E+6111", "Infinity"),
            ("-7.5", "-", "2.5E+3", "-2507.5"),
            ("1.5", "*", "2", "3.0"),
            ("-0.10", "*", "0.10", "-0.0100"),
            (
                "9999999999999999999999999999999999", "*", "9999999999999999999999999999999999",
                "9.999999999999999999999999999999998E+67"
            ),
            (
                "1234567890123456789012345678901234", "*", "9876543210987654321098765432109876",
                "1.219326311370217952261850327338667E+67"
            ),
            ("1E+6000", "*", "1E+6000", "Infinity"),
            ("1E-6000", "*", "1E-6000", "0E-6176"),
            ("0E-6176", "*", "-1E-10", "-0E-6176"),
            ("3E-6176", "*", "0.5", "2E-6176"),
            ("5E-6176", "*", "0.1", "0E-6176"),
            ("Infinity", "*", "-2", "-Infinity"),
            ("Infinity", "*", "0", "NaN"),
            ("1", "/", "3", "0.3333333333333333333333333333333333"),
            ("2", "/", "3", "0.6666666666666666666666666666666667"),
            ("-1", "/", "8", "-0.125"),
            ("100", "/", "5", "20"),
            ("1.00", "/", "2", "0.50"),
            ("1E+3", "/", "1E-3", "1E+6"),
            ("7", "/", "0", "Infinity"),
            ("0", "/", "0", "NaN"),
            ("-7", "/", "0", "-Infinity"),
            ("0", "/", "-7", "-0"),
            ("1", "/", "9999999999999999999999999999999999", "1.000000000000000000000000000000000E-34"),
            ("9999999999999999999999999999999999", "/", "1E-34", "9.999999999999999999999999999999999E+67"),
            ("1", "/", "Infinity", "0E-6176"),
            ("Infinity", "/", "Infinity", "NaN"),
            ("1E-6176", "/", "2", "0E-6176"),
            ("3E-6176", "/", "2", "2E-6176"),
            ("1E+6111", "/", "1E-6111", "Infinity"),
            ("Infinity", "-", "Infinity", "NaN"),
            ("NaN", "+", "1", "NaN"),
            ("6", "/", "2E+5", "0.00003"),
        ]
    )
    func arithmetic(left: String, operation: String, right: String, expected: String) throws {
        let left = try Decimal128(string: left)
        let right = try Decimal128(string: right)

        let result =
            switch operation {
            case "+": left + right
            case "-": left - right
            case "*": left * right
            default: left / right
            }

        #expect(result.description == expected)
    }

    @Test("operators that assign do the same")
    func assignment() {
        var number: Decimal128 = 10
        number += 5
        number -= 3
        number *= 2
        number /= 8

        #expect(number == 3)
    }

    @Test("equal values are equal and have one hash, whatever their zeros")
    func equality() {
        #expect(Decimal128("1.0") == Decimal128("1.00"))
        #expect(Decimal128("1E+3") == Decimal128("1000"))
        #expect(Decimal128("-0") == Decimal128("0E+10"))
        #expect(Decimal128.nan == Decimal128.nan)
        #expect(Decimal128("1") != Decimal128("-1"))
        #expect(Set<Decimal128>(["1.0", "1.00", "1E+0", "10E-1", "0", "-0", "NaN"]).count == 3)
        #expect(Value.decimal128("1.0") == .decimal128("1.000"))
    }

    @Test("the order is that of the values, with NaN first")
    func order() {
        let sorted: [Decimal128] = [
            "NaN", "-Infinity", "-1E+6144", "-1000", "-1.5", "-1E-6176", "0", "1E-6176", "0.9", "1", "1.0000001",
            "9999999999999999999999999999999999", "1E+34", "Infinity",
        ]

        #expect(Array(sorted.reversed()).sorted() == sorted)
        #expect(!(Decimal128("1.0") < Decimal128("1.00")))
    }

    @Test("parts of a number are seen")
    func parts() {
        let number: Decimal128 = "-12.50"

        #expect(number.isNegative && number.isFinite && !number.isZero)
        #expect(number.significand == 1250)
        #expect(number.exponent == -2)
        #expect(number.magnitude.description == "12.50")
        #expect((-number).description == "12.50")
        #expect(Decimal128(isNegative: true, significand: 1250, exponent: -2) == number)
        #expect(Decimal128().description == "0")
        #expect(Decimal128.infinity.isInfinite && !Decimal128.infinity.isNaN && !Decimal128.infinity.isFinite)
        #expect(Decimal128.nan.isNaN && !Decimal128.nan.isInfinite && !Decimal128.nan.isFinite)
    }

    @Test("numbers of other types are converted")
    func conversion() {
        #expect(Decimal128(Int64.min).description == "-9223372036854775808")
        #expect(Decimal128(UInt64.max).description == "18446744073709551615")
        #expect(Decimal128(UInt128.max).description == "3.402823669209384634633746074317682E+38")
        #expect(Decimal128(0.1).description == "0.1")
        #expect(Decimal128(3.0).description == "3")
        #expect(Decimal128(1e300).description == "1E+300")
        #expect(Decimal128(-Double.infinity).description == "-Infinity")
        #expect(Decimal128(Double.nan).isNaN)
        #expect(Decimal128(Float(0.1)).description == "0.1")
        #expect((1.5 as Decimal128).description == "1.5")
        #expect((42 as Decimal128).description == "42")
    }

    @Test("numbers are converted back")
    func back() {
        #expect(Decimal128("0.1").doubleValue == 0.1)
        #expect(Decimal128("1E+400").doubleValue == .infinity)
        #expect(Decimal128("-1E-400").doubleValue == 0)
        #expect(Decimal128.nan.doubleValue.isNaN)
        #expect((-Decimal128.infinity).doubleValue == -.infinity)
        #expect(Decimal128("9223372036854775807").int64Value == .max)
        #expect(Decimal128("-9223372036854775808.00").int64Value == .min)
        #expect(Decimal128("9223372036854775808").int64Value == nil)
        #expect(Decimal128("1.5").int64Value == nil)
        #expect(Decimal128("12E+2").int64Value == 1200)
        #expect(Decimal128("0E+50").int64Value == 0)
        #expect(Decimal128.infinity.int64Value == nil)
    }

    @Test("the limits are 34 nines of either sign; what is a step beyond is infinite")
    func limits() {
        #expect(Decimal128.max.stringValue == "9.999999999999999999999999999999999E+6144")
        #expect(Decimal128.min == -Decimal128.max)
        #expect((Decimal128.max + Decimal128("1E+6111")).isInfinite)
        #expect(Decimal128.max + 1 == .max)
    }

    @Test("integers are converted exactly or not at all")
    func exactIntegers() {
        #expect(Decimal128(exactly: Int64.min)?.description == "-9223372036854775808")
        #expect(Decimal128(exactly: Decimal128.maximumSignificand)?.exponent == 0)
        #expect(
            Decimal128(exactly: Decimal128.maximumSignificand + 1)?.description
                == "1.000000000000000000000000000000000E+34"
        )
        #expect(Decimal128(exactly: Decimal128.maximumSignificand + 2) == nil)
        #expect(Decimal128(exactly: UInt128.max) == nil)
        #expect(Decimal128(exactly: Int128.min) == nil)
        #expect(Decimal128(exactly: 0)?.isZero == true)
    }

    @Test("generic code adds and multiplies decimals; the sign of zero changes, too")
    func generic() {
        func sum<Number: SignedNumeric>(_ numbers: [Number]) -> Number { numbers.reduce(.zero, +) }
        #expect(sum([0.1, 0.2, "0.3"] as [Decimal128]) == "0.6")
        var zero = Decimal128.zero
        zero.negate()
        #expect(zero.description == "-0")
        #expect(zero == 0)
        #expect(abs(Decimal128("-1.50")).description == "1.50")
    }

    @Test(
        "each pair of numbers has one order, which is the opposite of the reverse one",
        arguments: [
            ("1", "1.0", 0), ("1", "1.0000000000000000000000000000000001", 0), ("1E+6144", "9.99E+6143", 1),
            ("-1E+6144", "9.99E+6143", -1), ("1E-6176", "0", 1), ("-1E-6176", "-0", -1), ("0E+6111", "0E-6176", 0),
            ("NaN", "NaN", 0), ("NaN", "-Infinity", -1), ("Infinity", "9.999E+6144", 1),
            ("-Infinity", "-9.999E+6144", -1),
            ("9999999999999999999999999999999999", "1E+34", -1), ("1000000000000000000000000000000000E+1", "1E+34", 0),
            ("0.1", "0.09999999999999999999999999999999999", 1), ("-2", "-10", 1), ("12E+3", "12000.00", 0),
        ]
    )
    func comparison(left: String, right: String, expected: Int) throws {
        let (left, right) = (try Decimal128(string: left), try Decimal128(string: right))

        #expect((left < right) == (expected < 0))
        #expect((left > right) == (expected > 0))
        #expect((left == right) == (expected == 0))
        #expect((right < left) == (expected > 0))
        #expect(expected != 0 || left.hashValue == right.hashValue)
    }
}

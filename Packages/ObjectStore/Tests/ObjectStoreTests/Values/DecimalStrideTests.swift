import ObjectStore
import Testing

@Suite("Decimals as an app uses them")
struct DecimalStrideTests {
    @Test("decimals are walked along exactly")
    func strides() {
        let (first, last, step): (Decimal128, Decimal128, Decimal128) = ("0.1", "0.5", "0.1")
        let start: Decimal128 = "1.5"

        let steps = stride(from: first, through: last, by: step).map(\.description)

        #expect(steps == ["0.1", "0.2", "0.3", "0.4", "0.5"])
        #expect(start.distance(to: "4") == "2.5")
        #expect(start.advanced(by: "-2") == "-0.5")
    }

    @Test("a signalling NaN is read, and trailing zeros are kept in the text only")
    func texts() throws {
        let long = try Decimal128(string: "1.50")
        let short = try Decimal128(string: "1.5")

        #expect(try Decimal128(string: "sNaN").isNaN)
        #expect(long.description == "1.50")
        #expect(long == short)
        #expect(Set([long, short]).count == 1)
    }
}

import EventModel
import Foundation
import ObjectStore
import ObjectStoreTesting

/// A value, and what each property makes of it; every property that is not named refuses it.
struct ConversionRow: Sendable {
    let name: String
    /// Makes the value; anew for each use, because an object belongs to whoever took it first.
    let value: @Sendable () -> Any
    let accepted: [String: String]

    /// A row whose optional properties accept what the required ones do, and what is named for them.
    init(_ name: String, _ accepted: [String: String], _ value: @escaping @Sendable () -> Any) {
        self.name = name
        self.value = value
        var accepted = accepted
        for scalar in ConvertedThing.scalars {
            let optional = ConvertedThing.optional(scalar)
            accepted[optional] = accepted[scalar] ?? accepted[optional]
        }
        self.accepted = accepted
    }

    /// A row of null, whatever hides it.
    private init(null name: String, _ value: @escaping @Sendable () -> Any) {
        self.name = name
        self.value = value
        var accepted = ["any": "nil", "intMap": "{}"]
        for name in ConvertedThing.optionals + ConvertedThing.links { accepted[name] = "nil" }
        for name in ConvertedThing.collections where name != "intMap" { accepted[name] = "[]" }
        self.accepted = accepted
    }
}

extension ConversionRow {
    static let all = numbers + foundationNumbers + texts + values + nulls + sequences + dictionaries + objects

    // MARK: Numbers

    /// What properties make of an integer: a truth value of 0 and 1, a narrow one if it fits, a raw value if it is one.
    private static func whole(_ number: Int, any: String? = nil) -> [String: String] {
        var accepted = ["int": "\(number)", "float": "\(Float(number))", "double": "\(Double(number))"]
        accepted["decimal"] = "\(number)"
        accepted["any"] = any ?? "\(number)"
        if Int8(exactly: number) != nil { accepted["int8"] = "\(number)" }
        if (0...1).contains(number) { accepted["bool"] = "\(number == 1)" }
        // What the type of the program refuses stands for nothing where nothing is allowed.
        if (0...100).contains(number) { accepted["percent"] = "\(number)" } else { accepted["optionalPercent"] = "nil" }
        accepted["triage"] = number == 1 ? "green" : number == 3 ? "red" : nil
        return accepted
    }

    private static func fraction(_ number: Double, decimal: String, any: String? = nil) -> [String: String] {
        var accepted = ["double": "\(number)", "decimal": decimal, "any": any ?? "\(number)"]
        let isLarge = number.isFinite && abs(number) > Double(Float.greatestFiniteMagnitude)
        if !isLarge { accepted["float"] = "\(Float(number))" }
        return accepted
    }

    private static let truth = [
        "int": "1", "int8": "1", "bool": "true", "triage": "green", "percent": "1", "any": "true",
    ]
    private static let untruth = ["int": "0", "int8": "0", "bool": "false", "percent": "0", "any": "false"]
    private static let large = ["float": "1.8446744e+19", "double": "1.8446744073709552e+19"]
        .merging(["decimal": "18446744073709551615"]) { $1 }

    private static let numbers = [
        ConversionRow("Int 0", whole(0)) { 0 },
        ConversionRow("Int 1", whole(1)) { 1 },
        ConversionRow("Int 2", whole(2)) { 2 },
        ConversionRow("Int 3", whole(3)) { 3 },
        ConversionRow("Int -1", whole(-1)) { -1 },
        ConversionRow("Int 128", whole(128)) { 128 },
        ConversionRow("Int.max", whole(.max)) { Int.max },
        ConversionRow("Int.min", whole(.min)) { Int.min },
        ConversionRow("Int8", whole(-128)) { Int8.min },
        ConversionRow("UInt8", whole(255)) { UInt8.max },
        ConversionRow("Int128", whole(7)) { Int128(7) },
        ConversionRow("UInt64.max", large) { UInt64.max },
        ConversionRow("Int128 beyond all", [:]) { Int128.max },
        ConversionRow("true", truth) { true },
        ConversionRow("false", untruth) { false },
        ConversionRow("Double 1.0 is no integer", fraction(1, decimal: "1")) { 1.0 },
        ConversionRow("Double 1.5", fraction(1.5, decimal: "1.5")) { 1.5 },
        ConversionRow("Double 1e300", fraction(1e300, decimal: "1E+300")) { 1e300 },
        ConversionRow("Double -0.0", fraction(-0.0, decimal: "-0")) { -0.0 },
        ConversionRow("Double NaN", fraction(.nan, decimal: "NaN")) { Double.nan },
        ConversionRow("Double -infinity", fraction(-.infinity, decimal: "-Infinity")) { -Double.infinity },
        ConversionRow(
            "Double of the largest Float",
            fraction(3.4028234663852886e+38, decimal: "3.4028234663852886E+38")
        ) {
            Double(Float.greatestFiniteMagnitude)
        },
        ConversionRow("Float 0.1", ["float": "0.1", "double": "0.10000000149011612", "decimal": "0.1", "any": "0.1"]) {
            Float(0.1)
        },
        ConversionRow("CGFloat", fraction(2.5, decimal: "2.5")) { CGFloat(2.5) },
        ConversionRow("Decimal128", ["decimal": "1.50", "any": "1.50"]) { Decimal128("1.50") },
        ConversionRow("Decimal with a fraction", fraction(1.5, decimal: "1.5")) { Decimal(1.5) },
        ConversionRow("Decimal without", whole(5)) { Decimal(5) },
    ]

    private static let foundationNumbers = [
        ConversionRow("NSNumber true", truth) { NSNumber(value: true) },
        ConversionRow("NSNumber false", untruth) { NSNumber(value: false) },
        ConversionRow("NSNumber 1", whole(1)) { NSNumber(value: 1) },
        ConversionRow("NSNumber Int8 1 is no truth value", whole(1)) { NSNumber(value: Int8(1)) },
        ConversionRow("NSNumber Int8 5", whole(5)) { NSNumber(value: Int8(5)) },
        ConversionRow("NSNumber UInt8 200", whole(200)) { NSNumber(value: UInt8(200)) },
        ConversionRow("NSNumber Int16", whole(-300)) { NSNumber(value: Int16(-300)) },
        ConversionRow("NSNumber Int64.min", whole(.min)) { NSNumber(value: Int64.min) },
        ConversionRow("NSNumber UInt64.max", large) { NSNumber(value: UInt64.max) },
        ConversionRow("NSNumber 1.0", fraction(1, decimal: "1")) { NSNumber(value: 1.0) },
        ConversionRow("NSNumber Float", fraction(0.5, decimal: "0.5")) { NSNumber(value: Float(0.5)) },
        ConversionRow("NSDecimalNumber with a fraction", fraction(0.25, decimal: "0.25")) {
            NSDecimalNumber(string: "0.25")
        },
        ConversionRow("NSDecimalNumber without", whole(.min)) { NSDecimalNumber(string: "-9223372036854775808") },
        ConversionRow("NSDecimalNumber NaN", fraction(.nan, decimal: "NaN")) { NSDecimalNumber.notANumber },
        ConversionRow(
            "NSDecimalNumber of 30 digits",
            fraction(1.2345678901234568e+27, decimal: "1234567890123456789012345678.91")
        ) { NSDecimalNumber(string: "1234567890123456789012345678.91") },
    ]

    // MARK: Text and other single values

    private static func text(_ text: String, _ more: [String: String] = [:]) -> [String: String] {
        ["string": text, "any": text].merging(more) { $1 }
    }

    private static let id = "507f1f77bcf86cd799439011"
    private static let uuid = "00112233-4455-6677-8899-aabbccddeeff"

    private static let texts = [
        ConversionRow("empty text", text("")) { "" },
        ConversionRow("text", text("text")) { "text" },
        ConversionRow("text of an integer", text("5", ["decimal": "5"])) { "5" },
        ConversionRow("text of a decimal", text("-1.50E+3", ["decimal": "-1.50E+3"])) { "-1.50E+3" },
        ConversionRow("text of no number", text("NaN", ["decimal": "NaN"])) { "NaN" },
        ConversionRow("text of a number with a space", text(" 5")) { " 5" },
        ConversionRow("text of a truth value", text("true")) { "true" },
        ConversionRow("text of a raw value", text("intensiveCare", ["ward": "intensiveCare"])) { "intensiveCare" },
        ConversionRow("text of an ObjectId is no id", text(id)) { id },
        ConversionRow("text of a UUID", text(uuid, ["uuid": uuid])) { uuid },
        ConversionRow("text of a UUID without lines", text("00112233445566778899aabbccddeeff")) {
            "00112233445566778899aabbccddeeff"
        },
        ConversionRow("text of a date is no date", text("2020-01-01T00:00:00Z")) { "2020-01-01T00:00:00Z" },
        ConversionRow("text of data is no data", text("AAEC")) { "AAEC" },
        ConversionRow("NSString", text("é")) { NSString("é") },
        ConversionRow("Substring", [:]) { "text".dropFirst(1) },
        ConversionRow("empty Substring", [:]) { "text".dropFirst(4) },
        ConversionRow("Character", [:]) { Character("a") },
    ]

    private static let values = [
        ConversionRow("Date", ["date": "0.125", "any": "0.125"]) { Date(timeIntervalSinceReferenceDate: 0.125) },
        ConversionRow("NSDate", ["date": "0.125", "any": "0.125"]) { NSDate(timeIntervalSinceReferenceDate: 0.125) },
        ConversionRow("Data", ["data": "0-255", "any": "0-255"]) { Data([0, 255]) },
        ConversionRow("NSData", ["data": "0-255", "any": "0-255"]) { NSData(data: Data([0, 255])) },
        ConversionRow("empty Data", ["data": "", "any": ""]) { Data() },
        ConversionRow("ObjectId", ["objectId": id, "any": id]) { ObjectId("507f1f77bcf86cd799439011") },
        ConversionRow("UUID", ["uuid": uuid, "any": uuid]) { UUID(uuidString: uuid) as Any },
        ConversionRow("NSUUID", ["uuid": uuid, "any": uuid]) { NSUUID(uuidString: uuid) as Any },
        ConversionRow("a case with text", ["ward": "intensiveCare", "any": "intensiveCare"]) { Ward.intensiveCare },
        ConversionRow("a case with a number", ["triage": "red", "any": "3"]) { Triage.red },
        ConversionRow("a type of the program", ["percent": "7", "any": "7"]) { Percent(persistedValue: 7) as Any },
        ConversionRow("AnyRealmValue", ["any": "1"]) { AnyRealmValue.int(1) },
        ConversionRow("AnyRealmValue of nothing", ["any": "nil"]) { AnyRealmValue.none },
        ConversionRow("an optional with a value", whole(3)) { Int?(3) as Any },
        ConversionRow("an optional in an optional", text("x")) { ("x" as String??) as Any },
        ConversionRow("URL", [:]) { URL(fileURLWithPath: "/") },
        ConversionRow("a tuple", [:]) { (1, 2) },
        ConversionRow("a type", [:]) { Int.self },
        ConversionRow("a closure", [:]) { { 1 } },
    ]

    private static let nulls = [
        ConversionRow(null: "NSNull") { NSNull() },
        ConversionRow(null: "nil") { Int?.none as Any },
        ConversionRow(null: "nil of another type") { String?.none as Any },
        ConversionRow(null: "nil in an optional") { (Int?.none as Int??) as Any },
        ConversionRow(null: "nil of Any") { Any?.none as Any },
    ]
}

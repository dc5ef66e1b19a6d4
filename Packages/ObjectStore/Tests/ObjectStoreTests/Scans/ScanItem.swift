import EventModel
import EventModelTesting
import Foundation
import ObjectQueries

@testable import ObjectStore

/// An object with a property of each type that columns keep, and of some that they do not.
final class ScanItem: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var int: Int
    @Persisted var optionalInt: Int?
    @Persisted var small: Int8
    @Persisted(indexed: true) var indexed: Int
    @Persisted var flag: Bool
    @Persisted var optionalFlag: Bool?
    @Persisted var double: Double
    @Persisted var optionalDouble: Double?
    @Persisted var float: Float
    @Persisted var optionalFloat: Float?
    @Persisted var date: Date
    @Persisted var optionalDate: Date?
    @Persisted var word: String
    @Persisted var optionalText: String?
    @Persisted var decimal: Decimal128
    @Persisted var friend: ScanItem?
}

extension SeededGenerator {
    mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func scanInt() -> Int {
        below(3) == 0
            ? one(of: [0, 1, -1, .max, .min, .max - 1, .min + 1, 1 << 53, 1 << 53 + 1, -(1 << 53) - 1, 1 << 62])
            : below(40) - 20
    }

    mutating func scanDouble() -> Double {
        below(2) == 0
            ? one(of: [
                0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
                .greatestFiniteMagnitude,
                9_007_199_254_740_992, 9.223_372_036_854_775_8e18, -9.223_372_036_854_775_8e18, 1e300, 0.1, 0.2, -0.3,
            ]) : Double(below(200) - 100) / 8
    }

    mutating func scanText() -> String {
        let parts = [
            "", "a", "A", "b", "ab", "é", "É", "e\u{301}", "ß", "SS", "日本", "\0", "\u{10FFFF}", "Zürich", "zur", " ",
            "%_*?",
        ]
        var text = ""
        for _ in 0..<below(4) { text += one(of: parts) }
        if below(12) == 0 { text += String(repeating: one(of: parts), count: 20) }
        return text
    }

    /// Changes one property of an item, or all.
    mutating func change(_ item: ScanItem, all: Bool = false) {
        let property = below(15)
        if all || property == 0 { item.int = scanInt() }
        if all || property == 1 { item.optionalInt = below(4) == 0 ? nil : scanInt() }
        if all || property == 2 { item.small = Int8(below(256) - 128) }
        if all || property == 3 { item.indexed = below(20) }
        if all || property == 4 { item.flag = below(2) == 0 }
        if all || property == 5 { item.optionalFlag = one(of: [nil, true, false]) }
        if all || property == 6 { item.double = scanDouble() }
        if all || property == 7 { item.optionalDouble = below(4) == 0 ? nil : scanDouble() }
        if all || property == 8 { item.float = Float(scanDouble()) }
        if all || property == 9 { item.optionalFloat = below(4) == 0 ? nil : Float(scanDouble()) }
        if all || property == 10 { item.date = Date(timeIntervalSinceReferenceDate: Double(below(30))) }
        if all || property == 11 {
            item.optionalDate = below(3) == 0 ? nil : Date(timeIntervalSinceReferenceDate: scanDouble())
        }
        if all || property == 12 { item.word = scanText() }
        if all || property == 13 { item.optionalText = below(4) == 0 ? nil : scanText() }
        if all || property == 14 { item.decimal = Decimal128(Int64(below(10))) }
    }

    // MARK: Queries

    private static let numbers = [
        "int", "optionalInt", "small", "indexed", "double", "optionalDouble", "float", "optionalFloat",
    ]

    mutating func scanPredicate(depth: Int = 0) -> QueryPredicate {
        switch below(depth > 2 ? 12 : 18) {
        case 0...3: return scanNumberTest()
        case 4...7: return scanTextTest()
        case 8: return .compare(.path("flag"), one(of: [.equal, .notEqual]), .constant(.bool(below(2) == 0)))
        case 9:
            return .compare(
                .path(PropertyPath(dotted: one(of: ["date", "optionalDate"]))),
                one(of: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
                .constant(.date(Date(timeIntervalSinceReferenceDate: scanDouble())))
            )
        case 10:
            let optional = [
                "optionalInt", "optionalDouble", "optionalFloat", "optionalDate", "optionalText", "optionalFlag",
                "friend",
            ]
            return .compare(
                .path(PropertyPath(dotted: one(of: optional))),
                one(of: [.equal, .notEqual]),
                .constant(.null)
            )
        case 11: return one(of: [.always, .never])
        case 12, 13: return .not(scanPredicate(depth: depth + 1))
        case 14, 15: return .and((0..<below(4)).map { _ in scanPredicate(depth: depth + 1) })
        default: return .or((0..<below(4)).map { _ in scanPredicate(depth: depth + 1) })
        }
    }

    private mutating func scanNumber() -> Value {
        switch below(5) {
        case 0, 1: .int(Int64(scanInt()))
        case 2: .float(Float(scanDouble()))
        case 3: .int(Int64(below(20)))
        default: .double(scanDouble())
        }
    }

    private mutating func scanNumberTest() -> QueryPredicate {
        let path = PropertyPath(dotted: one(of: Self.numbers))
        switch below(6) {
        case 0: return .isBetween(.path(path), scanNumber(), scanNumber())
        case 1: return .isIn(.path(path), (0..<below(5)).map { _ in scanNumber() })
        case 2: return .compare(.constant(scanNumber()), one(of: [.less, .greater, .equal]), .path(path))
        default:
            return .compare(
                .path(path),
                one(of: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
                .constant(scanNumber())
            )
        }
    }

    private mutating func scanTextTest() -> QueryPredicate {
        let path = PropertyPath(dotted: one(of: ["word", "optionalText"]))
        let options = one(
            of: [[], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]
                as [QueryPredicate.Options]
        )
        switch below(5) {
        case 0: return .isIn(.path(path), (0..<below(4)).map { _ in .string(scanText()) }, options: options)
        case 1:
            return .compare(
                .path(path),
                one(of: [.less, .lessOrEqual, .greater, .greaterOrEqual]),
                .constant(.string(scanText()))
            )
        case 2: return .isBetween(.path(path), .string(scanText()), .string(scanText()))
        default:
            return .compare(
                .path(path),
                one(of: [.equal, .notEqual, .contains, .beginsWith, .endsWith]),
                .constant(.string(scanText())),
                options: options
            )
        }
    }

    mutating func scanPlan() -> QueryPlan {
        let ordered =
            Self.numbers + [
                "flag", "optionalFlag", "date", "optionalDate", "word", "optionalText", "word", "optionalDouble",
            ]
        func sorts(_ generator: inout SeededGenerator) -> [QuerySort] {
            (0..<generator.below(3))
                .map { _ in
                    QuerySort(PropertyPath(dotted: generator.one(of: ordered)), ascending: generator.below(2) == 0)
                }
        }
        var plan = QueryPlan("ScanItem", predicate: scanPredicate())
        if below(2) == 0 { plan.sort = sorts(&self) }
        if below(3) == 0 {
            for _ in 0...below(2) {
                let paths = (0...below(2)).map { _ in PropertyPath(dotted: one(of: ordered)) }
                plan.distinct.append(QueryDistinct(paths, sort: sorts(&self)))
            }
        }
        return plan
    }
}

/// All that can be asked of the objects that a plan finds.
struct ScanAnswer: Equatable, Sendable {
    let ids: [Int]
    let count: Int
    let first: Int?
    let last: Int?
    let middle: Int?
    let aggregates: [String]

    init(_ plan: QueryPlan, _ realm: Realm) {
        let table = realm.core.requireTable(ScanItem.self)
        func results() -> Results<ScanItem> { Results(ObjectResultState(realm.core, table, plan)) }
        count = results().count
        first = results().first?.id
        last = results().last?.id
        let found = results()
        middle = found.isEmpty ? nil : found[found.count / 2].id
        ids = results().map(\.id)
        var aggregates: [String] = []
        func add<T: _ScalarValue>(_ value: T?) {
            switch value {
            case let number as Double: aggregates.append("\(number.bitPattern)")
            case let number as Float: aggregates.append("\(number.bitPattern)")
            default: aggregates.append("\(value as Any)")
            }
        }
        func ask<T: _ScalarValue>(_ path: String, _: T.Type) {
            let state = ObjectResultState(realm.core, table, plan)
            for aggregate in [.min, .max, .sum, .average] as [Aggregate] {
                let value: T? = state.aggregate(aggregate, PropertyPath(dotted: path))
                add(value)
            }
            let mean: Double? = state.aggregate(.average, PropertyPath(dotted: path))
            add(mean)
        }
        ask("int", Int.self)
        ask("optionalInt", Int.self)
        ask("small", Int8.self)
        ask("indexed", Int.self)
        ask("double", Double.self)
        ask("optionalDouble", Double.self)
        ask("float", Float.self)
        ask("optionalFloat", Float.self)
        for aggregate in [.min, .max] as [Aggregate] {
            let value: Date? = ObjectResultState(realm.core, table, plan).aggregate(aggregate, "optionalDate")
            add(value?.timeIntervalSinceReferenceDate)
        }
        self.aggregates = aggregates
    }
}

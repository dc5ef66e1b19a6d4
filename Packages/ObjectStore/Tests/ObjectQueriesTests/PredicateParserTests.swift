import EventModel
import Foundation
import ObjectQueries
import Testing

@Suite("PredicateParser")
struct PredicateParserTests {
    private func parse(_ format: String, _ arguments: Any?...) throws -> QueryPredicate {
        try PredicateParser().parse(format, arguments: arguments)
    }

    @Test("AND binds stronger than OR, and NOT stronger than both")
    func precedence() throws {
        let one: QueryPredicate = .compare(.path("a"), .equal, .constant(.int(1)))
        let two: QueryPredicate = .compare(.path("b"), .equal, .constant(.int(2)))

        #expect(try parse("a = 1 OR b = 2 AND NOT a == 1") == .or([one, .and([two, .not(one)])]))
        #expect(try parse("(a = 1 || b = 2) && !(a == 1)") == .and([.or([one, two]), .not(one)]))
        #expect(try parse("a = 1 or b = 2 and not a == 1") == .or([one, .and([two, .not(one)])]))
    }

    @Test("operators written with symbols build the same values as text")
    func combination() throws {
        let one: QueryPredicate = .compare(.path("a"), .equal, .constant(.int(1)))

        #expect(try parse("a = 1 AND a = 1 AND NOT a = 1") == (one && one && !one))
        #expect(try parse("a = 1 OR a = 1 OR a = 1") == (one || one || one))
    }

    @Test(
        "literals are read",
        arguments: [
            ("12", .int(12)), ("-12", .int(-12)), ("1.5", .double(1.5)), ("-2e3", .double(-2000)), ("'a''", nil),
            (#"'a\'b\n\u00e9'"#, .string("a'b\né")), (#""x""#, .string("x")), ("TRUE", .bool(true)),
            ("no", .bool(false)),
            ("nil", .null), ("NULL", .null), ("99999999999999999999", .decimal128("99999999999999999999")),
            (#"'\ud800'"#, nil),
        ] as [(String, Value?)]
    )
    func literals(text: String, value: Value?) throws {
        guard let value else {
            #expect(throws: QueryError.self) { try parse("a == \(text)") }
            return
        }
        #expect(try parse("a == \(text)") == .compare(.path("a"), .equal, .constant(value)))
    }

    @Test("every operator is read, in any case")
    func operators() throws {
        let table: [(String, QueryPredicate.Operator)] = [
            ("=", .equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less), ("<=", .lessOrEqual),
            ("=<", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual), ("=>", .greaterOrEqual),
            ("CONTAINS", .contains), ("beginswith", .beginsWith), ("EndsWith", .endsWith), ("LIKE", .like),
        ]
        for (text, expected) in table {
            #expect(try parse("a \(text) 'x'") == .compare(.path("a"), expected, .constant(.string("x"))))
        }
        #expect(
            try parse("a contains[dc] 'x'")
                == .compare(
                    .path("a"),
                    .contains,
                    .constant(.string("x")),
                    options: [.caseInsensitive, .diacriticInsensitive]
                )
        )
    }

    @Test("terms are read")
    func terms() throws {
        let one = QueryPredicate.Term.constant(.int(1))
        #expect(try parse("a.b.c == 1") == .compare(.path(["a", "b", "c"]), .equal, one))
        #expect(try parse("self == 1") == .compare(.object, .equal, one))
        #expect(try parse("#in == 1") == .compare(.path("in"), .equal, one))
        #expect(try parse("a.@count == 1") == .compare(.aggregate(.count, of: "a"), .equal, one))
        #expect(try parse("a.@max.b.c == 1") == .compare(.aggregate(.max, of: "a", element: "b.c"), .equal, one))
        #expect(try parse("m['k'] == 1") == .compare(.element("m", [.key("k")]), .equal, one))
        #expect(try parse("ANY m.@allKeys == 1") == .compare(.keys("m"), .equal, one, quantifier: .any))
        #expect(try parse("NONE a IN {1}") == .not(.isIn(.path("a"), [.int(1)], quantifier: .any)))
        #expect(try parse("1 IN a") == .compare(.path("a"), .equal, one, quantifier: .any))
        let inner: QueryPredicate = .compare(.path("b"), .greater, .constant(.int(2)))
        #expect(
            try parse("SUBQUERY(a, $x, $x.b > 2).@count == 1") == .compare(.subqueryCount("a", inner), .equal, one)
        )
    }

    @Test("placeholders take the arguments in order")
    func placeholders() throws {
        #expect(try parse("%K == %@", "a.b", "x") == .compare(.path("a.b"), .equal, .constant(.string("x"))))
        #expect(try parse("a IN %@", [1, nil, 3]) == .isIn(.path("a"), [.int(1), .null, .int(3)]))
        #expect(try parse("a IN {%@, %d}", 1, 2) == .isIn(.path("a"), [.int(1), .int(2)]))
        #expect(try parse("a BETWEEN %@", [1, 2]) == .isBetween(.path("a"), .int(1), .int(2)))
        #expect(try parse("%K.b == %lld", "a", 7) == .compare(.path("a.b"), .equal, .constant(.int(7))))
    }

    @Test("arguments of all scalar types are converted")
    func scalars() throws {
        let uuid = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let optional: Int? = 5
        let table: [(Any?, Value)] = [
            (true, .bool(true)), (Int8(3), .int(3)), (UInt64(3), .int(3)), (Float(1.5), .float(1.5)),
            (1.5, .double(1.5)), ("x", .string("x")), (date, .date(date)), (uuid, .uuid(uuid)),
            (Data([1]), .data([1])), ([UInt8]([1]), .data([1])), (Decimal128("1.5"), .decimal128("1.5")),
            (NSNull(), .null), (nil, .null), (optional, .int(5)), (Int??.some(nil) as Any, .null),
            (NSNumber(value: 7), .int(7)), (NSNumber(value: 1.5), .double(1.5)), (Value.string("v"), .string("v")),
        ]
        for (argument, expected) in table {
            #expect(try parse("a == %@", argument) == .compare(.path("a"), .equal, .constant(expected)))
        }
    }

    @Test("types of the app are converted by the closure, also inside collections")
    func conversion() throws {
        enum Color: String { case red }
        let parser = PredicateParser { ($0 as? Color).map { .string($0.rawValue) } }

        #expect(
            try parser.parse("a == %@", arguments: [Color.red])
                == .compare(.path("a"), .equal, .constant(.string("red")))
        )
        #expect(try parser.parse("a IN %@", arguments: [[Color.red]]) == .isIn(.path("a"), [.string("red")]))
        #expect(
            throws: QueryError.unsupportedArgument(
                index: 0,
                type: "Color",
                expected: "a value that a property can hold"
            )
        ) {
            try parse("a == %@", Color.red)
        }
    }

    @Test(
        "an error names the position and the token",
        arguments: [
            ("", 0, "end of text"), ("a", 1, "end of text"), ("a ==", 4, "end of text"), ("a == 1 b", 7, "b"),
            ("(a == 1", 7, "end of text"), ("a == 'x", 5, "'"), ("a ; 1", 2, ";"), ("ALL a == 1", 0, "ALL"),
            ("a ==[x] 1", 5, "x"), ("a == {1, 2}", 2, "=="), ("a BETWEEN {1}", 2, "BETWEEN"), ("a IN 3", 5, "3"),
            ("a.@foo == 1", 0, "a"), ("SUBQUERY(a, $x, b == 1).@count > 1", 16, "b"), ("a == %z", 5, "%z"),
            ("SUBQUERY(a, $x, $x.b == 1) > 1", 27, ">"), ("a. == 1", 3, "=="),
        ]
    )
    func errors(format: String, position: Int, token: String) throws {
        let error = try #require(throws: QueryError.self) { try parse(format) }

        guard case .syntax(position, token, _) = error else {
            Issue.record("'\(format)' gives \(error)")
            return
        }
        #expect(error.description.hasPrefix("The predicate is wrong at character \(position), '\(token)':"))
    }

    @Test("the count of arguments must be that of the placeholders")
    func argumentCount() {
        #expect(throws: QueryError.missingArgument(position: 5, given: 0)) { try parse("a == %@") }
        #expect(throws: QueryError.unusedArguments(used: 0, given: 1)) { try parse("a == 1", 5) }
        #expect(
            throws: QueryError.unsupportedArgument(index: 0, type: "string", expected: "a number for %d")
        ) { try parse("a == %d", "x") }
        #expect(throws: QueryError.self) { try parse("%K == 1", 5) }
    }

    @Test("nesting too deep is an error, not a crash")
    func depth() {
        let deep = String(repeating: "(", count: 100_000) + "a == 1"
        let negated = String(repeating: "!", count: 100_000) + "a == 1"

        #expect(throws: QueryError.self) { try parse(deep) }
        #expect(throws: QueryError.self) { try parse(negated) }
    }
}

import EventModel
import EventModelTesting
import Foundation
import ObjectQueries
import Testing

/// Predicates of a stranger: whatever they hold, they are read, or refused with a sentence, and SQLite takes what is made.
@Suite("Hostile predicates")
struct PredicateFuzzTests {
    private static let seeds = [
        "age >= 18 AND name BEGINSWITH[c] 'b'", "ANY dogs.toys.name == 'bone' OR NOT age IN {1, 2, NULL}",
        "SUBQUERY(dogs, $d, $d.age > 5 AND ANY $d.toys.name LIKE '*b?').@count == 2", "notes['a'] == 'one'",
        "dogs.@avg.weight BETWEEN {1, 2.5}", "extra[0]['k'][#any] CONTAINS[cd] \"x\\u00e9\"", "%K == %@ && 3 < age",
        "NONE tags ENDSWITH 'x' || dog.mother.name == nil", "home.city != 'Bern' AND TRUEPREDICATE", "price < 1e-3",
        "dogs[0].age > 1 OR ANY notes.@allKeys == 'b' OR 7 IN scores",
        "(((age == 1) OR (age == 2)) AND !(active == YES))",
    ]
    private static let pieces = [
        "(", ")", "[", "]", "{", "}", "'", "\"", "\\", "%@", "%K", "%d", "#", "@", "$d", ".", ",", " ", "==", "<", "!",
        "NOT ",
        " AND ", " OR ", "ANY ", "NONE ", "ALL ", "IN", "BETWEEN", "LIKE", "SUBQUERY(", "@count", "@sum", "self", "nil",
        "-", "9", "99999999999999999999", "1e999", "-1e-999", "0x", "\u{0}", "é", "e\u{301}", "🩺", "\u{FFFD}", "age",
        "dogs",
        "name", "extra", "[c]", "[#any]", "{}", "TRUE",
    ]

    private static func mutated(_ text: String, _ random: inout SeededGenerator) -> String {
        var characters = Array(text)
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let start = Int.random(in: 0...characters.count, using: &random)
            let end = min(characters.count, start + Int.random(in: 0...3, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: characters.removeSubrange(start..<end)
            case 1: characters.insert(contentsOf: pieces.randomElement(using: &random) ?? "", at: start)
            case 2: characters.replaceSubrange(start..<end, with: pieces.randomElement(using: &random) ?? "")
            default: characters.insert(contentsOf: characters[start..<end], at: start)
            }
        }
        return String(characters)
    }

    /// Reads, compiles and prepares a predicate.
    ///
    /// - Returns: Whether it is one.
    private func isUsable(_ format: String, _ arguments: [Any?] = [], _ database: SampleDatabase) throws -> Bool {
        let query: CompiledQuery
        do throws(QueryError) {
            let predicate = try PredicateParser().parse(format, arguments: arguments)
            query = try QueryCompiler(schema: .sample).compile(QueryPlan("Person", predicate: predicate))
        } catch {
            #expect(error.description.hasSuffix(".") || error.description.hasSuffix("?"))
            return false
        }
        try database.prepare(query)
        return true
    }

    @Test("thousands of mutated predicates are refused with a sentence or become SQL")
    func mutations() throws {
        var random = SeededGenerator(seed: 2026)
        let database = try SampleDatabase()
        var usable = 0
        for index in 0..<3000 {
            let format = Self.mutated(Self.seeds[index % Self.seeds.count], &random)
            let arguments: [Any?] = index.isMultiple(of: 3) ? ["name", 5] : []
            if try isUsable(format, arguments, database) { usable += 1 }
        }
        // A test that refused everything would prove nothing.
        #expect(usable > 200)
    }

    @Test(
        "what lies deep or is long is refused or answered, and never ends the process",
        arguments: [
            ("(", "age == 1", ")", 20, true), ("(", "age == 1", ")", 5000, false), ("NOT ", "age == 1", "", 20, true),
            ("NOT ", "age == 1", "", 5000, false), ("age == 2 AND (name == 'x' OR ", "age == 1", ")", 10, true),
            ("age == 2 AND (name == 'x' OR ", "age == 1", ")", 60, false), ("{", "1", "}", 50_000, false),
            ("notes[", "'a'", "] == 1", 50_000, false), ("SUBQUERY(dogs, $d, ", "$d.age == 1", ").@count > 0", 1, true),
            ("SUBQUERY(dogs, $d, ", "$d.age == 1", ").@count > 0", 3000, false),
            ("dog.", "dog == nil", "", 2000, false),
            ("'", "x", "", 1, false), ("age == 1 OR ", "age == 2", "", 10_000, true), ("age IN {", "1}", "", 1, true),
            ("extra[0]", " == 1", "", 1, true), ("age == 1 AND NOT ", "age == 2", "", 5000, true),
        ] as [(String, String, String, Int, Bool)]
    )
    func extremes(open: String, inner: String, close: String, count: Int, isUsable expected: Bool) throws {
        let format = String(repeating: open, count: count) + inner + String(repeating: close, count: count)
        let database = try SampleDatabase()

        let usable = try isUsable(format, [], database)

        #expect(usable == expected, "\(format.prefix(100))")
    }

    @Test("a long list of values is answered, and one that is too long for SQLite is refused")
    func longLists() throws {
        let database = try SampleDatabase()
        let usable = [
            try isUsable("age IN %@", [Array(0..<100_000)], database),
            try isUsable("name IN %@", [(0..<10_000).map { "name \($0)" }], database),
            try isUsable("name IN %@", [(0..<40_000).map { "name \($0)" }], database),
        ]

        #expect(usable == [true, true, false])
        #expect(try database.names("age IN %@", Array(30..<100_000)) == ["Anna", "Carla", "anna"])
    }
}

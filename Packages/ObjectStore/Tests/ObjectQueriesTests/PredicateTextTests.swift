import EventModel
import EventModelTesting
import Foundation
import ObjectQueries
import Testing

@Suite("Conditions as text")
struct PredicateTextTests {
    private func parsed(_ text: String) throws -> QueryPredicate { try PredicateParser().parse(text, arguments: []) }

    @Test(
        "what the parser reads is written so that it reads the same again",
        arguments: [
            ("age>=18 && name BEGINSWITH[c] \"b\"", "age >= 18 AND name BEGINSWITH[c] 'b'"),
            ("a == 1 and (b == 2 or not c == 3)", "a == 1 AND (b == 2 OR NOT c == 3)"),
            ("!(a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
            ("NONE tags ENDSWITH[cd] 'x'", "NOT ANY tags ENDSWITH[cd] 'x'"),
            ("age IN {1, -2, NULL, TRUE, 2.5}", "age IN {1, -2, NULL, TRUE, 2.5}"),
            ("7 IN scores", "ANY scores == 7"), ("age BETWEEN {1, 2}", "age BETWEEN {1, 2}"),
            ("dogs.@avg.weight > 1e30", "dogs.@avg.weight > 1e+30"), ("dogs.@size == 0", "dogs.@count == 0"),
            ("extra[0]['k'][#any].x CONTAINS 'y'", "ANY extra[0]['k'][#any].x CONTAINS 'y'"),
            ("ANY notes.@allKeys == 'b'", "ANY notes.@allKeys == 'b'"), ("#not == 1", "#not == 1"),
            (
                "SUBQUERY(dogs, $d, $d.age > 5 AND SUBQUERY($d.toys, $t, $t.name == 'x').@count > 1).@count == 2",
                "SUBQUERY(dogs, $item, $item.age > 5 AND SUBQUERY($item.toys, $item2, $item2.name == 'x').@count > 1).@count == 2"
            ),
            ("TRUEPREDICATE OR FALSEPREDICATE", "TRUEPREDICATE OR FALSEPREDICATE"), ("SELF == NULL", "SELF == NULL"),
        ]
    )
    func roundTrip(text: String, expected: String) throws {
        let predicate = try parsed(text)

        #expect(predicate.text() == expected)
        #expect(try parsed(expected) == predicate)
    }

    @Test("every text is quoted so that it is read as it was, whatever is in it")
    func texts() throws {
        let pieces: [String] = [
            "a", "'", "\"", "\\", "\n", "\r", "\t", "\u{0}", "\u{301}", "é", "e\u{301}", "ह", "\u{93F}", "\u{200D}",
            "👩", "🩺",
            "\u{600}", "\u{FE0F}", " ", "%@", "}", "\u{2028}", "\u{E000}",
        ]
        var random = SeededGenerator(seed: 16)
        for _ in 0..<2000 {
            let value = (0..<Int.random(in: 0...6, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let predicate: QueryPredicate = .compare(.path("name"), .equal, .constant(.string(value)))

            let read = try parsed(predicate.text())

            guard case .compare(_, _, .constant(.string(let found)), _, _) = read else {
                Issue.record("\(predicate.text()) is read as \(read).")
                return
            }
            #expect(Array(found.utf8) == Array(value.utf8), "\(predicate.text())")
        }
    }

    @Test("values that the language has no words for are written so that people can read them")
    func otherValues() {
        let values: [(Value, String)] = [
            (.date(Date(timeIntervalSince1970: 0)), "date(1970-01-01T00:00:00.000000Z)"),
            (.date(Date(timeIntervalSince1970: 1e300)), "date(1e+300 s)"), (.data([1, 2, 3]), "data(3 bytes)"),
            (.objectId(ObjectId(high: 1, low: 2)), "oid(\(ObjectId(high: 1, low: 2)))"),
            (.link(ObjectReference(className: "Dog", key: 7, primaryKey: .string("rex"))), "Dog('rex')"),
        ]
        for (value, expected) in values {
            #expect(QueryPredicate.compare(.path("x"), .equal, .constant(value)).text() == "x == \(expected)")
        }
    }

    @Test("of a condition that is too long, the beginning is written")
    func bounded() {
        let predicate: QueryPredicate = .isIn(.path("age"), (0..<100_000).map { .int(Int64($0)) })

        let text = predicate.text(maximumBytes: 1000)

        #expect(text.hasPrefix("age IN {0, 1, 2, "))
        #expect((1000...1100).contains(text.utf8.count))
        let terms = QueryPlan("Person", predicate: predicate).searchTerms
        #expect(terms.predicate?.hasSuffix("…") == true)
        #expect(terms.predicate?.utf8.count ?? 0 <= SearchTerms.maximumBytes + 3)
    }

    @Test("a plan says what it asks for: condition, order and the collection that it searches")
    func plans() {
        let sort = [QuerySort("home.city"), QuerySort("age", ascending: false)]
        let plan = QueryPlan(
            "Dog",
            source: .elements(owner: "Person", key: 3, property: "dogs"),
            predicate: .compare(.path("age"), .less, .constant(.int(2))),
            sort: sort
        )

        #expect(
            plan.searchTerms
                == SearchTerms(
                    predicate: "age < 2",
                    sort: [.init("home.city"), .init("age", ascending: false)],
                    collection: "Person.dogs"
                )
        )
        #expect(QueryPlan("Dog", source: .origins(key: 1, property: "owner")).searchTerms.collection == "Dog.owner")
        #expect(QueryPlan("Dog").searchTerms.isEmpty)
    }
}

import EventModel
import EventModelTesting
import Foundation
import ObjectQueries
import Testing

@testable import ObjectStore

@Suite("Queries of one shape")
struct PlanShapeTests {
    private let schema: RealmSchema
    private let queries: CompiledQueries

    init() throws {
        schema = try RealmSchema([ScanItem.self])
        queries = CompiledQueries.of(schema.queries)
    }

    private func plan(_ predicate: QueryPredicate) -> QueryPlan { QueryPlan("ScanItem", predicate: predicate) }

    @Test("another constant makes no other text, and is bound in its place")
    func shared() throws {
        func between(_ low: Int64, _ high: Int64, _ word: String) -> QueryPlan {
            plan(
                .and([
                    .isBetween(.path("int"), .int(low), .int(high)),
                    .compare(.path("word"), .equal, .constant(.string(word))),
                ])
            )
        }

        let first = try queries.query(between(1, 2, "a"))
        let second = try queries.query(between(30, 40, "b"))

        #expect(second.prepared === first.prepared)
        #expect(second.arguments == [.int(30), .int(40), .string("b")])
    }

    @Test(
        "constants that change the text are asked about in their own",
        arguments: [
            [.double(1), .double(.nan), .double(2)],
            [.int(1), .double(1), .int(2)],
            [.decimal128(Decimal128(1)), .int(3), .decimal128(Decimal128(2))],
        ] as [[Value]]
    )
    func differing(constants: [Value]) throws {
        for constant in constants {
            let plan = plan(.compare(.path("double"), .equal, .constant(constant)))
            let asked = try queries.query(plan)
            let compiled = try QueryCompiler(schema: schema.queries).compile(plan)
            #expect(asked.prepared.query.text == compiled.text)
            #expect(asked.arguments == compiled.arguments)
        }
    }

    @Test("a limit, and the key of a collection's object, stay what they are beside constants that are equal to them")
    func surrounded() throws {
        for (key, constant) in [(3, 3), (3, 4), (4, 3), (3, 5)] as [(Int64, Int64)] {
            var plan = QueryPlan(
                "ScanItem",
                source: .origins(key: key, property: "friend"),
                predicate: .compare(.path("int"), .equal, .constant(.int(constant)))
            )
            plan.limit = 3
            let compiled = try QueryCompiler(schema: schema.queries).compile(plan)
            let asked = try queries.query(plan)
            #expect(asked.prepared.query.text == compiled.text)
            #expect(asked.arguments == compiled.arguments)
        }
    }

    @Test(
        "random plans have the text and the arguments that they would have alone",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let plan = generator.scanPlan()
            let compiled = Result { try QueryCompiler(schema: schema.queries).compile(plan) }
            let asked = Result { try queries.query(plan) }
            switch (compiled, asked) {
            case (.success(let compiled), .success(let asked)):
                #expect(asked.prepared.query.text == compiled.text, "seed \(seed): \(plan)")
                let (bound, alone) = (asked.arguments, compiled.arguments)
                // What is not a number is equal to nothing.
                try #require("\(bound)" == "\(alone)", "seed \(seed): \(plan)")
            case (.failure, .failure): break
            default: Issue.record("Only one of both was refused; seed \(seed): \(plan)")
            }
        }
    }
}

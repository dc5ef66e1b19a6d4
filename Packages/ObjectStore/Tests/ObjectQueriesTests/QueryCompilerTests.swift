import EventModel
import ObjectQueries
import Testing

@Suite("QueryCompiler")
struct QueryCompilerTests {
    private func compile(_ plan: QueryPlan) throws -> CompiledQuery {
        try QueryCompiler(schema: .sample).compile(plan)
    }

    private func condition(_ format: String, _ arguments: [Any?] = []) throws -> (text: String, arguments: [Value]) {
        let predicate = try PredicateParser().parse(format, arguments: arguments)
        let query = try compile(QueryPlan("Person", predicate: predicate))
        let prefix = "FROM \"Person\" AS \"o\" WHERE "
        #expect(query.source.hasPrefix(prefix))
        return (String(query.source.dropFirst(prefix.count)), query.arguments)
    }

    @Test("a plan without conditions reads the table in the order of its rows")
    func all() throws {
        let query = try compile(QueryPlan("Person"))

        #expect(query.text == #"FROM "Person" AS "o" ORDER BY "o"."$key""#)
        #expect(query.count == #"SELECT count(*) FROM "Person" AS "o""#)
        #expect(query.arguments.isEmpty)
    }

    @Test(
        "a condition becomes this SQL with these arguments",
        arguments: [
            ("age == 3", #""o"."age" = ?"#, [.int(3)]),
            ("3 < age", #""o"."age" > ?"#, [.int(3)]),
            ("age != 3", #""o"."age" IS NOT ?"#, [.int(3)]),
            ("age == nil", #""o"."age" IS NULL"#, []),
            ("dog != nil", #""o"."dog" IS NOT NULL"#, []),
            ("NOT age > 3", #"("o"."age" > ?) IS NOT TRUE"#, [.int(3)]),
            (
                "age > 1 AND (age < 2 OR active == TRUE)", #""o"."age" > ? AND ("o"."age" < ? OR "o"."active" = ?)"#,
                [.int(1), .int(2), .bool(true)]
            ),
            ("age IN {1, 2}", #""o"."age" IN (?, ?)"#, [.int(1), .int(2)]),
            ("age IN {1, NULL}", #"("o"."age" IN (?) OR "o"."age" IS NULL)"#, [.int(1)]),
            ("age IN {}", "0", []),
            ("age BETWEEN {1, 2}", #""o"."age" BETWEEN ? AND ?"#, [.int(1), .int(2)]),
            ("nick == 'x'", #""o"."nick_name" = ?"#, [.string("x")]),
            ("name CONTAINS 'x'", #"instr("o"."name", ?) > 0"#, [.string("x")]),
            ("name BEGINSWITH 'ab'", #"("o"."name" >= ? AND "o"."name" < ?)"#, [.string("ab"), .string("ac")]),
            ("name BEGINSWITH ''", #""o"."name" IS NOT NULL"#, []),
            (
                "name ENDSWITH 'é'", #"substr(CAST("o"."name" AS BLOB), ?) = ?"#, [.int(-2), .data([0xC3, 0xA9])]
            ),
            ("name ==[c] 'É'", #"daybook_fold(CAST("o"."name" AS BLOB), 1) = ?"#, [.data([195, 169])]),
            ("name CONTAINS[cd] 'É'", #"instr(daybook_fold(CAST("o"."name" AS BLOB), 3), ?) > 0"#, [.data([101])]),
            ("name LIKE 'a*'", #"daybook_like(CAST("o"."name" AS BLOB), ?)"#, [.data([97, 42])]),
            ("ratio == 0.1", #""o"."ratio" = ?"#, [.float(0.1)]),
            (
                "extra == 'x'", #"("o"."extra$type" = 6 AND "o"."extra" = ?)"#, [.string("x")]
            ),
            ("name == nick", #""o"."name" IS "o"."nick_name""#, []),
            ("TRUEPREDICATE OR FALSEPREDICATE", "1 OR 0", []),
        ] as [(String, String, [Value])]
    )
    func conditions(format: String, sql: String, arguments: [Value]) throws {
        let compiled = try condition(format)

        #expect(compiled.text == sql)
        #expect(compiled.arguments == arguments)
    }

    @Test("a path through links joins each table once")
    func links() throws {
        let predicate = try PredicateParser()
            .parse("dog.mother.age > 3 AND dog.mother.name == 'x' AND home.city == nil")
        let query = try compile(QueryPlan("Person", predicate: predicate))

        #expect(
            query.source == """
                FROM "Person" AS "o" \
                LEFT JOIN "Dog" AS "o.dog" ON "o.dog"."$key" = "o"."dog" \
                LEFT JOIN "Dog" AS "o.dog.mother" ON "o.dog.mother"."$key" = "o.dog"."mother" \
                LEFT JOIN "Address" AS "o.home" ON "o.home"."$key" = "o"."home" \
                WHERE "o.dog.mother"."age" > ? AND "o.dog.mother"."name" = ? AND "o.home"."city" IS NULL
                """
        )
    }

    @Test("ANY becomes EXISTS, NONE its negation")
    func quantifiers() throws {
        #expect(
            try condition("ANY scores > 3").text == """
                EXISTS (SELECT 1 FROM "Person.scores" AS "e1" \
                WHERE "e1"."$owner" = "o"."$key" AND "e1"."$value" > ?)
                """
        )
        #expect(
            try condition("NONE dogs.name == 'x'").text == """
                (EXISTS (SELECT 1 FROM "Person.dogs" AS "e1" JOIN "Dog" AS "t1" ON "t1"."$key" = "e1"."$value" \
                WHERE "e1"."$owner" = "o"."$key" AND "t1"."name" = ?)) IS NOT TRUE
                """
        )
        #expect(
            try condition("ANY dog.toys.name == 'x'").text == """
                EXISTS (SELECT 1 FROM "Dog.toys" AS "e1" JOIN "Toy" AS "t1" ON "t1"."$key" = "e1"."$value" \
                WHERE "e1"."$owner" = "o"."dog" AND "t1"."name" = ?)
                """
        )
        #expect(
            try condition("ANY dogs.toys.name == name").text == """
                EXISTS (SELECT 1 FROM "Person.dogs" AS "e1" JOIN "Dog" AS "t1" ON "t1"."$key" = "e1"."$value" \
                JOIN "Dog.toys" AS "e2" JOIN "Toy" AS "t2" ON "t2"."$key" = "e2"."$value" \
                WHERE "e1"."$owner" = "o"."$key" AND "e2"."$owner" = "t1"."$key" AND "t2"."name" IS "o"."name")
                """
        )
    }

    @Test("aggregates, subqueries and map entries become subselects")
    func subselects() throws {
        #expect(
            try condition("dogs.@count > 1").text == """
                (SELECT count(*) FROM "Person.dogs" AS "e1" WHERE "e1"."$owner" = "o"."$key") > ?
                """
        )
        #expect(
            try condition("dogs.@sum.weight > 1").text == """
                (SELECT daybook_decimal_sum(daybook_decimal_key("t1"."weight")) FROM "Person.dogs" AS "e1" \
                JOIN "Dog" AS "t1" ON "t1"."$key" = "e1"."$value" WHERE "e1"."$owner" = "o"."$key") > ?
                """
        )
        let subquery = try condition("SUBQUERY(dogs, $d, $d.age > 2 AND $d.name == 'x').@count == 1")
        #expect(
            subquery.text == """
                (SELECT count(*) FROM "Person.dogs" AS "e1" JOIN "Dog" AS "t1" ON "t1"."$key" = "e1"."$value" \
                WHERE "e1"."$owner" = "o"."$key" AND ("t1"."age" > ? AND "t1"."name" = ?)) = ?
                """
        )
        #expect(subquery.arguments == [.int(2), .string("x"), .int(1)])
        let entry = try condition("notes['a'] == 'one'")
        #expect(
            entry.text == """
                (SELECT "e1"."$value" FROM "Person.notes" AS "e1" \
                WHERE "e1"."$owner" = "o"."$key" AND "e1"."$entry" = ?) = ?
                """
        )
        #expect(entry.arguments == [.string("a"), .string("one")])
    }

    @Test("an object is compared by its row")
    func rows() throws {
        let dog = ObjectReference(className: "Dog", key: 7)
        let person = ObjectReference(className: "Person", key: 8)

        #expect(try condition("dog == %@", [dog]).text == #""o"."dog" = ?"#)
        #expect(try condition("dog == %@", [dog]).arguments == [.int(7)])
        #expect(try condition("self IN %@", [[person]]).text == #""o"."$key" IN (?)"#)
        #expect(try condition("%@ IN dogs", [dog]).arguments == [.int(7)])
    }

    @Test("a sorted, limited plan orders by the columns, then by row")
    func order() throws {
        let query = try compile(
            QueryPlan("Person", sort: [QuerySort("dog.age", ascending: false), QuerySort("price")], limit: 5)
        )

        #expect(
            query.text == """
                FROM "Person" AS "o" LEFT JOIN "Dog" AS "o.dog" ON "o.dog"."$key" = "o"."dog" \
                ORDER BY "o.dog"."age" DESC, daybook_decimal_key("o"."price"), "o"."$key" LIMIT ?
                """
        )
        #expect(query.arguments == [.int(5)])
        #expect(query.count.hasPrefix("SELECT count(*) FROM (SELECT 1 FROM"))
    }

    @Test("distinct numbers the rows of each group")
    func distinct() throws {
        let query = try compile(
            QueryPlan("Person", predicate: .compare(.path("age"), .greater, .constant(.int(1))), distinct: ["name"])
        )

        #expect(
            query.source == """
                FROM "Person" AS "o" WHERE "o"."$key" IN (SELECT "$identity" FROM (\
                SELECT "o"."$key" AS "$identity", \
                row_number() OVER (PARTITION BY "o"."name" ORDER BY "o"."$key") AS "$number" \
                FROM "Person" AS "o" WHERE "o"."age" > ?) WHERE "$number" = 1)
                """
        )
    }

    @Test("a query of a collection starts at its table")
    func elements() throws {
        let query = try compile(
            QueryPlan(
                "Dog",
                source: .elements(owner: "Person", key: 4, property: "dogs"),
                predicate: .compare(.path("age"), .greater, .constant(.int(1)))
                    || .compare(.path("name"), .equal, .constant(.string("x")))
            )
        )

        #expect(
            query.text == """
                FROM "Person.dogs" AS "c" JOIN "Dog" AS "o" ON "o"."$key" = "c"."$value" \
                WHERE "c"."$owner" = ? AND ("o"."age" > ? OR "o"."name" = ?) ORDER BY "c"."$position"
                """
        )
        #expect(query.arguments == [.int(4), .int(1), .string("x")])
    }

    @Test("values never become part of the text")
    func injection() throws {
        let evil = "'; DROP TABLE \"Person\"; --"
        let query = try compile(
            QueryPlan(
                "Person",
                predicate: .compare(.path("name"), .equal, .constant(.string(evil)))
                    && .compare(.element("notes", [.key(evil)]), .contains, .constant(.string(evil)))
            )
        )

        #expect(!query.text.contains("DROP"))
        #expect(query.arguments == [.string(evil), .string(evil), .string(evil)])
    }
}

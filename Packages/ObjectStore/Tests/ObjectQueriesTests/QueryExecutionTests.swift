import EventModel
import Foundation
import ObjectQueries
import Testing

@Suite("Queries in SQLite")
struct QueryExecutionTests {
    @Test(
        "a predicate finds these people",
        arguments: [
            ("age == 30", ["Anna", "anna"]),
            ("age != 30", ["Bert", "Carla"]),
            ("NOT age == 30", ["Bert", "Carla"]),
            ("NOT age > 30", ["Anna", "Bert", "anna"]),
            ("NOT (age > 30 OR active == TRUE)", ["Bert", "anna"]),
            ("age == nil", ["Bert"]),
            ("age IN {41, nil}", ["Bert", "Carla"]),
            ("age BETWEEN {30, 40}", ["Anna", "anna"]),
            ("name == 'Anna'", ["Anna"]),
            ("name < 'a'", ["Anna", "Bert", "Carla"]),
            ("name ==[c] 'ANNA'", ["Anna", "anna"]),
            ("nick BEGINSWITH[c] 'än'", ["Anna"]),
            ("nick BEGINSWITH 'än'", []),
            ("nick CONTAINS[cd] 'anN'", ["Anna"]),
            ("nick ==[c] 'straße'", ["Carla"]),
            ("nick ENDSWITH[c] 'GMA'", ["anna"]),
            ("nick ==[c] 'ΣIGMA'", ["anna"]),
            ("name BEGINSWITH 'An'", ["Anna"]),
            ("name ENDSWITH 'a'", ["Anna", "Carla", "anna"]),
            ("name ENDSWITH 'xAnna'", []),
            ("name LIKE '?n*a'", ["Anna", "anna"]),
            ("name LIKE[c] 'AN*'", ["Anna", "anna"]),
            ("NOT nick CONTAINS 'ZZ'", ["Anna", "Bert", "Carla", "anna"]),
            ("ratio == 0.1", ["Anna"]),
            ("score < 0.5", ["Carla", "anna"]),
            ("dog.age > 2", ["Anna", "Carla"]),
            ("dog.mother.name == 'Rex'", ["Carla"]),
            ("dog.mother.name == nil", ["Anna", "Bert"]),
            ("home.city == 'Bern'", ["Anna"]),
            ("dog == nil", ["Bert"]),
            ("ANY dogs.age > 8", ["Anna"]),
            ("NONE dogs.age > 8", ["Bert", "Carla", "anna"]),
            ("ANY dogs.toys.name == 'bone'", ["Anna"]),
            ("ANY dog.toys.name == 'ball'", ["Anna", "Carla"]),
            ("ANY scores < 0", ["Bert"]),
            ("7 IN scores", ["Anna"]),
            ("ANY tags IN {'x', 'z'}", ["Anna"]),
            ("dogs.@count == 3", ["Anna"]),
            ("dogs.@count == 0", ["Bert", "anna"]),
            ("dogs.@avg.age == 7", ["Anna"]),
            ("dogs.@max.age == nil", ["Bert", "anna"]),
            ("scores.@sum == 0", ["Carla", "anna"]),
            ("scores.@min < 0", ["Bert"]),
            ("SUBQUERY(dogs, $d, $d.age > 5 AND ANY $d.toys.name == 'ball').@count == 2", ["Anna"]),
            ("notes['a'] == 'one'", ["Anna"]),
            ("notes['b'] == nil", ["Anna", "Bert", "Carla", "anna"]),
            ("ANY notes.@allKeys == 'b'", ["Anna"]),
            ("extra == 5", ["Anna"]),
            ("extra > 5", ["Carla"]),
            ("extra != 5", ["Bert", "Carla", "anna"]),
            ("extra == 'five'", ["Bert"]),
            ("extra BEGINSWITH[c] 'FI'", ["Bert"]),
            ("extra == TRUE", ["anna"]),
            ("extra IN {5.5, 'five'}", ["Bert", "Carla"]),
        ]
    )
    func finds(format: String, names: [String]) throws {
        #expect(try SampleDatabase().names(format) == names)
    }

    @Test("values of binary types are found")
    func binary() throws {
        let database = try SampleDatabase()
        let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-aabbccddeeff"))

        #expect(try database.names("token == %@", uuid) == ["Anna"])
        #expect(try database.names("code == %@", ObjectId("62b38b3c10846041166f5deb")) == ["Anna"])
        #expect(try database.names("photo == %@", Data([1, 2, 255])) == ["Anna"])
        #expect(try database.names("photo CONTAINS %@", Data([2])) == ["Anna"])
        #expect(try database.names("photo BEGINSWITH %@", Data([255])) == ["Carla"])
        #expect(try database.names("photo ENDSWITH %@", Data([255])) == ["Anna", "Carla"])
        #expect(try database.names("born > %@", Date(timeIntervalSinceReferenceDate: 100)) == ["Anna", "anna"])
    }

    @Test("decimals are compared and sorted by value")
    func decimals() throws {
        let database = try SampleDatabase()

        #expect(try database.names("price == 10") == ["Anna", "anna"])
        #expect(try database.names("price < %@", Decimal128("9.999")) == ["Bert", "Carla"])
        #expect(try database.names("price IN {-5, 9.99}") == ["Bert", "Carla"])
        #expect(
            try database.names("TRUEPREDICATE", sort: [QuerySort("price", ascending: false)])
                == ["Anna", "anna", "Bert", "Carla"]
        )
    }

    @Test("missing values sort first when ascending and last when descending; equals keep the order of rows")
    func sorting() throws {
        let database = try SampleDatabase()

        #expect(try database.names("TRUEPREDICATE", sort: [QuerySort("age")]) == ["Bert", "Anna", "anna", "Carla"])
        #expect(
            try database.names("TRUEPREDICATE", sort: [QuerySort("age", ascending: false)])
                == ["Carla", "Anna", "anna", "Bert"]
        )
        #expect(
            try database.names("TRUEPREDICATE", sort: [QuerySort("age"), QuerySort("dog.name")])
                == ["Bert", "anna", "Anna", "Carla"]
        )
    }

    @Test("distinct keeps the first of each group in the sorted order, then the limit counts")
    func distinct() throws {
        let database = try SampleDatabase()

        #expect(try database.names(QueryPlan("Person", distinct: ["age"])) == ["Anna", "Bert", "Carla"])
        #expect(
            try database.names(
                QueryPlan("Person", sort: [QuerySort("dog.name", ascending: false)], distinct: ["age"], limit: 2)
            ) == ["Anna", "Carla"]
        )
        #expect(try database.names(QueryPlan("Person", distinct: ["price"])) == ["Anna", "Bert", "Carla"])
    }

    @Test("a list is queried in its own order, with elements that occur twice")
    func list() throws {
        let database = try SampleDatabase()
        let source = QueryPlan.Source.elements(owner: "Person", key: 1, property: "dogs")

        #expect(try database.names(QueryPlan("Dog", source: source)) == ["Ada", "Rex", "Ada"])
        #expect(
            try database.names(QueryPlan("Dog", source: source, sort: [QuerySort("age")])) == ["Rex", "Ada", "Ada"]
        )
        #expect(try database.names(QueryPlan("Dog", source: source, distinct: ["name"])) == ["Ada", "Rex"])
        #expect(try database.names(QueryPlan("Dog", source: source, distinct: ["name"], limit: 1)) == ["Ada"])
    }

    @Test("a prefix is answered by the index")
    func index() throws {
        let database = try SampleDatabase()
        let predicate = try PredicateParser().parse("name BEGINSWITH 'An'")
        let query = try QueryCompiler(schema: .sample).compile(QueryPlan("Person", predicate: predicate))

        let plan = try database.explained(query)

        #expect(plan.first?.contains("USING COVERING INDEX Person.name (name>? AND name<?)") == true)
    }

    @Test("a predicate with thousands of parts stays within SQLite's limits")
    func manyParts() throws {
        let parts = (0..<5000).map { QueryPredicate.compare(.path("age"), .equal, .constant(.int(Int64($0)))) }

        #expect(try SampleDatabase().names(QueryPlan("Person", predicate: .or(parts))) == ["Anna", "Carla", "anna"])
    }
}

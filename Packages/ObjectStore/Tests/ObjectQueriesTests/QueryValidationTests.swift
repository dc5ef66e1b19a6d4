import EventModel
import ObjectQueries
import Testing

@Suite("Query validation")
struct QueryValidationTests {
    private func error(_ format: String, _ arguments: [Any?] = []) throws -> QueryError {
        let predicate = try PredicateParser().parse(format, arguments: arguments)
        return try #require(throws: QueryError.self) {
            try QueryCompiler(schema: .sample).compile(QueryPlan("Person", predicate: predicate))
        }
    }

    @Test("an unknown property is named with its class, its path and what may have been meant")
    func unknownProperty() throws {
        let error = try error("dog.nmae == 'x'")

        #expect(
            error == .unknownProperty(path: "dog.nmae", component: "nmae", className: "Dog", suggestion: "name")
        )
        #expect(
            error.description == "Class 'Dog' has no property 'nmae' (in the path 'dog.nmae'). Did you mean 'name'?"
        )
    }

    @Test("an unknown class is named with what may have been meant")
    func unknownClass() throws {
        #expect(throws: QueryError.unknownClass("Persn", suggestion: "Person")) {
            try QueryCompiler(schema: .sample).compile(QueryPlan("Persn"))
        }
    }

    @Test(
        "a path that cannot be used like this is refused",
        arguments: [
            "scores > 3", "dogs.age > 3", "age.x == 3", "ANY age > 3", "age.@count > 3", "dogs.toys.@count > 1",
            "scores['x'] == 1", "SUBQUERY(scores, $s, $s == 1).@count > 0",
        ]
    )
    func invalidPaths(format: String) throws {
        guard case .invalidPath = try error(format) else {
            Issue.record("'\(format)' is not refused as a path.")
            return
        }
    }

    @Test(
        "a comparison that makes no sense is refused",
        arguments: [
            "age == 'x'", "name == 3", "name == nil", "active > FALSE", "name <[c] 'x'", "age ==[c] 3",
            "age CONTAINS 3", "name LIKE[d] 'x'", "photo > photo", "age BETWEEN {1, nil}", "name == age",
            "dog == dogs.@count", "1 == 1", "dogs.@sum.name == 1", "'x' LIKE name", "dog == 3", "extra == extra",
        ]
    )
    func invalidComparisons(format: String) throws {
        guard case .invalidComparison = try error(format) else {
            Issue.record("'\(format)' is not refused as a comparison.")
            return
        }
    }

    @Test("an object of another class is refused")
    func otherClass() throws {
        guard case .invalidComparison = try error("dog == %@", [ObjectReference(className: "Toy", key: 1)]) else {
            Issue.record("A toy was accepted as a dog.")
            return
        }
    }

    @Test("sorting by a link or a collection is refused", arguments: ["dog", "scores", "extra"])
    func sorting(path: String) {
        #expect(throws: QueryError.self) {
            try QueryCompiler(schema: .sample)
                .compile(QueryPlan("Person", sort: [QuerySort(PropertyPath(dotted: path))]))
        }
    }
}

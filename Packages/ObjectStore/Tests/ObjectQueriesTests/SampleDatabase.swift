import EventModel
import Foundation
import ObjectQueries

@testable import ObjectStore

/// A database with the tables of `QuerySchema.sample`, in which compiled queries run as the store runs them.
final class SampleDatabase {
    private let connection: Connection
    private let folder: URL

    init() throws {
        folder = try TemporaryFolder.make()
        connection = try Connection(
            fileURL: folder.appendingPathComponent("sample"),
            key: nil,
            isReadOnly: false,
            isDurable: false,
            hasLog: false
        )
        try connection.execute(Self.tables)
        try connection.execute(Self.rows)
        let update = try connection.prepare("UPDATE Person SET price = ?1 WHERE \"$key\" = ?2")
        for (row, price) in [(1, "10.0"), (2, "9.99"), (3, "-5"), (4, "10.00")] as [(Int64, Decimal128)] {
            Value.decimal128(price).bind(to: update.handle, at: 1)
            update.bind(2, row)
            try update.run()
        }
    }

    deinit {
        // What cannot be removed now, the system's cleaning will.
        try? FileManager.default.removeItem(at: folder)
    }

    /// The names of the people whom a query finds, in order.
    func names(_ format: String, _ arguments: Any?..., sort: [QuerySort] = []) throws -> [String] {
        let predicate = try PredicateParser().parse(format, arguments: arguments)
        return try names(QueryPlan("Person", predicate: predicate, sort: sort))
    }

    /// The names of the objects that a query finds, in order.
    func names(_ plan: QueryPlan) throws -> [String] {
        let query = try QueryCompiler(schema: .sample).compile(plan)
        let select = try texts(query, query.select("\(query.alias).\"name\""))
        let counted = try statement(query, query.count)
        guard try counted.step(), counted.int(0) == select.count else { throw CountDiffers() }
        return select
    }

    /// Lets SQLite read the SQL of a query, without running it.
    func prepare(_ query: CompiledQuery) throws {
        _ = try connection.prepare(query.select("\(query.alias).\"$key\""))
    }

    /// How SQLite answers a query, step by step.
    func explained(_ query: CompiledQuery) throws -> [String] {
        try texts(query, "EXPLAIN QUERY PLAN " + query.select("\(query.alias).\"$key\""), column: 3)
    }

    private func texts(_ query: CompiledQuery, _ sql: String, column: Int32 = 0) throws -> [String] {
        let statement = try statement(query, sql)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(column)) }
        return texts
    }

    private func statement(_ query: CompiledQuery, _ sql: String) throws -> Statement {
        let statement = try connection.prepare(sql)
        for (index, argument) in query.arguments.enumerated() {
            argument.bind(to: statement.handle, at: Int32(index + 1))
        }
        return statement
    }

    struct CountDiffers: Error {}

    private static let tables = """
        CREATE TABLE "Person" ("$key" INTEGER PRIMARY KEY, "name" TEXT, "nick_name" TEXT, "age" INTEGER, "score" REAL,
            "ratio" REAL, "active" INTEGER, "born" REAL, "token" BLOB, "code" BLOB, "price" BLOB, "photo" BLOB,
            "extra", "extra$type" INTEGER, "dog" INTEGER, "home" INTEGER);
        CREATE TABLE "Dog" ("$key" INTEGER PRIMARY KEY, "name" TEXT, "age" INTEGER, "weight" BLOB, "mother" INTEGER);
        CREATE TABLE "Toy" ("$key" INTEGER PRIMARY KEY, "name" TEXT);
        CREATE TABLE "Address" ("$key" INTEGER PRIMARY KEY, "city" TEXT);
        CREATE TABLE "Person.dogs" ("$owner" INTEGER, "$position" INTEGER, "$value" INTEGER);
        CREATE TABLE "Person.scores" ("$owner" INTEGER, "$position" INTEGER, "$value" INTEGER);
        CREATE TABLE "Person.tags" ("$owner" INTEGER, "$value" TEXT);
        CREATE TABLE "Person.notes" ("$owner" INTEGER, "$entry" TEXT, "$value" TEXT);
        CREATE TABLE "Dog.toys" ("$owner" INTEGER, "$position" INTEGER, "$value" INTEGER);
        CREATE TABLE "$nested.elements" ("$owner" INTEGER, "$position" INTEGER, "$value", "$type" INTEGER);
        CREATE TABLE "$nested.entries" ("$owner" INTEGER, "$entry" TEXT, "$value", "$type" INTEGER);
        CREATE INDEX "Person.name" ON "Person" ("name");
        """

    // Types of `extra`: 3 an integer, 5 a double, 6 text, 2 true.
    private static let rows = """
        INSERT INTO Toy VALUES (1, 'ball'), (2, 'bone');
        INSERT INTO Dog VALUES (1, 'Rex', 3, NULL, NULL), (2, 'Ada', 9, NULL, 1), (3, 'Bo', 1, NULL, 2);
        INSERT INTO "Dog.toys" VALUES (1, 0, 1), (2, 0, 1), (2, 1, 2);
        INSERT INTO Address VALUES (1, 'Bern'), (2, NULL);
        INSERT INTO Person VALUES
            (1, 'Anna', 'Änne', 30, 1.5, 0.10000000149011612, 1, 100.5, x'00112233445566778899aabbccddeeff',
             x'62b38b3c10846041166f5deb', NULL, x'0102FF', 5, 3, 1, 1),
            (2, 'Bert', NULL, NULL, 2.5, 2, 0, NULL, NULL, NULL, NULL, NULL, 'five', 6, NULL, NULL),
            (3, 'Carla', 'STRASSE', 41, -1, 3, 1, 0, NULL, NULL, NULL, x'FFFF', 5.5, 5, 2, 2),
            (4, 'anna', 'ςigma', 30, 0, 4, 0, 200, NULL, NULL, NULL, NULL, 1, 2, 3, NULL);
        INSERT INTO "Person.dogs" VALUES (1, 0, 2), (1, 1, 1), (1, 2, 2), (3, 0, 3);
        INSERT INTO "Person.scores" VALUES (1, 0, 5), (1, 1, 7), (2, 0, -1);
        INSERT INTO "Person.tags" VALUES (1, 'x'), (1, 'y'), (4, 'y');
        INSERT INTO "Person.notes" VALUES (1, 'a', 'one'), (1, 'b', NULL), (2, 'a', 'two');
        """
}

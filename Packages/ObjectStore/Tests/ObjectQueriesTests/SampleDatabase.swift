import EventModel
import Foundation
import GRDB
import ObjectQueries

/// A database in memory with the tables of `QuerySchema.sample`, in which compiled queries run.
struct SampleDatabase {
    let queue: DatabaseQueue

    init() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            for function in Self.functions { database.add(function: function) }
        }
        queue = try DatabaseQueue(configuration: configuration)
        try queue.write { database in
            try database.execute(sql: Self.tables)
            try database.execute(sql: Self.rows)
            for (row, price) in [(1, "10.0"), (2, "9.99"), (3, "-5"), (4, "10.00")] {
                try database.execute(
                    sql: "UPDATE Person SET price = ? WHERE \"$key\" = ?",
                    arguments: [Data(QueryFunctions.blob(Decimal128(stringLiteral: price))), row]
                )
            }
        }
    }

    /// The names of the people whom a query finds, in order.
    func names(_ format: String, _ arguments: Any?..., sort: [QuerySort] = []) throws -> [String] {
        let predicate = try PredicateParser().parse(format, arguments: arguments)
        return try names(QueryPlan("Person", predicate: predicate, sort: sort))
    }

    /// The names of the objects that a query finds, in order.
    func names(_ plan: QueryPlan) throws -> [String] {
        let query = try QueryCompiler(schema: .sample).compile(plan)
        return try queue.read { database in
            let names = try String.fetchAll(
                database,
                sql: query.select("\(query.alias).\"name\""),
                arguments: StatementArguments(query.arguments.map(\.bound))
            )
            let count = try Int.fetchOne(
                database,
                sql: query.count,
                arguments: StatementArguments(query.arguments.map(\.bound))
            )
            guard count == names.count else { throw CountDiffers() }
            return names
        }
    }

    struct CountDiffers: Error {}

    private static let functions: [DatabaseFunction] = [
        DatabaseFunction(QueryFunctions.foldName, argumentCount: 2, pure: true) { values in
            guard let text = String.fromDatabaseValue(values[0]), let options = Int.fromDatabaseValue(values[1]) else {
                return nil
            }
            return Data(QueryFunctions.fold(text, QueryPredicate.Options(rawValue: options)).utf8)
        },
        DatabaseFunction(QueryFunctions.likeName, argumentCount: 2, pure: true) { values in
            guard let text = String.fromDatabaseValue(values[0]), let pattern = String.fromDatabaseValue(values[1])
            else { return nil }
            return QueryFunctions.isLike(text, pattern: pattern)
        },
        DatabaseFunction(QueryFunctions.decimalKeyName, argumentCount: 1, pure: true) { values in
            let number: Decimal128? =
                switch values[0].storage {
                case .blob(let data): data.withUnsafeBytes { QueryFunctions.decimal(blob: $0) }
                case .int64(let number): Decimal128(number)
                case .double(let number): Decimal128(number)
                case .null, .string: nil
                }
            return number.flatMap { $0.isNaN ? nil : Data(QueryFunctions.decimalKey($0)) }
        },
        DatabaseFunction(QueryFunctions.decimalSumName, argumentCount: 1, pure: true, aggregate: Sum.self),
        DatabaseFunction(QueryFunctions.decimalMeanName, argumentCount: 1, pure: true, aggregate: Mean.self),
    ]

    private struct Sum: DatabaseAggregate {
        var total = DecimalSum()

        mutating func step(_ values: [DatabaseValue]) {
            Data.fromDatabaseValue(values[0])?.withUnsafeBytes { total.add(key: $0) }
        }

        func finalize() -> (any DatabaseValueConvertible)? { Data(QueryFunctions.decimalKey(total.sum)) }
    }

    private struct Mean: DatabaseAggregate {
        var sum = Sum()

        mutating func step(_ values: [DatabaseValue]) { sum.step(values) }

        func finalize() -> (any DatabaseValueConvertible)? {
            sum.total.mean.map { Data(QueryFunctions.decimalKey($0)) }
        }
    }

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

extension Value {
    /// The value as GRDB binds it, by the rules of `CompiledQuery`.
    var bound: (any DatabaseValueConvertible)? {
        switch self {
        case .bool(let value): value
        case .int(let value): value
        case .float(let value): Double(value)
        case .double(let value): value
        case .string(let value): value
        case .data(let value): Data(value)
        case .date(let value): value.timeIntervalSinceReferenceDate
        case .objectId(let value): value.withUnsafeBytes { Data($0) }
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { Data($0) }
        default: nil
        }
    }
}

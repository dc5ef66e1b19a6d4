import Foundation
import ObjectStore
import Testing

/// Every operator with every type of property, in both front ends, on a class and on a list, against plain Swift.
@Suite("Queries of every operator and type")
struct QueryMatrixTests {
    private func run<V: _ScalarValue>(_ column: MatrixColumn<V>) throws {
        let matrix = try QueryMatrix(column)
        try matrix.check(matrix.comparisons)
        try matrix.check(matrix.sets)
        try matrix.check(matrix.aggregates)
        matrix.checkRefusals()
    }

    @Test("integers")
    func integers() throws {
        try run(
            MatrixColumn(name: "Int", values: [0, -5, 7, .max, .min / 4], isLess: <, number: Double.init, other: "x")
        )
        try run(
            MatrixColumn<Int8>(name: "Int8", values: [0, -5, 7, 127], isLess: <, number: { Double($0) }, other: "x")
        )
        try run(
            MatrixColumn<Int32>(
                name: "Int32",
                values: [3, -5, 7, .min],
                isLess: <,
                number: { Double($0) },
                other: Data()
            )
        )
    }

    @Test("numbers with a fraction, of which NaN equals nothing and has no order")
    func fractions() throws {
        try run(
            MatrixColumn<Double>(
                name: "Double",
                values: [0.1, -0.0, 1e300, .nan, -3],
                isLess: <,
                number: { $0 },
                other: "x"
            )
        )
        try run(
            MatrixColumn<Float>(
                name: "Float",
                values: [0.1, 0, 7.5, .nan, -3],
                isLess: <,
                number: Double.init,
                other: "x"
            )
        )
    }

    @Test("decimals are compared by value and exactly")
    func decimals() throws {
        try run(
            MatrixColumn<Decimal128>(
                name: "Decimal128",
                // The sums of the oracle are not exact, so that the greatest number is in no collection.
                values: ["0.10", "0", "-7", "1234567890.123456789012345678", "1E+30"],
                isLess: <,
                number: { Double($0.description) ?? .nan },
                other: "x"
            )
        )
    }

    @Test("truth values, dates and identifiers")
    func others() throws {
        try run(MatrixColumn(name: "Bool", values: [true, false], other: "x"))
        try run(
            MatrixColumn(
                name: "Date",
                values: [0, -1, 1e9, 0.001].map(Date.init(timeIntervalSinceReferenceDate:)),
                isLess: <,
                other: 5
            )
        )
        let uuids = try ["00000000-0000-4000-8000-000000000001", "F0000000-0000-4000-8000-000000000001"]
            .map { try #require(UUID(uuidString: $0)) }
        try run(
            MatrixColumn(
                name: "UUID",
                values: uuids + [UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))],
                isLess: { $0.uuidString < $1.uuidString },
                other: "x"
            )
        )
        try run(
            MatrixColumn<ObjectId>(
                name: "ObjectId",
                values: ["000000000000000000000001", "62b38b3c10846041166f5deb", "ffffffffffffffffffffffff"]
                    .map {
                        try ObjectId(string: $0)
                    },
                isLess: { $0.stringValue < $1.stringValue },
                other: "62b38b3c10846041166f5deb"
            )
        )
    }

    @Test("enumerations, by their raw values")
    func enumerations() throws {
        enum Suit: String, PersistableEnum { case spades, hearts, clubs }
        enum Rank: Int, PersistableEnum {
            case ten = 10
            case jack = 2
            case queen = 3
        }
        try run(MatrixColumn(name: "Suit", values: Suit.allCases, isLess: { $0.rawValue < $1.rawValue }, other: 5))
        try run(
            MatrixColumn(
                name: "Rank",
                values: Rank.allCases,
                isLess: { $0.rawValue < $1.rawValue },
                number: { Double($0.rawValue) },
                other: "x"
            )
        )
    }

    @Test("data, of which bytes are searched")
    func data() throws {
        let column = MatrixColumn(
            name: "Data",
            values: [[1, 2, 255], [], [2], [255, 255]].map { Data($0) },
            other: "x"
        )
        try run(column)
        let matrix = try QueryMatrix(column)
        for part in column.values {
            let bytes = Array(part)
            func contains(_ data: Data) -> Bool { Array(data).includes(bytes) }
            try matrix.check([
                MatrixCondition("required CONTAINS %@", part) {
                    contains($0.required)
                } typed: {
                    $0.required.contains(part)
                },
                MatrixCondition("optional CONTAINS %@", part) {
                    $0.optional.map(contains) ?? false
                } typed: {
                    $0.optional.contains(part)
                },
                MatrixCondition("required BEGINSWITH %@", part) {
                    Array($0.required).starts(with: bytes)
                } typed: {
                    $0.required.starts(with: part)
                },
                MatrixCondition("required ENDSWITH %@", part) {
                    Array($0.required).reversed().starts(with: bytes.reversed())
                } typed: {
                    $0.required.ends(with: part)
                },
            ])
        }
        matrix.checkRefused("required LIKE %@", Data([1]))
        matrix.checkRefused("required CONTAINS[c] %@", Data([1]))
    }
}

import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Foundation
import Testing

@testable import SQLiteStore

@Suite("The order of addresses and values in a database")
struct RealmCodingTests {
    private static let texts: [ExactText] = [
        "", "\0", "\0\0", "a", "a\0", "a\0b", "ab", "b", "é", "e\u{301}", "\u{10FFFF}",
    ]

    private static let values: [CellValue] =
        [.null, .bool(false), .bool(true)]
        + [Int64.min, -1, 0, 1, .max].map { .int($0) }
        + [0, -1, 1.5, Float.nan].map { .float($0) } + [0, -1, 1.5, Double.nan].map { .double($0) }
        + texts.map { .string($0) }
        + [[], [0], [0, 0], [0, 255], [1], [255]].map { .data($0) }
        + [
            .date(0), .date(-1), .date(1), .objectId(ObjectId(high: 1, low: 2)),
            .objectId(ObjectId(high: .max, low: 0)),
        ]
        + [.uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))), .decimal128(Decimal128(1))]
        + keys.map { .link(ObjectAddress("A", $0)) } + [.link(ObjectAddress("A\0", .null))]
        + Life.Kind.allCases.flatMap { kind in [1, 2].map { .life(Life(.sample($0), kind)) } }

    private static let keys: [PrimaryKey] =
        [.null, .int(.min), .int(-1), .int(0), .int(.max)] + texts.map { .string($0) }
        + [.objectId(ObjectId(high: 1, low: 2)), .objectId(ObjectId(high: 1, low: 3))]
        + [.uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))]

    private static let paths: [CellPath] = {
        let steps: [CellPath.Step] =
            texts.flatMap { [.property($0), .key($0)] }
            + [1, 2].flatMap { [.life(.sample($0)), .element(.sample($0))] }
            + values.map { .member($0) }
        let pairs = steps.prefix(12).flatMap { first in steps.map { CellPath(steps: [first, $0]) } }
        return [CellPath(steps: [])] + steps.map { CellPath(steps: [$0]) } + pairs
    }()

    @Test("keys, values and paths come back as they were")
    func comesBack() throws {
        for key in Self.keys { #expect(try OrderedReader.key(OrderedBytes.of(key)) == key) }
        for path in Self.paths { #expect(try OrderedReader.path(OrderedBytes.of(path)) == path) }
        for value in Self.values {
            var reader = OrderedReader(OrderedBytes.of(value))

            #expect(try reader.value() == value)
            #expect(reader.isAtEnd)
        }
    }

    @Test("bytes have the order of what they stand for")
    func order() {
        #expect(Self.keys.sorted() == Self.keys.sorted { Self.precedes(OrderedBytes.of($0), OrderedBytes.of($1)) })
        #expect(Self.values.sorted() == Self.values.sorted { Self.precedes(OrderedBytes.of($0), OrderedBytes.of($1)) })
        #expect(Self.paths.sorted() == Self.paths.sorted { Self.precedes(OrderedBytes.of($0), OrderedBytes.of($1)) })
    }

    @Test("exactly the paths below a path lie in its range")
    func below() {
        for path in Self.paths where path.steps.count < 2 {
            let (first, end) = OrderedBytes.below(OrderedBytes.of(path))
            for other in Self.paths {
                let bytes = OrderedBytes.of(other)
                let lies = !Self.precedes(bytes, first) && Self.precedes(bytes, end)

                #expect(lies == other.isBelow(path), "\(other) below \(path)")
            }
        }
    }

    @Test("a cell with increments and the epoch of its target comes back as it was")
    func cells() throws {
        let stamp = Stamp(HybridClock(milliseconds: 5), file: 3, index: 4)
        for value in Self.values.map(Optional.some) + [nil] {
            for (epoch, increments) in [(0, [:]), (3, [stamp: 4, stamp.asDefault: -1])] as [(Int, [Stamp: Int64])] {
                let cell = Cell(stamp: stamp.asDefault, value: value, targetEpoch: epoch, increments: increments)

                #expect(try RealmPacking.cell(RealmPacking.pack(cell)) == cell)
            }
        }
    }

    @Test("bytes that were cut anywhere are damage or another cell, and no crash")
    func damage() {
        let stamp = Stamp(HybridClock(milliseconds: 5), file: 3, index: 4)
        for value in Self.values {
            let cell = Cell(stamp: stamp, value: value, targetEpoch: 1, increments: [stamp: 1])
            let bytes = RealmPacking.pack(cell)
            for count in 0..<bytes.count {
                // A text that is cut within an escaped zero is a shorter text.
                #expect((try? RealmPacking.cell(Array(bytes.prefix(count)))) != cell)
            }
            for count in 0..<bytes.count - OrderedBytes.of(value).count {
                #expect(throws: OrderedReader.damage) { try RealmPacking.cell(Array(bytes.prefix(count))) }
            }
        }
    }

    private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
}

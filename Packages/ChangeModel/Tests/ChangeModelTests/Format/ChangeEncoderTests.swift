import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Foundation
import Testing

@Suite("Changes that are written operation by operation")
struct ChangeEncoderTests {
    private let person = ObjectAddress("Person", .int(1))
    private let cells: ChangeOperation.Cells = ["age": 7, "name": "Ada"]

    @Test("have the bytes of the change that has the same operations")
    func same() throws {
        let rest: [ChangeOperation] = [
            ChangeOperation(person, .set("age", 8)), ChangeOperation(person, .clear("list")),
            ChangeOperation(person, .delete),
        ]
        let creation = ChangeOperation.Action.create(
            given: cells,
            defaults: ["zip": .null]
        )
        let clock = HybridClock(milliseconds: 5)
        let change = Change(
            number: 3,
            base: 9,
            clock: clock,
            operations: [ChangeOperation(person, creation)] + rest
        )
        var encoder = ChangeEncoder()
        let name = encoder.number(of: "Person")
        var (given, defaults) = (ChangeEncoder.Cells(), ChangeEncoder.Cells())
        for (name, value) in cells { encoder.append(encoder.number(of: name), value, to: &given) }
        defaults.append(encoder.number(of: "zip"), .null)
        encoder.appendCreation(name, key: .int(1), given: given, defaults: defaults)
        encoder.appendAssignment(name, key: .int(1), encoder.number(of: "age"), 8)
        for operation in rest.dropFirst() { encoder.append(operation) }

        #expect(encoder.count == 4)
        #expect(encoder.body(base: 9, clock: clock) == change.body)
        #expect(try Change(number: 3, body: encoder.body(base: 9, clock: clock)) == change)
    }

    @Test(
        "have values from where they lie, with the bytes of the same values",
        arguments: [
            .null, .bool(true), .bool(false), .int(-7), .float(.nan), .double(-0.0), .date(1.5), "Ada", "Zoë", "",
            .data([]), .data([0, 255]), .objectId(ObjectId(high: 1, low: 2)), .uuid(UUID(uuid: sampleBytes)),
            .decimal128(Decimal128(high: 3, low: 4)),
        ] as [CellValue]
    )
    func plain(_ value: CellValue) throws {
        var (encoder, plain) = (ChangeEncoder(), ChangeEncoder())
        var cells = (ChangeEncoder.Cells(), ChangeEncoder.Cells())
        let names = ["Person", "name"]
            .map { name in
                (encoder.number(of: ExactText(name)), plain.number(of: ExactText(name)))
            }
        encoder.append(names[1].0, value, to: &cells.0)
        encoder.appendCreation(names[0].0, key: .int(1), given: cells.0, defaults: ChangeEncoder.Cells())
        encoder.appendAssignment(names[0].0, key: .int(1), names[1].0, value)
        _ = value.withPlain {
            cells.1.append(names[1].1, $0)
            plain.appendCreation(names[0].1, key: .int(1), given: cells.1, defaults: ChangeEncoder.Cells())
            plain.appendAssignment(names[0].1, key: .int(1), names[1].1, $0)
        }

        #expect(plain.body(base: 0, clock: .zero) == encoder.body(base: 0, clock: .zero))
        #expect(cells.1.byteCount == cells.0.byteCount)
    }

    @Test("have the bytes of the general writer for objects of all kinds", arguments: 1...60 as ClosedRange<UInt64>)
    func random(_ seed: UInt64) throws {
        var objects = RandomObjects(seed: seed)
        var (encoder, operations) = (ChangeEncoder(), [] as [ChangeOperation])
        var (given, defaults) = (ChangeEncoder.Cells(), ChangeEncoder.Cells())
        for _ in 0..<objects.count(20) {
            let object = objects.object()
            switch objects.count(3) {
            case 1:
                let cells = (objects.cells(), objects.cells())
                operations.append(ChangeOperation(object, .create(given: cells.0, defaults: cells.1)))
                let name = encoder.number(of: object.className)
                given.removeAll()
                defaults.removeAll()
                cells.0.write(to: &given, &encoder)
                cells.1.write(to: &defaults, &encoder)
                encoder.appendCreation(name, key: object.key, given: given, defaults: defaults)
            case 2:
                let (property, value) = (objects.name(), objects.value())
                operations.append(ChangeOperation(object, .set(CellPath(property), value)))
                let name = encoder.number(of: object.className)
                let number = encoder.number(of: property)
                if value.withPlain({ encoder.appendAssignment(name, key: object.key, number, $0) }) { continue }
                encoder.appendAssignment(name, key: object.key, number, value)
            default:
                let operation = ChangeOperation(object, objects.action())
                operations.append(operation)
                encoder.append(operation)
            }
        }
        let change = Change(number: 1, base: 300, clock: HybridClock(milliseconds: 5), operations: operations)

        #expect(encoder.count == operations.count)
        #expect(encoder.body(base: 300, clock: change.clock) == change.body)
        // What is asked twice, or of a copy, is the same.
        var copy = encoder
        encoder.append(ChangeOperation(person, .delete))
        #expect(copy.body(base: 300, clock: change.clock) == change.body)
    }

    @Test("begin anew with the next object")
    func reused() throws {
        var encoder = ChangeEncoder()
        let (person, name) = (encoder.number(of: "Person"), encoder.number(of: "name"))
        var cells = ChangeEncoder.Cells()
        for key in 1...2 {
            cells.removeAll()
            cells.append(name, .int(Int64(key)))
            encoder.appendCreation(person, key: .int(Int64(key)), given: cells, defaults: ChangeEncoder.Cells())
        }

        let change = try Change(number: 1, body: encoder.body(base: 0, clock: .zero))
        #expect(
            change.operations
                == (1...2)
                .map {
                    ChangeOperation(
                        ObjectAddress("Person", .int($0)),
                        .create(given: ["name": .int($0)], defaults: [:])
                    )
                }
        )
    }

    @Test("give the class of a link its number")
    func link() throws {
        var encoder = ChangeEncoder()
        let (person, friend) = (encoder.number(of: "Person"), encoder.number(of: "friend"))
        let target = CellValue.link(ObjectAddress("Animal", .string("Rex")))
        var cells = ChangeEncoder.Cells()
        encoder.append(friend, target, to: &cells)
        encoder.appendCreation(person, key: .int(1), given: cells, defaults: ChangeEncoder.Cells())

        let change = try Change(number: 1, body: encoder.body(base: 0, clock: .zero))
        #expect(
            change.operations == [ChangeOperation(self.person, .create(given: ["friend": target], defaults: [:]))]
        )
    }

    @Test("may be none")
    func none() throws {
        var encoder = ChangeEncoder()
        let body = encoder.body(base: 0, clock: .zero)
        #expect(try Change(number: 1, body: body).operations.isEmpty)
    }
}

private let sampleBytes: uuid_t = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)

extension CellValue {
    /// Calls a body with the same value, as it lies in memory.
    ///
    /// - Returns: Whether there is one: a link is none.
    fileprivate func withPlain(_ body: (PlainValue) -> Void) -> Bool {
        switch self {
        case .null: body(.null)
        case .bool(let value): body(.bool(value))
        case .int(let value): body(.int(value))
        case .float(let value): body(.float(value))
        case .double(let value): body(.double(value))
        case .string(let value): Array(value.string.utf8).withUnsafeBytes { body(.text($0)) }
        case .data(let value): value.withUnsafeBytes { body(.data($0)) }
        case .date(let value): body(.date(value))
        case .objectId(let value): body(.objectId(value))
        case .uuid(let value): body(.uuid(value))
        case .decimal128(let value): body(.decimal128(value))
        case .link, .anyLink, .life: return false
        }
        return true
    }
}

extension ChangeOperation.Cells {
    /// Writes the cells as the rows of a table are, whose names have their numbers first.
    fileprivate func write(to cells: inout ChangeEncoder.Cells, _ encoder: inout ChangeEncoder) {
        let numbers = map { encoder.number(of: $0.key) }
        for (number, cell) in zip(numbers, self) where !cell.value.withPlain({ cells.append(number, $0) }) {
            encoder.append(number, cell.value, to: &cells)
        }
    }
}

/// Makes objects, values and operations of all kinds.
private struct RandomObjects {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A number from 1 on.
    mutating func count(_ most: Int) -> Int { Int.random(in: 1...most, using: &random) }

    mutating func name() -> ExactText {
        let number = count(40)
        return ExactText("p\(number)" + String(repeating: "é", count: number.isMultiple(of: 9) ? 100 : number % 4))
    }

    mutating func object() -> ObjectAddress {
        let key: PrimaryKey =
            switch count(5) {
            case 1: .null
            case 2: .string(ExactText(text()))
            case 3: .objectId(ObjectId(high: random.next(), low: 7))
            case 4: .uuid(UUID(uuid: sampleBytes))
            default: .int(Int64(bitPattern: random.next()))
            }
        return ObjectAddress(ExactText("Class\(count(4))"), key)
    }

    mutating func text() -> String {
        String(repeating: ["a", "é", "😀", "word ", ""][count(5) - 1], count: count(40))
    }

    mutating func value() -> CellValue {
        switch count(15) {
        case 1: .null
        case 2: .bool(random.next().isMultiple(of: 2))
        case 3: .int(Int64(bitPattern: random.next()))
        case 4: .float(Float(bitPattern: UInt32(truncatingIfNeeded: random.next())))
        case 5: .double(Double(bitPattern: random.next()))
        case 6: .data(Array(repeating: 200, count: count(300)))
        case 7: .date(Double(count(1000)) / 3)
        case 8: .objectId(ObjectId(high: random.next(), low: 1))
        case 9: .uuid(UUID(uuid: sampleBytes))
        case 10: .decimal128(Decimal128(high: random.next(), low: random.next()))
        case 11: .link(object())
        case 12: .anyLink(object())
        default: .string(ExactText(text()))
        }
    }

    mutating func cells() -> ChangeOperation.Cells {
        var cells: ChangeOperation.Cells = [:]
        for _ in 1..<count(12) { cells[name()] = value() }
        return cells
    }

    mutating func action() -> ChangeOperation.Action {
        let (path, id) = (CellPath(name()), ElementID.random(using: &random))
        return switch count(14) {
        case 1: .delete
        case 2: .add(path, -3)
        case 3: .listInsert(path, id, before: nil, value())
        case 4: .listRemove(path, id)
        case 5: .listSet(path, id, value())
        case 6: .listMove(path, id, before: .random(using: &random))
        case 7: .clear(path)
        case 8: .setInsert(path, value())
        case 9: .setRemove(path, value())
        case 10: .mapSet(path, ExactText(text()), value())
        case 11: .mapRemove(path, ExactText(text()))
        case 12: .embeddedNew(path, id, cells())
        case 13: .collectionNew(path, Life(id, .list))
        default: .post(ExactText(text()))
        }
    }
}

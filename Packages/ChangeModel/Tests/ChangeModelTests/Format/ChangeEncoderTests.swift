import ChangeModel
import ChangeModelTesting
import EventModel
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
        defaults.append(encoder.number(of: "zip"), .other(.null))
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
        value.withPlain {
            cells.1.append(names[1].1, $0)
            plain.appendCreation(names[0].1, key: .int(1), given: cells.1, defaults: ChangeEncoder.Cells())
            plain.appendAssignment(names[0].1, key: .int(1), names[1].1, $0)
        }

        #expect(plain.body(base: 0, clock: .zero) == encoder.body(base: 0, clock: .zero))
        #expect(cells.1.byteCount == cells.0.byteCount)
    }

    @Test("begin anew with the next object")
    func reused() throws {
        var encoder = ChangeEncoder()
        let (person, name) = (encoder.number(of: "Person"), encoder.number(of: "name"))
        var cells = ChangeEncoder.Cells()
        for key in 1...2 {
            cells.removeAll()
            cells.append(name, .other(.int(Int64(key))))
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
        let body = ChangeEncoder().body(base: 0, clock: .zero)
        #expect(try Change(number: 1, body: body).operations.isEmpty)
    }
}

extension ChangeEncoderTests {
    @Test("do not take a link without the change that numbers its class")
    func linkWithoutChange() async {
        await #expect(processExitsWith: .failure) {
            var encoder = ChangeEncoder()
            var cells = ChangeEncoder.Cells()
            cells.append(encoder.number(of: "friend"), .other(.link(ObjectAddress("Person", .int(1)))))
        }
    }
}

private let sampleBytes: uuid_t = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)

extension CellValue {
    /// Calls a body with the same value, as it lies in memory.
    fileprivate func withPlain(_ body: (PlainValue) -> Void) {
        switch self {
        case .string(let value): Array(value.string.utf8).withUnsafeBytes { body(.text($0)) }
        case .data(let value): value.withUnsafeBytes { body(.data($0)) }
        default: body(.other(self))
        }
    }
}

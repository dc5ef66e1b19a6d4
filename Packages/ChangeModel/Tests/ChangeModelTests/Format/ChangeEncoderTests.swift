import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Changes that are written operation by operation")
struct ChangeEncoderTests {
    private let person = ObjectAddress("Person", .int(1))
    private let cells: [(ExactText, CellValue)] = [("age", 7), ("name", "Ada")]

    @Test("have the bytes of the change that has the same operations")
    func same() throws {
        let rest: [ChangeOperation] = [
            ChangeOperation(person, .set("age", 8)), ChangeOperation(person, .clear("list")),
            ChangeOperation(person, .delete),
        ]
        let creation = ChangeOperation.Action.create(
            given: Dictionary(uniqueKeysWithValues: cells),
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
        let given = cells.map { (encoder.number(of: $0.0), $0.1) }
        encoder.appendCreation(name, key: .int(1), given: given, defaults: [(encoder.number(of: "zip"), .null)])
        encoder.appendAssignment(name, key: .int(1), encoder.number(of: "age"), 8)
        for operation in rest.dropFirst() { encoder.append(operation) }

        #expect(encoder.count == 4)
        #expect(encoder.body(base: 9, clock: clock) == change.body)
        #expect(try Change(number: 3, body: encoder.body(base: 9, clock: clock)) == change)
    }

    @Test("may be none")
    func none() throws {
        let body = ChangeEncoder().body(base: 0, clock: .zero)
        #expect(try Change(number: 1, body: body).operations.isEmpty)
    }
}

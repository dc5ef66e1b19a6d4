import ChangeModel
import ChangeModelTesting
import EventModel
import Foundation
import Testing

@Suite("Operations in words")
struct OperationWordsTests {
    private static let id = UUID(uuid: (0xAB, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))

    @Test(
        "a value is shown as people write it",
        arguments: [
            (CellValue.null, "null"), (.bool(true), "true"), (.int(-7), "-7"), (.float(1.5), "1.5"),
            (.double(.nan), "nan"),
            (.string("Ada"), "\"Ada\""), (.data([1]), "1 byte"), (.data([]), "0 bytes"),
            (.date(0), "2001-01-01T00:00:00.000000Z"), (.date(-0.5), "2000-12-31T23:59:59.500000Z"),
            (.date(.infinity), "inf s after 2001-01-01"), (.date(-1e300), "-1e+300 s after 2001-01-01"),
            (.date(-9.9e10), "-001137-10-25T16:00:00.000000Z"), (.date(9.9e10), "5138-03-10T08:00:00.000000Z"),
            (.date(.nan), "nan s after 2001-01-01"),
            (.uuid(id), "ab000000-0000-0000-0000-000000000001"), (.decimal128(Decimal128(3)), "3"),
            (.link(ObjectAddress("Person", .string("ada"))), "Person/ada"),
            (.anyLink(ObjectAddress("Person", .null)), "Person/null"),
            (.life(Life(.sample(255), .embedded)), "embedded \(ElementID.sample(255))"),
        ]
    )
    func values(_ value: CellValue, _ words: String) {
        #expect("\(value)" == words)
    }

    @Test("an operation says which object and what")
    func operation() {
        let person = ObjectAddress("Person", .int(7))
        #expect("\(person.set("name", .string("Ada")))" == "Person/7 set name = \"Ada\"")
        #expect("\(person.create(["a": .null]))" == "Person/7 create [a: null]")
        #expect(
            "\(ChangeOperation(person, .create(given: [:], defaults: ["a": .int(1)])))"
                == "Person/7 create [] defaults [a: 1]"
        )
        #expect("\(ObjectAddress("Pet", .uuid(Self.id)))" == "Pet/ab000000-0000-0000-0000-000000000001")
    }
}

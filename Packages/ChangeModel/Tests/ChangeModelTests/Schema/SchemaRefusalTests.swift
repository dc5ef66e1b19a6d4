import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Operations that do not fit a schema")
struct SchemaRefusalTests {
    private static let life = CellPath.Step.life(.sample(5))
    private static let address = CellPath("address").appending(life)
    private static let home = CellPath("homes").appending(.element(.sample(1))).appending(life)
    private static let nested = CellPath("any").appending(life)
    private static let pet = ObjectAddress("Pet", .string("x"))
    private static let embedded = CellValue.life(Life(.sample(6), .embedded))

    @Test(
        "what fits is not refused",
        arguments: [
            person.create(["name": "a", "age": .null], defaults: ["any": 1]), person.delete(), person.set("name", "a"),
            person.set("age", .null), person.add(1, to: "age"), person.set("any", .anyLink(pet)),
            person.set("friend", .link(other)), person.insert(1, .link(other), into: "people"),
            person.insert(1, embedded, into: "homes"), person.set(home.appending(.property("city")), "x"),
            person.set(address.appending(.property("city")), .null),
            person.insert(1, "x", into: address.appending(.property("lines"))),
            person.insert(1, 1, into: nested), person.set(nested.appending(.key("k")), "x"),
            ChangeOperation(person, .embeddedNew("address", .sample(5), ["city": "x"])),
            ChangeOperation(person, .collectionNew("any", Life(.sample(5), .list))),
            ChangeOperation(person, .setInsert("tags", "x")), ChangeOperation(person, .mapSet("map", "k", .null)),
            ChangeOperation(person, .clear("map")), ChangeOperation(pet, .create(given: [:], defaults: [:])),
        ]
    )
    func fits(operation: ChangeOperation) {
        #expect(SyncSchema.sample.refusal(of: operation) == nil)
    }

    @Test(
        "what does not fit is refused",
        arguments: [
            // Classes and keys.
            ChangeOperation(ObjectAddress("Cat", .int(1)), .delete),
            ChangeOperation(ObjectAddress("Address", .int(1)), .delete),
            ChangeOperation(ObjectAddress("Person", .string("1")), .delete),
            ChangeOperation(ObjectAddress("Person", .null), .delete), person.set("_id", 2), person.create(["_id": 1]),
            // Properties and their values.
            person.set("shoe", 1), person.set("name", 1), person.set("name", .null), person.create(["name": .null]),
            person.add(1, to: "name"), person.set("friend", .link(pet)),
            person.set("any", .anyLink(ObjectAddress("Cat", .int(1)))), person.set("any", .link(pet)),
            person.set("friend", 1),
            person.set("any", .life(Life(.sample(5), .list))), person.create(["people": .null]),
            // Collections.
            person.insert(1, .null, into: "people"), person.insert(1, "x", into: "tags"),
            ChangeOperation(person, .setInsert("tags", 1)), ChangeOperation(person, .setInsert("people", .link(other))),
            ChangeOperation(person, .mapSet("map", "k", "x")), ChangeOperation(person, .clear("name")),
            ChangeOperation(person, .setInsert(nested, 1)), person.set("people", .null),
            // What lies in others.
            person.set(address.appending(.property("street")), "x"),
            person.set(address.appending(.property("city")), 1),
            person.set(CellPath("name").appending(life).appending(.property("city")), "x"),
            person.insert(1, 1, into: address.appending(.property("lines"))),
            ChangeOperation(person, .embeddedNew("name", .sample(5), [:])),
            ChangeOperation(person, .embeddedNew("address", .sample(5), ["city": 1])),
            ChangeOperation(person, .collectionNew("address", Life(.sample(5), .list))),
        ]
    )
    func refused(operation: ChangeOperation) {
        #expect(SyncSchema.sample.refusal(of: operation) == .schema)
    }

    @Test("a key or a value above the limits is too large")
    func tooLarge() {
        let long = ExactText(String(repeating: "x", count: ChangeLimits.keyBytes + 1))

        #expect(
            SyncSchema.sample.refusal(of: ChangeOperation(ObjectAddress("Pet", .string(long)), .delete)) == .tooLarge
        )
        #expect(SyncSchema.sample.refusal(of: ChangeOperation(person, .mapSet("map", long, 1))) == .tooLarge)
        let data = [UInt8](repeating: 0, count: ChangeLimits.valueBytes + 1)
        #expect(SyncSchema.sample.refusal(of: person.set("any", .data(data))) == .tooLarge)
    }
}

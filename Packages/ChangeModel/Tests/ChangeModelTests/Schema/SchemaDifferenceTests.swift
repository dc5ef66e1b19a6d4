import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Differences of schemas")
struct SchemaDifferenceTests {
    private static let key: [ExactText: SyncSchema.Property] = ["_id": .init(.int)]

    /// A class with a key and more.
    private func person(_ properties: [ExactText: SyncSchema.Property] = [:]) -> SyncSchema.Class {
        SyncSchema.Class("Person", key: "_id", properties: Self.key.merging(properties, uniquingKeysWith: { $1 }))
    }

    @Test("a program with a new property and one without it keep working, and what is new is added")
    func additive() throws {
        let old = SyncSchema([person(["name": .init(.string)])])
        let new = SyncSchema([person(["name": .init(.string), "age": .init(.int)])])

        let difference = SchemaDifference(from: old, to: new)

        #expect(difference.isAdditive)
        #expect(difference.properties == ["Person.age"])
        #expect(difference.union == new)
        #expect(SchemaDifference(from: new, to: old).isEmpty)
        #expect(SchemaDifference(from: new, to: old).union == new)
    }

    @Test("S24: two devices that add the same new class do not contradict each other")
    func sameClass() throws {
        let client = SyncSchema([person(["age": .init(.int)])])

        let first = try SchemaDifference(from: SyncSchema(), to: client).accepted(isExtending: true)
        let second = try SchemaDifference(from: first, to: client).accepted(isExtending: true)

        #expect(first == client)
        #expect(second == client)
    }

    @Test("S24: the second of two devices that add a class with another type of a property is refused")
    func sameClassOtherType() throws {
        let client = SyncSchema([person(["age": .init(.int)])])
        let other = SyncSchema([person(["age": .init(.string), "name": .init(.string)])])

        let first = try SchemaDifference(from: SyncSchema(), to: client).accepted(isExtending: true)

        #expect(
            throws: ChangeModelError.failed(
                .invalidSchemaChange(["The property Person.age is of type int, and not of type string."])
            )
        ) { try SchemaDifference(from: first, to: other).accepted(isExtending: true) }
    }

    @Test("in development a schema is extended by its clients, else a sentence says what the server lacks")
    func development() throws {
        let pet = SyncSchema.Class("Pet", key: "_id", properties: Self.key)
        let client = SyncSchema([person(["age": .init(.int)]), pet])
        let difference = SchemaDifference(from: SyncSchema([person()]), to: client)

        #expect(try difference.accepted(isExtending: true) == client)
        #expect(
            throws: ChangeModelError.failed(
                .invalidSchemaChange([
                    "The server has no class Pet.", "The server has no property Person.age.",
                    "An administrator adds what is missing, or Development Mode does.",
                ])
            )
        ) { try difference.accepted(isExtending: false) }
    }

    @Test(
        "another kind, optionality, collection or target of a property contradicts",
        arguments: [
            (.init(.string), "string"), (.init(.int, isOptional: true), "int?"), (.init(.int, .list), "list of int"),
            (.init(.link, isOptional: true, target: "Person"), "Person?"),
        ] as [(SyncSchema.Property, String)]
    )
    func contradiction(property: SyncSchema.Property, words: String) {
        let difference = SchemaDifference(
            from: SyncSchema([person(["age": .init(.int)])]),
            to: SyncSchema([person(["age": property])])
        )

        #expect(
            difference.contradictions == ["The property Person.age is of type int, and not of type \(words)."]
        )
        #expect(difference.union == SyncSchema([person(["age": .init(.int)])]))
        #expect(throws: ChangeModelError.self) { try difference.accepted(isExtending: true) }
    }

    @Test("another key or nature of a class contradicts, and what no schema may have does, too")
    func classes() {
        let embedded = SyncSchema.Class("Person", key: nil, isEmbedded: true, properties: Self.key)
        let keyless = SyncSchema.Class("Pet", key: nil, properties: [:])
        let lost = SyncSchema([person(["pet": .init(.link, isOptional: true, target: "Pet")])])

        #expect(
            SchemaDifference(from: SyncSchema([person()]), to: SyncSchema([embedded])).contradictions == [
                "The primary key of Person is _id, and not none.",
                "The class Person is a class of its own objects, and not embedded.",
            ]
        )
        #expect(
            SchemaDifference(from: SyncSchema(), to: SyncSchema([keyless])).contradictions
                == ["The class Pet has no primary key _id of a type that syncs."]
        )
        #expect(
            SchemaDifference(from: SyncSchema(), to: lost).contradictions
                == ["The property Person.pet leads to no class that it may lead to."]
        )
    }

    @Test("an answer tells of a hundred differences at most", arguments: [100, 101, 5000])
    func many(count: Int) throws {
        func person(_ kind: PropertyShape.Kind) -> SyncSchema {
            let properties = (0..<count).map { (ExactText("p\($0)"), SyncSchema.Property(kind)) }
            return SyncSchema([self.person(Dictionary(uniqueKeysWithValues: properties))])
        }
        let error = #expect(throws: ChangeModelError.self) {
            try SchemaDifference(from: person(.int), to: person(.bool)).accepted(isExtending: true)
        }
        guard case .failed(.invalidSchemaChange(let sentences))? = error else {
            Issue.record("The error is another one.")
            return
        }

        #expect(sentences.count == 100)
        #expect((sentences.last == "And \(count - 99) more.") == (count > 100))
    }
}

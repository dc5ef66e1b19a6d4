import EventModel
import EventSerialization
import EventSerializationTesting
import Testing

/// An object of a class whose JSON is what its property `text` says.
func custom(_ text: String, version: UInt64 = 1) -> ObjectSnapshot {
    .sample(CustomPayloadTests.shape, version: version, ["text": .string(text)])
}

/// Classes that make their JSON themselves, in each place where an object can be.
@Suite("Custom representation")
struct CustomPayloadTests {
    static let shape = ClassShape(
        name: "Custom",
        properties: [PropertyShape(name: "text", kind: .string)],
        representation: { $0.snapshot.string(0) }
    )
    private static let embeddedShape = ClassShape(
        name: "Part",
        properties: [PropertyShape(name: "text", kind: .string)],
        isEmbedded: true,
        representation: { "[\"\($0.snapshot.string(0))\"]" }
    )

    private struct Refusal: Error {}

    @Test("4.6: reads, insertions and deletions have it in place of the object")
    func places() throws {
        let changes = ClassChanges(
            shape: Self.shape,
            insertions: [custom("[1]"), custom("2")],
            deletions: [custom(#"{"a": null}"#)]
        )

        #expect(
            try readText([ReadObject(snapshot: custom("{}")), ReadObject(snapshot: custom(" 1 "))], type: "Custom")
                == #"{"type":"Custom","value":[{},1]}"#
        )
        #expect(try writeText([changes]) == #"{"Custom":{"deletions":[{"a":null}],"insertions":[[1],2]}}"#)
    }

    static let changes: [(before: String, after: String, newValue: String)] = [
        (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, #"{"b":3}"#), (#"{"a":1,"b":2}"#, #"{ "b":2, "a":1 }"#, "{}"),
        (#"{"a":1,"b":2}"#, #"{"b":2}"#, #"{"a":null}"#), (#"{"a":1,"c":2}"#, #"{"a":1}"#, #"{"c":null}"#),
        (#"{"b":1}"#, #"{"a":1,"b":1,"c":1}"#, #"{"a":1,"c":1}"#),
        (#"{"a":1,"c":1,"e":1}"#, #"{"b":2,"d":2}"#, #"{"a":null,"b":2,"c":null,"d":2,"e":null}"#),
        (#"{"a":{"x":1,"y":2}}"#, #"{"a":{"y":2,"x":1}}"#, "{}"),
        (#"{"a":{"x":1,"y":2}}"#, #"{"a":{"y":2,"x":2}}"#, #"{"a":{"x":2,"y":2}}"#),
        (#"{"a":1}"#, #"{"a":1.0}"#, #"{"a":1.0}"#), ("{}", "{}", "{}"), ("[1]", "[1,2]", "[1,2]"),
        ("[1]", "[1]", "[1]"), (#""x""#, #""y""#, #""y""#), (#"{"a":1}"#, "3", "3"), ("3", #"{"a":1}"#, #"{"a":1}"#),
        (#"{"a\"b":1}"#, #"{}"#, #"{"a\"b":null}"#),
    ]

    @Test(
        "4.6: newValue has the top-level keys that differ, or the whole value when it is no object",
        arguments: changes
    )
    func modifications(change: (before: String, after: String, newValue: String)) throws {
        let modification = Modification(before: custom(change.before), after: custom(change.after, version: 2))

        #expect(try newValueText(modification) == change.newValue)
    }

    @Test("4.6: oldValue is the whole value before, and an embedded object still names its parent")
    func oldValue() throws {
        let modification = Modification(
            before: .sample(Self.embeddedShape, ["text": .string("a")]),
            after: .sample(Self.embeddedShape, version: 2, ["text": .string("b")]),
            parent: ObjectReference(className: "Custom", key: 1, primaryKey: .int(9))
        )

        #expect(
            try writeText([ClassChanges(shape: Self.embeddedShape, modifications: [modification])])
                == #"{"Part":{"modifications":[{"newValue":["b"],"oldValue":["a"],"parent":{"key":9,"type":"Custom"}}]}}"#
        )
    }

    @Test("4.6: an embedded object has it wherever its parent holds it")
    func embedded() throws {
        let part = Value.object(.sample(Self.embeddedShape, key: 0, ["text": .string("x")]))
        let collections: [(String, PropertyShape.Collection, Value)] = [
            ("one", .none, part), ("list", .list, .list([part, part])), ("map", .dictionary, .dictionary(["k": part])),
        ]
        let parent = ClassShape(
            name: "Holder",
            properties: collections.map { name, collection, _ in
                PropertyShape(
                    name: name,
                    kind: .embedded,
                    collection: collection,
                    isOptional: true,
                    embeddedShape: Self.embeddedShape
                )
            }
        )
        let values = Dictionary(uniqueKeysWithValues: collections.map { ($0.0, $0.2) })

        #expect(
            try objectText(.sample(parent, values)) == #"{"list":[["x"],["x"]],"map":{"k":["x"]},"one":["x"]}"#
        )
    }

    @Test("4.6: a followed object has it in its parent; the primary key of one that was not followed stays")
    func followed() throws {
        let link = Value.link(ObjectReference(className: "Custom", key: 4, primaryKey: .int(40)))
        let parent = ObjectSnapshot.sample(.sampleHolder(of: .link), ["single": link])
        let target = ObjectSnapshot.sample(Self.shape, key: 4, ["text": .string(#"{"full": true}"#)])
        let read = ReadObject.sample(parent, following: ["single": [ReadObject(snapshot: target)]])

        #expect(
            try readText([read])
                == #"{"type":"Holder","value":[{"list":[],"map":{},"set":[],"single":{"full":true}}]}"#
        )
        #expect(try objectText(parent) == #"{"list":[],"map":{},"set":[],"single":40}"#)
    }

    @Test("the class sees which links were followed from the object")
    func followedFromCustom() throws {
        let shape = ClassShape(
            name: "Holder",
            properties: [PropertyShape(name: "link", kind: .link, isOptional: true, targetClass: "Custom")],
            representation: { read in
                read.followed.first?.targets[4].map { "{\"seen\":\($0.snapshot.string(0))}" } ?? "{}"
            }
        )
        let link = Value.link(ObjectReference(className: "Custom", key: 4, primaryKey: .int(40)))
        let target = ObjectSnapshot.sample(Self.shape, key: 4, ["text": .string("7")])
        let read = ReadObject.sample(
            .sample(shape, ["link": link]),
            following: ["link": [ReadObject(snapshot: target)]]
        )

        #expect(try readText([read]) == #"{"type":"Holder","value":[{"seen":7}]}"#)
    }

    @Test("an error of the class names it and keeps the cause; nothing is appended")
    func failing() throws {
        let shape = ClassShape(name: "Bad", properties: [], representation: { _ in throw Refusal() })
        let snapshot = ObjectSnapshot.sample(shape, [:])
        let modification = Modification(before: snapshot, after: snapshot)
        var bytes: [UInt8] = [7]

        let error = try #require(throws: SerializationError.self) {
            try JSONSnapshotEncoder().appendRead(type: "Bad", objects: [ReadObject(snapshot: snapshot)], to: &bytes)
        }
        guard case .representationFailed(className: "Bad", let cause) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(cause is Refusal)
        #expect(error.description.contains("'Bad'") && error.description.contains("'Refusal'"))
        #expect(bytes == [7])
        #expect(throws: error) { try writeText([ClassChanges(shape: shape, modifications: [modification])]) }
    }
}

import EventModel
import EventSerializationTesting
import Testing

@Suite("The representation of data")
struct DataRepresentationTests {
    private static let one = "\"4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a\""
    private static let none = "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\""

    struct Case: CustomTestStringConvertible {
        let representation: DataRepresentation
        let bytes: [UInt8]
        let text: String

        init(_ representation: DataRepresentation, _ bytes: [UInt8], _ text: String) {
            self.representation = representation
            self.bytes = bytes
            self.text = text
        }

        var testDescription: String { "\(representation) \(bytes.count)" }
    }

    static let cases: [Case] = [
        Case(.sha256, [1], one), Case(.sha256, [], none),
        Case(
            .sha256,
            Array("abc".utf8),
            "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\""
        ),
        Case(.base64, [], "\"\""), Case(.base64, Array("f".utf8), "\"Zg==\""),
        Case(.base64, Array("fo".utf8), "\"Zm8=\""), Case(.base64, Array("foo".utf8), "\"Zm9v\""),
        Case(.base64, Array("foob".utf8), "\"Zm9vYg==\""), Case(.base64, [0xFB, 0xFF, 0xFE], "\"+//+\""),
        Case(.base64, [0, 0, 0, 0], "\"AAAAAA==\""), Case(.base64, [255], "\"/w==\""),
    ]

    @Test(
        "a digest or base 64 stands alone, in a list, a set and a map",
        arguments: cases,
        [PropertyShape.Kind.data, .any]
    )
    func everyPlace(sample: Case, kind: PropertyShape.Kind) throws {
        let value = Value.data(sample.bytes)
        let snapshot = ObjectSnapshot.sample(
            .sampleHolder(of: kind),
            [
                "single": value, "list": .list([value, .null]), "set": .list([value]),
                "map": .dictionary(["a": .null, "k": value]),
            ]
        )
        let text = sample.text

        #expect(
            try objectText(snapshot, data: sample.representation)
                == #"{"list":[\#(text),null],"map":{"a":null,"k":\#(text)},"set":[\#(text)],"single":\#(text)}"#
        )
    }

    @Test("data inside nested lists and dictionaries is shown, too", arguments: cases)
    func nested(sample: Case) throws {
        let value = Value.list([.dictionary(["k": .data(sample.bytes)]), .data(sample.bytes)])
        let snapshot = ObjectSnapshot.sample(.sampleHolder(of: .any), ["single": value])
        let text = sample.text

        #expect(
            try objectText(snapshot, data: sample.representation)
                == #"{"list":[],"map":{},"set":[],"single":[{"k":\#(text)},\#(text)]}"#
        )
    }

    @Test(
        "data of an embedded object is shown as that of any other",
        arguments: [
            (.excluded, "{}"), (.sha256, #"{"bytes":\#(one)}"#), (.base64, #"{"bytes":"AQ=="}"#),
        ] as [(DataRepresentation, String)]
    )
    func embedded(representation: DataRepresentation, text: String) throws {
        let photo = ClassShape(name: "Photo", properties: [PropertyShape(name: "bytes", kind: .data)], isEmbedded: true)
        let shape = ClassShape(
            name: "Holder",
            properties: [
                PropertyShape(name: "one", kind: .embedded, isOptional: true, embeddedShape: photo),
                PropertyShape(name: "many", kind: .embedded, collection: .list, embeddedShape: photo),
            ]
        )
        let value = Value.object(.sample(photo, key: 0, ["bytes": .data([1])]))
        let snapshot = ObjectSnapshot.sample(shape, ["one": value, "many": .list([value])])

        #expect(try objectText(snapshot, data: representation) == #"{"many":[\#(text)],"one":\#(text)}"#)
    }

    @Test("null is null in every representation", arguments: DataRepresentation.allCases)
    func null(representation: DataRepresentation) throws {
        let snapshot = ObjectSnapshot.sample(.sampleHolder(of: .data), ["list": .list([.null])])

        #expect(
            try objectText(snapshot, data: representation) == #"{"list":[null],"map":{},"set":[],"single":null}"#
        )
    }

    @Test(
        "data that changed is in newValue: null when it is excluded, else as it is shown",
        arguments: [PropertyShape.Kind.data, .any]
    )
    func changes(kind: PropertyShape.Kind) throws {
        let (old, new) = (Value.data([0]), Value.data([1]))

        #expect(try newValueText(kind, "single", old, new) == #"{"single":null}"#)
        #expect(try newValueText(kind, "single", old, new, data: .sha256) == #"{"single":\#(Self.one)}"#)
        #expect(try newValueText(kind, "single", old, new, data: .base64) == #"{"single":"AQ=="}"#)
        #expect(try newValueText(kind, "single", old, .null, data: .base64) == #"{"single":null}"#)
        #expect(try newValueText(kind, "single", .null, new, data: .base64) == #"{"single":"AQ=="}"#)
        #expect(try newValueText(kind, "list", .list([old]), .list([new])) == #"{"list":[null]}"#)
        #expect(try newValueText(kind, "list", .list([old]), .list([new]), data: .base64) == #"{"list":["AQ=="]}"#)
        #expect(
            try newValueText(kind, "map", .dictionary(["k": old]), .dictionary(["k": new]), data: .base64)
                == #"{"map":{"k":"AQ=="}}"#
        )
        for representation in DataRepresentation.allCases {
            #expect(try newValueText(kind, "single", new, new, data: representation) == "{}")
        }
    }

    @Test("oldValue shows data as it was, or leaves its key out")
    func oldValues() throws {
        let shape = ClassShape(name: "Photo", properties: [PropertyShape(name: "bytes", kind: .data)])
        let modification = Modification(
            before: .sample(shape, ["bytes": .data([0])]),
            after: .sample(shape, version: 2, ["bytes": .data([1])])
        )
        let changes = [ClassChanges(shape: shape, modifications: [modification])]

        #expect(
            try writeText(changes) == #"{"Photo":{"modifications":[{"newValue":{"bytes":null},"oldValue":{}}]}}"#
        )
        #expect(
            try writeText(changes, data: .base64)
                == #"{"Photo":{"modifications":[{"newValue":{"bytes":"AQ=="},"oldValue":{"bytes":"AA=="}}]}}"#
        )
    }
}

import EventModel
import EventSerialization
import EventSerializationTesting
import Testing

@Suite("Payloads")
struct PayloadTests {
    @Test("a read of a person is the text of the Event Library's documentation")
    func documentedRead() throws {
        #expect(
            try readText([ReadObject(snapshot: .samplePerson())], type: "Person") == """
                {"type":"Person","value":[{"_id":"62b38b3c10846041166f5deb","_partition":"","employeeId":2,\
                "name":"Anthony","userId":null}]}
                """
        )
    }

    @Test("a changed name is the text of the Event Library's documentation")
    func documentedWrite() throws {
        let modification = Modification(
            before: .samplePerson(),
            after: .samplePerson(version: 2, name: "Tony")
        )

        #expect(
            try writeText([ClassChanges(shape: .samplePerson, modifications: [modification])]) == """
                {"Person":{"modifications":[{"newValue":{"name":"Tony"},\
                "oldValue":{"_id":"62b38b3c10846041166f5deb","_partition":"","employeeId":2,"name":"Anthony",\
                "userId":null}}]}}
                """
        )
    }

    @Test(
        "a search that found nothing has its class and what was asked for, without what was not",
        arguments: [
            (SearchTerms(), "{}"),
            (SearchTerms(predicate: "name == \"Ann\\n\""), #"{"predicate":"name == \"Ann\\n\""}"#),
            (
                SearchTerms(
                    predicate: "a == 1",
                    sort: [.init("name"), .init("a.b", ascending: false)],
                    collection: "P.q"
                ),
                #"{"collection":"P.q","predicate":"a == 1","sort":"#
                    + #"[{"ascending":true,"keyPath":"name"},{"ascending":false,"keyPath":"a.b"}]}"#
            ),
        ]
    )
    func search(terms: SearchTerms, expected: String) throws {
        var bytes = Array("before ".utf8)

        try JSONSnapshotEncoder().appendSearch(type: "Person", terms: terms, to: &bytes)

        #expect(String(decoding: bytes, as: UTF8.self) == #"before {"type":"Person","value":[],"where":\#(expected)}"#)
    }

    @Test("the objects of a read keep their order")
    func order() throws {
        let objects = ["b", "a", "c"].map { ReadObject(snapshot: .sampleAddress(city: $0)) }

        #expect(
            try readText(objects, type: "Address") == """
                {"type":"Address","value":[{"city":"b","street":null},{"city":"a","street":null},\
                {"city":"c","street":null}]}
                """
        )
        #expect(try readText([], type: "Address") == #"{"type":"Address","value":[]}"#)
    }

    @Test("a write names each class with what it has of deletions, insertions and modifications, all sorted")
    func allChanges() throws {
        let zebra = ClassShape(name: "Zebra", properties: [PropertyShape(name: "n", kind: .int)])
        let animal = ClassShape(name: "Animal", properties: [PropertyShape(name: "n", kind: .int)])
        let none = ClassShape(name: "None", properties: [PropertyShape(name: "n", kind: .int)])
        let two = ObjectSnapshot.sample(animal, ["n": .int(2)])

        #expect(
            try writeText([
                ClassChanges(shape: zebra, insertions: [.sample(zebra, ["n": .int(1)])]),
                ClassChanges(shape: none),
                ClassChanges(
                    shape: animal,
                    insertions: [.sample(animal, ["n": .int(1)]), two],
                    deletions: [.sample(animal, ["n": .int(3)])],
                    modifications: [Modification(before: two, after: .sample(animal, ["n": .int(4)]))]
                ),
            ]) == """
                {"Animal":{"deletions":[{"n":3}],"insertions":[{"n":1},{"n":2}],\
                "modifications":[{"newValue":{"n":4},"oldValue":{"n":2}}]},"Zebra":{"insertions":[{"n":1}]}}
                """
        )
        #expect(try writeText([]) == "{}")
    }

    @Test("a modification of an embedded object names its parent")
    func parent() throws {
        let modification = Modification(
            before: .sampleAddress(city: "Bern"),
            after: .sampleAddress(city: "Basel"),
            parent: ObjectReference(className: "Person", key: 5, primaryKey: .int(77))
        )

        #expect(
            try writeText([ClassChanges(shape: .sampleAddress, modifications: [modification])]) == """
                {"Address":{"modifications":[{"newValue":{"city":"Basel"},"oldValue":{"city":"Bern","street":null},\
                "parent":{"key":77,"type":"Person"}}]}}
                """
        )
    }

    @Test(
        "a parent is named by its primary key, or by its row when it has none",
        arguments: [
            (.string("k\"1"), #""k\"1""#),
            (.objectId(ObjectId("62b38b3c10846041166f5deb")), #""62b38b3c10846041166f5deb""#),
            (.null, "5"),
        ] as [(Value, String)]
    )
    func parentKey(key: Value, expected: String) throws {
        let modification = Modification(
            before: .sampleAddress(),
            after: .sampleAddress(),
            parent: ObjectReference(className: "Person", key: 5, primaryKey: key)
        )

        #expect(
            try writeText([ClassChanges(shape: .sampleAddress, modifications: [modification])])
                .contains(
                    #""newValue":{},"oldValue":{"city":"Bern","street":null},"parent":{"key":\#(expected),"type":"Person"}"#
                )
        )
    }

    @Test("an empty object, and one of data alone, is a pair of braces")
    func emptyObjects() throws {
        let empty = ClassShape(name: "Empty", properties: [])
        let photo = ClassShape(name: "Photo", properties: [PropertyShape(name: "data", kind: .data)])

        #expect(try objectText(.sample(empty, [:])) == "{}")
        #expect(try objectText(.sample(photo, ["data": .data([1])])) == "{}")
    }

    @Test("keys are the stored names, escaped and sorted by bytes")
    func names() throws {
        let shape = ClassShape(
            name: "Holder",
            properties: [
                PropertyShape(name: "swift", columnName: "é", kind: .int),
                PropertyShape(name: "b", kind: .int),
                PropertyShape(name: "a", columnName: "z\"", kind: .int),
                PropertyShape(name: "B", kind: .int),
            ]
        )
        let snapshot = ObjectSnapshot.sample(
            shape,
            ["swift": .int(1), "b": .int(2), "a": .int(3), "B": .int(4)]
        )

        #expect(try objectText(snapshot) == #"{"B":4,"b":2,"z\"":3,"é":1}"#)
    }

    @Test("text that is not UTF-8 is an error, and nothing is appended")
    func invalidText() throws {
        let shape = ClassShape(name: "Person", properties: [PropertyShape(name: "name", kind: .string)])
        for bad in [
            [0xFF], [0x61, 0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
        ] {
            var writer = SnapshotWriter(shape: shape)
            writer.begin(key: 1, version: 1, whole: true)
            bad.map(UInt8.init).withUnsafeBytes { writer.setBytes(0, $0) }
            let object = ReadObject(snapshot: writer.finish())
            var bytes: [UInt8] = [1, 2]

            #expect(throws: SerializationError.invalidText(className: "Person", property: "name")) {
                try JSONSnapshotEncoder().appendRead(type: "Person", objects: [object], to: &bytes)
            }
            #expect(bytes == [1, 2])
        }
    }

    @Test("a flat snapshot of a class with collections is an error, of one without it is written")
    func flatSnapshots() throws {
        let flat = ObjectSnapshot.sample(.sampleHolder(of: .int), isWhole: false, [:])

        let error = try #require(throws: SerializationError.self) { try objectText(flat) }
        #expect(error == .incompleteSnapshot(className: "Holder"))
        #expect(error.description.contains("'Holder'"))
        #expect(try objectText(.sample(.sampleAddress, isWhole: false, [:])) == #"{"city":null,"street":null}"#)
    }

    @Test("payloads are appended to what is there")
    func appending() throws {
        let encoder = JSONSnapshotEncoder()
        var bytes = Array("x".utf8)
        try encoder.appendRead(type: "A", objects: [], to: &bytes)
        try encoder.appendWrite(CommitChanges(versionBefore: 1, versionAfter: 2, classes: []), to: &bytes)

        #expect(String(decoding: bytes, as: UTF8.self) == #"x{"type":"A","value":[]}{}"#)
    }
}

import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Schemas")
struct SyncSchemaTests {
    @Test("the bytes of a schema are these")
    func golden() {
        let schema = SyncSchema([
            SyncSchema.Class(
                "Dog",
                key: "_id",
                properties: ["owner": SyncSchema.Property(.link, .list, target: "P"), "_id": SyncSchema.Property(.int)]
            ),
            SyncSchema.Class("Box", key: nil, isEmbedded: true, properties: ["n": .init(.double, isOptional: true)]),
        ])

        let expected: [[UInt8]] = [
            Array("DAYSCHM1".utf8), [2],
            [3], Array("Box".utf8), [1, 1, 1], Array("n".utf8), [3, 0, 1],
            [3], Array("Dog".utf8), [4, 3], Array("_id".utf8), [2, 3], Array("_id".utf8), [0, 0, 0],
            [5], Array("owner".utf8), [11, 1, 2, 1], Array("P".utf8),
        ]
        #expect(schema.encoded == expected.flatMap(\.self))
        #expect(schema.hash(Digest.mixing) == Digest.mixing(schema.encoded))
    }

    @Test("a schema is read again, and its hash does not depend on the order of declaration")
    func roundTrip() throws {
        let classes = Array(SyncSchema.sample.classes.values)

        #expect(try SyncSchema(bytes: SyncSchema.sample.encoded) == .sample)
        #expect(SyncSchema(classes.reversed()).encoded == SyncSchema.sample.encoded)
    }

    @Test("bytes that are cut are an error, and those that were changed one or the only form of another schema")
    func fuzz() {
        let bytes = SyncSchema.sample.encoded
        var random = SeededGenerator(seed: 9)
        for count in bytes.indices {
            #expect(throws: ChangeModelError.self) { try SyncSchema(bytes: Array(bytes.prefix(count))) }
        }
        for _ in 0..<RandomRuns.mutants {
            var mutant = bytes
            mutant[random.below(mutant.count)] ^= 1 << UInt8(random.below(8))
            do {
                let schema = try SyncSchema(bytes: mutant)
                #expect(schema.encoded == mutant)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test("people read and hand over a schema as JSON, in one order, and what stands for itself is left out")
    func json() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let written = try encoder.encode(SyncSchema.sample)
        let box =
            #"{"classes":[{"name":"Box","kind":"embedded","properties":[{"name":"n","type":"double","optional":true}]}]}"#
        let pet = #"{"classes":[{"name":"Pet","key":"_id","properties":[{"name":"_id","type":"string"}]}]}"#

        #expect(try JSONDecoder().decode(SyncSchema.self, from: written) == .sample)
        #expect(try encoder.encode(SyncSchema(Array(SyncSchema.sample.classes.values.reversed()))) == written)
        #expect(
            try JSONDecoder().decode(SyncSchema.self, from: Data(box.utf8))
                == SyncSchema([
                    .init("Box", key: nil, isEmbedded: true, properties: ["n": .init(.double, isOptional: true)])
                ])
        )
        #expect(
            try JSONDecoder().decode(SyncSchema.self, from: Data(pet.utf8))
                == SyncSchema([.init("Pet", key: "_id", properties: ["_id": .init(.string)])])
        )
    }

    @Test(
        "JSON with something twice, or with words that are none, is an error that says where",
        arguments: [
            (#"{"classes":[{"name":"A","properties":[]},{"name":"A","properties":[]}]}"#, "the class A is there twice"),
            (
                #"{"classes":[{"name":"A","properties":[{"name":"n","type":"int"},{"name":"n","type":"int"}]}]}"#,
                "the property A.n is there twice"
            ),
            (
                #"{"classes":[{"name":"A","properties":[{"name":"n","type":"int","collection":"bag"}]}]}"#,
                "the words are none, list, set, dictionary"
            ),
            (
                #"{"classes":[{"name":"A","properties":[{"name":"n","type":"number"}]}]}"#,
                "the words are int, bool, float, double, string, data, date, objectId, uuid, decimal128, any, link, embedded"
            ),
        ]
    )
    func badJSON(text: String, reason: String) {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(SyncSchema.self, from: Data(text.utf8))
        }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("The error is another one.")
            return
        }
        #expect(context.debugDescription == reason)
    }

    @Test("more classes than a schema may have are not read")
    func limit() {
        let bytes = Array("DAYSCHM1".utf8) + [0xF5, 0x03] + [UInt8](repeating: 0, count: 600)

        #expect(throws: ChangeModelError.tooMany(count: 501, limit: 500)) { try SyncSchema(bytes: bytes) }
    }
}

extension SyncSchema {
    /// A schema with a property of every kind that the tests look at.
    static let sample = SyncSchema([
        Class(
            "Person",
            key: "_id",
            properties: [
                "_id": Property(.int), "name": Property(.string), "age": Property(.int, isOptional: true),
                "any": Property(.any, isOptional: true), "friend": Property(.link, isOptional: true, target: "Person"),
                "people": Property(.link, .list, target: "Person"), "tags": Property(.string, .set),
                "map": Property(.int, .dictionary, isOptional: true),
                "address": Property(.embedded, isOptional: true, target: "Address"),
                "homes": Property(.embedded, .list, target: "Address"),
            ]
        ),
        Class("Pet", key: "_id", properties: ["_id": Property(.string)]),
        Class(
            "Reading",
            key: "_id",
            isAsymmetric: true,
            properties: [
                "_id": Property(.objectId), "flag": Property(.bool), "text": Property(.string, isOptional: true),
                "count": Property(.int), "rate": Property(.double), "at": Property(.date),
                "price": Property(.decimal128),
                "bytes": Property(.data), "device": Property(.uuid),
                "home": Property(.embedded, isOptional: true, target: "Address"),
                "marks": Property(.int, .list), "tags": Property(.string, .set),
                "map": Property(.int, .dictionary, isOptional: true),
            ]
        ),
        Class(
            "Address",
            key: nil,
            isEmbedded: true,
            properties: ["city": Property(.string, isOptional: true), "lines": Property(.string, .list)]
        ),
    ])
}

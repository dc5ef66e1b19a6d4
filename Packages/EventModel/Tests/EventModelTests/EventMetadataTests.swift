import EventModel
import Testing

/// The rules of spec 1.3 for metadata; lengths are bytes of UTF-8, never characters.
@Suite("Metadata of events")
struct EventMetadataTests {
    static let accepted = [
        "k", " ", "user name", "Activity", "DATA", "_ID", "event ", "timestamps", "_partition_", "ключ", "🩺", "\u{85}",
        "a\u{2028}b", "a/b\\c", "..", "$where", "a.b", String(repeating: "k", count: 63),
        String(repeating: "é", count: 31) + "k", String(repeating: "語", count: 21),
        String(repeating: "🩺", count: 15) + "abc",
    ]

    @Test("1.3: keys of 1 to 63 bytes are taken as they are", arguments: accepted)
    func acceptedKeys(key: String) throws {
        let metadata = try EventMetadata([key: "value"])

        #expect(metadata.entries.map(\.key) == [key])
        #expect(metadata[key] == "value")
    }

    static let refused: [(key: String, reason: String)] = [
        ("", "a key has 1 to 63 bytes, this one has 0"),
        (String(repeating: "k", count: 64), "a key has 1 to 63 bytes, this one has 64"),
        (String(repeating: "é", count: 32), "a key has 1 to 63 bytes, this one has 64"),
        (String(repeating: "語", count: 22), "a key has 1 to 63 bytes, this one has 66"),
        (String(repeating: "🩺", count: 16), "a key has 1 to 63 bytes, this one has 64"),
        ("\u{0}", "a key has no control characters"), ("a\nb", "a key has no control characters"),
        ("\u{1F}", "a key has no control characters"), ("k\u{7F}", "a key has no control characters"),
        ("_id", "the event has a property of this name"), ("timestamp", "the event has a property of this name"),
        ("activity", "the event has a property of this name"), ("event", "the event has a property of this name"),
        ("data", "the event has a property of this name"), ("_partition", "the event has a property of this name"),
        ("daybook", "the event has a property of this name"),
    ]

    @Test("1.3: keys that are empty, long, reserved or unprintable are refused with the reason", arguments: refused)
    func refusedKeys(sample: (key: String, reason: String)) {
        let error = EventModelError.invalidMetadataKey(sample.key, reason: sample.reason)

        #expect(throws: error) { try EventMetadata([sample.key: "value"]) }
        #expect(throws: error) { try EventMetadata(["a": "1", sample.key: "2", "z": "3"]) }
        #expect(error.description.contains("'\(sample.key)'") && error.description.contains(sample.reason))
    }

    @Test("1.3: values have no rule", arguments: ["", "\u{0}\n", "🩺", String(repeating: "v", count: 100_000)])
    func values(value: String) throws {
        #expect(try EventMetadata(["key": value])["key"] == value)
    }

    @Test("a thousand keys are kept, sorted by their bytes")
    func thousandKeys() throws {
        let keys = (0..<1000).map { "key \($0)" }
        let metadata = try EventMetadata(Dictionary(uniqueKeysWithValues: keys.map { ($0, "of \($0)") }))

        #expect(metadata.entries.map(\.key) == keys.sorted())
        #expect(metadata.entries.allSatisfy { $0.value == "of \($0.key)" })
        #expect(metadata.dictionary.count == 1000)
    }
}

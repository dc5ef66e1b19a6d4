import EventModel
import Testing

@Suite("PartitionID")
struct PartitionIDTests {
    @Test("the text form keeps hyphens of the prefix")
    func textForm() throws {
        let partition = try PartitionID("event--62b38b3c10846041166f5deb")

        #expect(partition.prefix == "event-")
        #expect(partition.value == "event--62b38b3c10846041166f5deb")
    }

    @Test(
        "other texts are refused",
        arguments: ["", "-62b38b3c10846041166f5deb", "events", "events-12", "events-62b38b3c10846041166f5dez"]
    )
    func refusal(text: String) {
        #expect(throws: EventModelError.malformedPartition(text)) { try PartitionID(text) }
    }

    @Test("prefixes that could leave their folder are refused", arguments: ["", "a/b", "a\\b", ".", "..", "a\n"])
    func prefixes(prefix: String) {
        #expect(throws: EventModelError.self) { try PartitionID.checkPrefix(prefix) }
    }

    @Test(
        "1.3: a prefix has 1 to 128 bytes of UTF-8 and may be anything else",
        arguments: [
            "e", "events", "event-", "audit", "\u{600}", "e\u{301}", "...", ".a", "a.b", " ", "-", "ключ", "🩺", "a:b*?",
            "%2F",
            String(repeating: "p", count: 128), String(repeating: "語", count: 42),
        ]
    )
    func acceptedPrefixes(prefix: String) throws {
        try PartitionID.checkPrefix(prefix)

        let id = PartitionID(prefix: prefix, id: ObjectId())
        #expect(try PartitionID(id.value) == id)
    }

    @Test(
        "1.3: a refused prefix is named with the reason",
        arguments: [
            ("", "must not be empty"), ("a/b", "slashes"), ("/", "slashes"), ("..\\..", "slashes"), (".", "folder"),
            ("..", "folder"), ("a\u{0}", "control"), ("\u{1F}", "control"), ("\u{7F}", "control"), ("\n", "control"),
            (String(repeating: "p", count: 129), "128 bytes"), (String(repeating: "語", count: 43), "128 bytes"),
        ]
    )
    func refusedPrefixes(prefix: String, reason: String) throws {
        let error = try #require(throws: EventModelError.self) { try PartitionID.checkPrefix(prefix) }

        #expect(error.description.contains("'\(prefix)'") && error.description.contains(reason))
    }

    @Test("partitions sort by age")
    func order() {
        let old = PartitionID(prefix: "z", id: ObjectId(high: 1, low: 0))
        let young = PartitionID(prefix: "a", id: ObjectId(high: 2, low: 0))

        #expect(old < young)
    }

    @Test("prefixes that mean the same in other bytes are others, in every set and order")
    func otherBytes() {
        let id = ObjectId(high: 1, low: 2)
        let composed = PartitionID(prefix: "caf\u{E9}", id: id)
        let decomposed = PartitionID(prefix: "cafe\u{301}", id: id)

        #expect(composed.prefix == decomposed.prefix, "Swift takes them for equal")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
        #expect([composed: 1, decomposed: 2][decomposed] == 2)
        #expect(decomposed < composed && !(composed < decomposed))
    }

    @Test("a hyphen that is one character with the letter before it is read")
    func joinedHyphen() throws {
        // U+0600 joins with whatever follows it.
        let partition = PartitionID(prefix: "ward\u{600}", id: ObjectId(high: 1, low: 2))

        #expect(try PartitionID(partition.value) == partition)
    }
}

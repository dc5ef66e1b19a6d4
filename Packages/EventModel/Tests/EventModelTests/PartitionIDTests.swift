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

    @Test("partitions sort by age")
    func order() {
        let old = PartitionID(prefix: "z", id: ObjectId(high: 1, low: 0))
        let young = PartitionID(prefix: "a", id: ObjectId(high: 2, low: 0))

        #expect(old < young)
    }
}

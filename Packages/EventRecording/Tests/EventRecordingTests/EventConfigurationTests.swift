import EventModel
import EventModelTesting
import EventRecording
import Testing

@Suite("EventConfiguration")
struct EventConfigurationTests {
    @Test("the defaults are those of the Event Library")
    func defaults() throws {
        let configuration = EventConfiguration()

        try configuration.validate()

        #expect(configuration.metadata == nil)
        #expect(configuration.syncUser == nil)
        #expect(configuration.partitionPrefix == "events")
        #expect(configuration.logger == nil)
        #expect(configuration.errorHandler == nil)
        #expect(!configuration.recordsEmptyQueries)
        #expect(configuration.directory == nil)
    }

    @Test(
        "a prefix that cannot name a folder is refused",
        .tags(.scenario37, .scenario38),
        arguments: ["", "a/b", "a\\b", "..", "a\nb"]
    )
    func prefix(_ prefix: String) {
        let configuration = EventConfiguration(partitionPrefix: prefix)

        #expect(throws: EventModelError.self) { try configuration.validate() }
        #expect(throws: EventModelError.self) { try RecordingFixture(configuration) }
    }

    @Test("the prefix is checked before the metadata")
    func order() {
        let configuration = EventConfiguration(metadata: ["": ""], partitionPrefix: "")

        #expect(throws: EventModelError.invalidPartitionPrefix("", reason: "it must not be empty")) {
            try configuration.validate()
        }
    }

    @Test(
        "a metadata key that is empty, long or reserved is refused",
        .tags(.scenario39, .scenario41),
        arguments: ["", "timestamp"]
    )
    func metadata(key: String) {
        #expect(throws: EventModelError.self) { try EventConfiguration(metadata: [key: "value"]).validate() }
    }
}

import Daybook
import ObjectStoreTesting
import Testing

@Suite("Scenarios: opening with an event configuration")
struct OpeningScenarioTests {
    /// Opens a realm and returns the text of the error.
    private func refusal(_ configuration: EventConfiguration) throws -> String {
        let file = try TemporaryRealm(Record.types) { $0.eventConfiguration = configuration }
        let error = #expect(throws: EventModelError.self) { try file.open() }
        return error?.description ?? ""
    }

    @Test("Scenario 37: an empty prefix makes opening fail and says so", .tags(.scenario37))
    func emptyPrefix() throws {
        let text = "The partition prefix '' cannot be used: it must not be empty."

        #expect(try refusal(EventConfiguration(partitionPrefix: "")) == text)
        // The prefix is looked at before the metadata.
        #expect(try refusal(EventConfiguration(metadata: ["": ""], partitionPrefix: "")) == text)
    }

    @Test(
        "Scenario 38: a prefix with a slash makes opening fail and says so",
        .tags(.scenario38),
        arguments: ["a/b", "a\\b"]
    )
    func slash(prefix: String) throws {
        #expect(
            try refusal(EventConfiguration(partitionPrefix: prefix))
                == "The partition prefix '\(prefix)' cannot be used: it must not contain slashes."
        )
    }

    @Test(
        "prefixes that name a folder above or hold control characters make opening fail",
        arguments: [".", "..", "a\nb"]
    )
    func strangePrefix(prefix: String) throws {
        #expect(try refusal(EventConfiguration(partitionPrefix: prefix)).contains("cannot be used"))
    }

    @Test(
        "a prefix of any other characters is a folder of its own",
        arguments: ["...", "événements", "👩‍⚕️ ward", "event-"]
    )
    func unusualPrefix(prefix: String) throws {
        let recorded = try RecordedRealm(Record.types, EventConfiguration(partitionPrefix: prefix))

        try recorded.recordEvent("event")

        let path = try #require(try PartitionFiles.find(below: recorded.file.folder.path).first)
        #expect(path.hasPrefix("\(recorded.file.folder.path)/realm-audit/local/local/\(prefix)/"))
    }

    @Test("Scenario 39: an empty metadata key makes opening fail with its length", .tags(.scenario39))
    func emptyKey() throws {
        #expect(
            try refusal(EventConfiguration(metadata: ["": "value"]))
                == "The metadata key '' cannot be used: a key has 1 to 63 bytes, this one has 0."
        )
    }

    @Test("Scenario 40: a metadata key of 64 bytes makes opening fail, one of 63 does not", .tags(.scenario40))
    func longKey() throws {
        let key = String(repeating: "k", count: 64)

        #expect(
            try refusal(EventConfiguration(metadata: [key: "value"]))
                == "The metadata key '\(key)' cannot be used: a key has 1 to 63 bytes, this one has 64."
        )
        // Bytes count, not characters.
        #expect(try !refusal(EventConfiguration(metadata: [String(repeating: "é", count: 32): "value"])).isEmpty)
        #expect(throws: Never.self) {
            try RecordedRealm(Record.types, EventConfiguration(metadata: ["\(key.dropLast())": "value"]))
        }
    }

    @Test(
        "Scenario 41: a metadata key that the event has by itself makes opening fail",
        .tags(.scenario41),
        arguments: ["_id", "timestamp", "activity", "event", "data", "_partition"]
    )
    func reservedKey(key: String) throws {
        #expect(
            try refusal(EventConfiguration(metadata: [key: "value"]))
                == "The metadata key '\(key)' cannot be used: the event has a property of this name."
        )
        // Names are compared with their case.
        #expect(throws: Never.self) {
            try RecordedRealm(Record.types, EventConfiguration(metadata: [key.capitalized + "X": "value"]))
        }
    }

    @Test(
        "Scenario 42: metadata is a dictionary, so that two spellings of one key are one column, not an error",
        .tags(.scenario42)
    )
    func duplicateKeys() throws {
        var metadata = ["caf\u{e9}": "first"]
        metadata["cafe\u{301}"] = "second"
        let recorded = try RecordedRealm(Record.types, EventConfiguration(metadata: metadata))

        try recorded.recordEvent("event")

        #expect(try recorded.stored().map { $0.metadata.entries.map(\.value) } == [["second"]])
    }

    @Test("Scenario 81: a realm that is opened asynchronously has events and records", .tags(.scenario81))
    @MainActor
    func asyncOpen() async throws {
        let file = try TemporaryRealm(Record.types) { $0.eventConfiguration = EventConfiguration() }

        let realm = try await Realm(configuration: file.configuration)
        let scope = try #require(realm.events).beginScope(activity: "async")
        try realm.write { realm.add(Target(1)) }
        try await scope.commit()

        let recorded = try RecordedFiles(below: file.folder.path)
        #expect(recorded.lines == [write("Target", insertions: Target.json(1))])
    }
}

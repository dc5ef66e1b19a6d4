import Daybook
import Testing

@Suite("Scenarios: metadata")
struct MetadataScenarioTests {
    private let recorded: RecordedRealm

    private var events: Events { recorded.events }

    init() throws {
        recorded = try RecordedRealm(holding: [Target(1)], EventConfiguration(metadata: ["user": "a"]))
    }

    private func look() { _ = recorded.realm.object(ofType: Target.self, forPrimaryKey: 1) }

    private func metadata() throws -> [[String: String]] { try recorded.stored().map(\.metadata.dictionary) }

    @Test("Scenario 49: metadata that is updated before a scope is on its events", .tags(.scenario49))
    func before() throws {
        events.updateMetadata(["user": "b"])
        try recorded.record { look() }

        #expect(try metadata() == [["user": "b"]])
    }

    @Test("Scenario 50: metadata that is updated during a scope is not on its events", .tags(.scenario50))
    func during() throws {
        try recorded.record {
            events.updateMetadata(["user": "b"])
            look()
        }

        #expect(try metadata() == [["user": "a"]])
    }

    @Test("Scenario 51: a hundred updates to another key are each on exactly one event", .tags(.scenario51))
    func hundredKeys() throws {
        let expected = (0..<100).map { ["key \($0)": "value \($0)"] }

        for columns in expected {
            events.updateMetadata(columns)
            events.recordEvent(activity: "update")
        }
        recorded.recorder.waitUntilIdle()

        #expect(try metadata() == expected)
    }

    @Test("Scenario 52: metadata that grows to a hundred keys gives event i i + 1 keys", .tags(.scenario52))
    func growing() throws {
        var columns: [String: String] = [:]

        for index in 0..<100 {
            columns["key \(index)"] = "value"
            events.updateMetadata(columns)
            events.recordEvent(activity: "update")
        }
        recorded.recorder.waitUntilIdle()

        #expect(try recorded.stored().map(\.metadata.entries.count) == Array(1...100))
    }

    @Test(
        "Scenario 53: instances that are opened with other metadata replace it for all, and all are recorded",
        .tags(.scenario53)
    )
    func furtherInstances() throws {
        let first = try RecordedRealm(holding: [Target(1)])
        try first.record("none") { _ = first.realm.objects(Target.self).first }
        let second = try OtherInstance(of: first.realm) {
            $0.eventConfiguration = EventConfiguration(metadata: ["a": "1"])
        }
        try first.record("second") {
            _ = first.realm.objects(Target.self).first
            second.run { _ = $0.objects(Target.self).first }
        }
        let third = try OtherInstance(of: first.realm) {
            $0.eventConfiguration = EventConfiguration(metadata: ["b": "2"])
        }
        try first.record("third") { third.run { _ = $0.objects(Target.self).first } }

        // All instances see one version, so that the reads of the second scope are one.
        let stored = try first.stored()
        #expect(stored.map(\.activity) == ["none", "second", "third"])
        #expect(stored.map(\.metadata.dictionary) == [[:], ["a": "1"], ["b": "2"]])
    }

    @Test(
        "Scenario 87: none, a, b and empty metadata by updates give events with nil, a, b and nil",
        .tags(.scenario87)
    )
    func updates() throws {
        let recorded = try RecordedRealm(holding: [Target(1)])

        try recorded.record { _ = recorded.realm.objects(Target.self).first }
        for columns in [["user": "a"], ["user": "b"], [:]] {
            recorded.events.updateMetadata(columns)
            try recorded.record { _ = recorded.realm.objects(Target.self).first }
        }

        #expect(try recorded.stored().map { $0.metadata["user"] } == [nil, "a", "b", nil])
    }

    @Test(
        "Scenario 104: an invalid update is rejected as a whole, the old metadata stays",
        .tags(.scenario104),
        arguments: ["", "activity", String(repeating: "k", count: 64)]
    )
    func invalid(key: String) throws {
        events.updateMetadata(["fine": "1", key: "2"])
        #expect(throws: EventModelError.self) { try events.replaceMetadata(["fine": "1", key: "2"]) }
        try recorded.record { look() }

        #expect(try metadata() == [["user": "a"]])
    }

    @Test("Scenario 104: opening another instance never reverts an update", .tags(.scenario104))
    func neverReverted() throws {
        events.updateMetadata(["user": "b"])
        let other = try OtherInstance(of: recorded.realm)
        try recorded.record { other.run { _ = $0.objects(Target.self).first } }

        #expect(try metadata() == [["user": "b"]])
    }

    @Test("nine hundred keys of 63 bytes with values of every kind, nearly 64 KiB in all, are all stored")
    func manyKeys() throws {
        let oddities = ["", "\u{0}", "👩‍⚕️", "e\u{301}", "\u{202e}", "\"\\\n"]
        var columns = ["long": String(repeating: "x", count: 5000)]
        for index in 0..<900 {
            let number = "\(index)"
            let key = String(repeating: "k", count: 63 - number.utf8.count) + number
            columns[key] = oddities[index % oddities.count]
        }

        events.updateMetadata(columns)
        try recorded.record { look() }

        #expect(try metadata() == [columns])
    }
}

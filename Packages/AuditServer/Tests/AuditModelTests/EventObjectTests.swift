import AuditModel
import AuditServerTesting
import EventModel
import Testing

@Suite("Objects of events")
struct EventObjectTests {
    private static func objects(_ data: String, event: String = "read") -> [String] {
        EventObject.all(in: SampleDevice().event("a", event: event, data: data))
            .map { "\($0.objectClass ?? "?")/\($0.key)/\($0.action.rawValue)" }
    }

    @Test("a read names its objects by class and key, in order")
    func read() {
        let data = #"{"type":"Patient","value":[{"_id":"p1","name":"A"},{"name":"B","_id":7},{"id":"p3"}]}"#

        #expect(Self.objects(data) == ["Patient/p1/read", "Patient/7/read", "Patient/p3/read"])
    }

    @Test("a write names what it inserted, changed and deleted")
    func write() {
        let data = """
            {"Patient": {"deletions": [{"_id": "d"}], "insertions": [{"_id": "i"}],
             "modifications": [{"newValue": {"_id": "no", "name": "N"}, "oldValue": {"_id": "m", "name": "O"}}]},
             "Visit": {"insertions": [{"_id": -1.5}]}}
            """

        #expect(
            Self.objects(data, event: "write")
                == ["Patient/d/deleted", "Patient/i/inserted", "Patient/m/modified", "Visit/-1.5/inserted"]
        )
    }

    @Test(
        "a search that found nothing names its class and what was asked for, and is an outcome of its own",
        arguments: [
            (#"{"type":"Patient","value":[]}"#, "no Patient"),
            (#"{"type":"Patient","value":[],"where":{}}"#, "no Patient"),
            (
                #"{"type":"Pa\"t","value":[],"where":{"predicate":"name == 'Ann'","sort":[{"ascending":true,"keyPath":"name"},"#
                    + #"{"ascending":false,"keyPath":"age"}]}}"#,
                "no Pa\"t where name == 'Ann', by name, age descending"
            ),
            (#"{"type":"Visit","value":[],"where":{"collection":"Patient.visits"}}"#, "no Visit in Patient.visits"),
            (#"{"type":"Patient","value":[],"where":{"$masked":"object"}}"#, "no Patient"),
        ]
    )
    func emptySearches(data: String, expected: String) {
        let event = SampleDevice().event("a", event: "read", data: data)

        #expect(EmptySearch(event: "read", data: Array(data.utf8))?.description == expected)
        #expect(Self.stored(event).outcome == .nothingFound)
        #expect(EventFilter(outcome: .nothingFound).matches(Self.stored(event)))
        #expect(!EventFilter(outcome: .complete).matches(Self.stored(event)))
        #expect(EventFilter(objectClass: EventObject.classes(in: event)[0]).matches(Self.stored(event)))
    }

    @Test(
        "what found something, is of another type or is no such payload is no empty search",
        arguments: [
            #"{"type":"Patient","value":[{"value":[]}]}"#, #"{"type":"Patient","value":[]"#, #"{"type":"Patient"#, "{}",
            "",
            #"{"type":"Patient","value":[],"other":1}"#, #"{"value":[],"type":"Patient"}"#,
        ]
    )
    func noEmptySearches(data: String) {
        #expect(Self.stored(SampleDevice().event("a", event: "read", data: data)).outcome == .complete)
        #expect(EmptySearch(event: "read", data: Array(data.utf8)) == nil)
        #expect(EmptySearch(event: "custom", data: Array(#"{"type":"Patient","value":[]}"#.utf8)) == nil)
    }

    private static func stored(_ event: AuditEvent) -> StoredEvent {
        let device = SampleDevice()
        return StoredEvent(partition: device.partition, sequence: 1, owner: nil, event: event, leaf: nil, received: nil)
    }

    @Test("an object inside another one is named without a class, and _id wins over id")
    func nested() {
        let data = """
            {"value":[{"id":"x","_id":"p","visits":[{"_id":"v","ward":{"id":"w"}},3],"bed":{"number":1}}],"type":"P"}
            """

        #expect(Self.objects(data) == ["P/p/read", "?/v/shown", "?/w/shown"])
    }

    @Test("escapes in keys and classes are undone")
    func escapes() {
        #expect(
            Self.objects(#"{"type":"P\u0061\n","value":[{"_\u0069d":"a\"\\\u00e9\ud83d\ude00"}]}"#)
                == ["Pa\n/a\"\\é😀/read"]
        )
    }

    @Test(
        "what is no payload of ours has no objects and does no harm",
        arguments: [
            "", "null", "7", "\"text\"", "[{\"_id\":1}]", "{", "{\"type\":\"P\"",
            "{\"type\":\"P\",\"value\":[{\"_id\":",
            "{\"type\":\"P\",\"value\":{\"_id\":1}}", "{\"type\":5,\"value\":[1]}", "{\"P\":{\"insertions\":7}}",
            "{\"P\":{\"modifications\":[{\"oldValue\":1}]}}", "{\"type\":\"P\",\"value\":[{\"_id\":{\"a\":1}}]}",
            "{\"type\":\"P\",\"value\":[{\"_id\":\"\\x\"}]}", "not JSON at all", "{\"a\\", "\u{0}",
            "{\"type\":\"P\",\"value\":[" + String(repeating: "{\"a\":", count: 20_000) + "1",
            String(repeating: "[", count: 200_000),
        ]
    )
    func malformed(data: String) {
        #expect(Self.objects(data).isEmpty)
        #expect(Self.objects(data, event: "write").isEmpty)
    }

    @Test("a torn payload has no objects, and a class is known without any key")
    func torn() {
        let torn = #"{"P":{"insertions":[{"_id":1},{"_id":2}]},"Q":{"insertions":[{"_id":3"#
        #expect(Self.objects(torn, event: "write").isEmpty)
        let withoutKey = SampleDevice().event("a", data: #"{"type":"P","value":[{"name":1}]}"#)
        #expect(EventObject.classes(in: withoutKey) == ["P"])
    }

    @Test("custom events have no objects, whatever their data is")
    func custom() {
        #expect(Self.objects(#"{"type":"P","value":[{"_id":1}]}"#, event: "button").isEmpty)
    }
}

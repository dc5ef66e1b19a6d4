import AuditServerTesting
import EventModel
import Testing

@testable import AuditModel

@Suite("Changed values in lists")
struct EventChangeTests {
    private static func changes(_ data: String, event: String = "write") -> [String] {
        EventChange.first(in: SampleDevice().event("a", event: event, data: data))
            .map { "\($0.objectClass)/\($0.key ?? "?")/\($0.name): \($0.before ?? "none") to \($0.after ?? "none")" }
    }

    @Test("a change says each new value and the old one of the same property, whatever stands around them")
    func modification() {
        let data = """
            {"Patient":{"modifications":[{"newValue":{"bed":"9C","ward":null,"seen":true,"weight":71.50},
             "oldValue":{"_id":"p1","bed":"7A","name":"Anna","ward":"B","weight":70}}]}}
            """

        #expect(
            Self.changes(data) == [
                "Patient/p1/bed: 7A to 9C", "Patient/p1/ward: B to none", "Patient/p1/seen: none to true",
                "Patient/p1/weight: 70 to 71.50",
            ]
        )
    }

    @Test("a new object says its first plain values, and a deleted one none")
    func insertion() {
        let data = """
            {"Observation":{"insertions":[{"_id":"o1","patient":{"_id":"p1"},"unit":"Cel","value":37.2,"note":null,"by":"ada","at":"x"}],
             "deletions":[{"_id":"o2","value":1}]}}
            """

        #expect(
            Self.changes(data) == [
                "Observation/o1/unit: none to Cel", "Observation/o1/value: none to 37.2",
                "Observation/o1/by: none to ada",
            ]
        )
    }

    @Test("a long value is cut between characters, and of many changes the first are told")
    func bounds() {
        let long = String(repeating: "é", count: 200)
        let fields = (1...20).map { #""f\#($0)":"\#(long)""# }.joined(separator: ",")
        let found = EventChange.first(
            in: SampleDevice()
                .event("a", event: "write", data: #"{"P":{"modifications":[{"oldValue":{},"newValue":{\#(fields)}}]}}"#)
        )

        #expect(found.map(\.name) == ["f1", "f2", "f3", "f4", "f5", "f6"])
        #expect(found.allSatisfy { $0.after == String(repeating: "é", count: 80) + "…" })
    }

    @Test(
        "a payload of any other form has no changes, and what was read of a broken one counts",
        arguments: [
            ("", 0), ("plain", 0), ("[]", 0), (#"{"P":{"modifications":3}}"#, 0),
            (#"{"P":{"modifications":[1,{}]}}"#, 0),
            (#"{"P":{"modifications":[{"newValue":{"a":1}}]}}"#, 0),
            (#"{"P":{"modifications":[{"newValue":{"a":1},"oldValue":{"_id":[1]}}]},"Q":1}"#, 1),
        ]
    )
    func others(data: String, count: Int) {
        #expect(Self.changes(data).count == count)
    }

    @Test("what was read has no changes")
    func read() {
        let data = #"{"P":{"modifications":[{"newValue":{"a":1},"oldValue":{"_id":"p"}}]}}"#

        #expect(Self.changes(data, event: "read").isEmpty)
    }
}

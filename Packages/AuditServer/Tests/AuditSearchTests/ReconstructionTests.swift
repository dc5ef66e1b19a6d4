import EventModel
import Testing

@testable import AuditModel
@testable import AuditSearch

@Suite("Reconstruction of a record")
struct ReconstructionTests {
    private static let ada = EventOwner(app: "ward", user: "ada")
    private static let bob = EventOwner(app: "ward", user: "bob")
    private static let phone = Boot(high: 1, low: 1)
    private static let tablet = Boot(high: 1, low: 2)

    /// An event about patient p1 in words that a table can hold.
    struct Step: Sendable {
        var own = true
        var boot = phone
        let type: String
        let data: String
        var at: Int64
        var ticks: Int64?
        var received: Int64?

        static func read(_ fields: String, at: Int64, own: Bool = true) -> Step {
            Step(own: own, type: "read", data: #"{"type":"Patient","value":[{"_id":"p1"\#(fields)}]}"#, at: at)
        }

        static func change(_ old: String, to new: String, at: Int64, own: Bool = true) -> Step {
            let change = #"{"newValue":{\#(new)},"oldValue":{"_id":"p1"\#(old)}}"#
            return Step(own: own, type: "write", data: #"{"Patient":{"modifications":[\#(change)]}}"#, at: at)
        }

        static func insert(_ fields: String, at: Int64, own: Bool = true) -> Step {
            Step(own: own, type: "write", data: #"{"Patient":{"insertions":[{"_id":"p1"\#(fields)}]}}"#, at: at)
        }

        static func delete(_ fields: String, at: Int64, own: Bool = true) -> Step {
            Step(own: own, type: "write", data: #"{"Patient":{"deletions":[{"_id":"p1"\#(fields)}]}}"#, at: at)
        }

        func on(_ boot: Boot, ticks: Int64? = nil) -> Step {
            var step = self
            (step.boot, step.ticks) = (boot, ticks ?? step.ticks)
            return step
        }

        func received(at instant: Int64) -> Step {
            var step = self
            step.received = instant
            return step
        }
    }

    /// Folds steps, whose events are numbered from 1 in the order of the table.
    private static func record(_ steps: [Step], at moment: Int64) throws -> Reconstruction {
        Reconstruction(of: try observations(steps), at: ReconstructionMoment(EventInstant(microseconds: moment)))
    }

    private static func observations(_ steps: [Step]) throws -> [ObjectEvent] {
        try steps.enumerated()
            .map { number, step in
                let clock = ClockReading(
                    wall: EventInstant(microseconds: step.at),
                    monotonicNanoseconds: UInt64(step.ticks ?? step.at) * 1000,
                    boot: step.own ? step.boot : Boot(high: 9, low: step.boot.low)
                )
                let id = ObjectId(high: 1, low: UInt32(number))
                let event = AuditEvent(
                    id: id,
                    clock: clock,
                    activity: "Rounds",
                    event: step.type,
                    data: Array(step.data.utf8)
                )
                return ObjectEvent(
                    address: EventAddress(
                        partition: try PartitionID("ward-\(ObjectId(high: 7, low: 1))"),
                        sequence: UInt64(number + 1)
                    ),
                    owner: step.own ? ada : bob,
                    clock: clock,
                    received: EventInstant(microseconds: step.received ?? step.at + 1),
                    isOwn: step.own,
                    sightings: ObjectSighting.all(of: "Patient", "p1", in: event)
                )
            }
    }

    /// Writes a record in one line: `name=value origin@event`, `~` for what is older, `[known]`.
    private static func text(_ record: Reconstruction) -> String {
        func text(_ claim: Reconstruction.Claim?) -> String {
            claim.map { "\($0.value) \($0.origin)@\($0.source.sequence)" } ?? "nothing"
        }
        let fields = record.fields.filter { $0.name != "_id" }
            .map { field in
                let known = field.known.map { " [\(field.isKnownEarlier ? "earlier " : "")\(text($0))]" } ?? ""
                return "\(field.name)=\(text(field.shown))\(field.isOlder ? "~" : "")\(known)"
            }
        let state = record.state.rawValue + (record.deletion.map { "@\($0.sequence)" } ?? "")
        let gone = record.knownDeletion.map { ["gone@\($0.sequence)"] } ?? []
        return ([state] + gone + fields).joined(separator: "; ")
    }

    private static let table: [(name: String, steps: [Step], moment: Int64, expected: String)] = [
        ("nothing is known of it", [], 9, "unseen"),
        ("a read alone", [.read(#","bed":1,"name":"A""#, at: 1)], 9, #"seen; bed=1 shown@1; name="A" shown@1"#),
        (
            "the last of two reads", [.read(#","bed":1"#, at: 1), .read(#","bed":2"#, at: 2)], 9,
            "seen; bed=2 shown@2"
        ),
        (
            "what happened later is not there", [.read(#","bed":1"#, at: 1), .read(#","bed":2"#, at: 2)], 1,
            "seen; bed=1 shown@1"
        ),
        (
            "a write over a read",
            [.read(#","bed":1,"name":"A""#, at: 1), .change(#","bed":1,"name":"A""#, to: #""bed":2"#, at: 2)], 9,
            #"seen; bed=2 written@2; name="A" shown@1"#
        ),
        (
            "what the device held at a write and did not show",
            [.read(#","bed":1,"name":"A""#, at: 1), .change(#","bed":1,"name":"B""#, to: #""bed":2"#, at: 2)], 9,
            #"seen; bed=2 written@2; name="A" shown@1 ["B" held@2]"#
        ),
        (
            "a write that changes nothing", [.read(#","bed":1"#, at: 1), .change(#","bed":1"#, to: "", at: 2)], 9,
            "seen; bed=1 shown@1"
        ),
        (
            "a deletion leaves what had been shown",
            [.read(#","bed":1"#, at: 1), .delete(#","bed":2"#, at: 2)], 9, "deleted@2; bed=1 shown@1 [2 held@2]"
        ),
        (
            "an insertion after a deletion begins anew",
            [.read(#","bed":1"#, at: 1), .delete("", at: 2), .insert(#","name":"N""#, at: 3)], 9,
            #"seen; name="N" written@3"#
        ),
        (
            "a read after a deletion begins anew",
            [.read(#","bed":1"#, at: 1), .delete("", at: 2), .read(#","name":"N""#, at: 3)], 9,
            #"seen; name="N" shown@3"#
        ),
        (
            "a read that shows a part leaves the rest older",
            [.read(#","bed":1,"name":"A""#, at: 1), .read(#","name":"B""#, at: 2)], 9,
            #"seen; bed=1 shown@1~; name="B" shown@2"#
        ),
        (
            "what is written after a part was shown is not older",
            [
                .read(#","bed":1,"name":"A""#, at: 1), .read(#","name":"B""#, at: 2),
                .change(#","bed":1,"name":"B""#, to: #""bed":2"#, at: 3),
            ], 9, #"seen; bed=2 written@3; name="B" shown@2"#
        ),
        (
            "null is a value, and no text", [.read(#","bed":null"#, at: 1), .read(#","bed":1"#, at: 2, own: false)], 9,
            "seen; bed=null shown@1 [1 shown@2]"
        ),
        (
            "another user's later write was not shown",
            [.read(#","bed":1"#, at: 1), .change(#","bed":1"#, to: #""bed":2"#, at: 2, own: false)], 9,
            "seen; bed=1 shown@1 [2 written@2]"
        ),
        (
            "another user's write is shown by a later read",
            [
                .read(#","bed":1"#, at: 1), .change(#","bed":1"#, to: #""bed":2"#, at: 2, own: false),
                .read(#","bed":2"#, at: 3),
            ], 9, "seen; bed=2 shown@3"
        ),
        (
            "a later read that still shows the old value does not hide another user's write",
            [
                .read(#","bed":1"#, at: 1), .change(#","bed":1"#, to: #""bed":2"#, at: 2, own: false),
                .read(#","bed":1"#, at: 3),
            ], 9, "seen; bed=1 shown@3 [earlier 2 written@2]"
        ),
        (
            "an own write comes after another user's",
            [
                .change(#","bed":1"#, to: #""bed":2"#, at: 1, own: false),
                .change(#","bed":1"#, to: #""bed":3"#, at: 2),
            ], 9, "seen; bed=3 written@2"
        ),
        (
            "another user's older read is no news",
            [.read(#","bed":1"#, at: 1, own: false), .read(#","bed":2"#, at: 2)], 9, "seen; bed=2 shown@2"
        ),
        (
            "a property that others alone were shown is not known to the person",
            [.read(#","name":"A""#, at: 1), .read(#","bed":7,"name":"A""#, at: 2, own: false)], 9,
            #"seen; bed=nothing [7 shown@2]; name="A" shown@1"#
        ),
        (
            "a record that others alone were shown", [.read(#","bed":7"#, at: 1, own: false)], 9,
            "unseen; bed=nothing [7 shown@1]"
        ),
        (
            "another user's deletion was not shown",
            [.read(#","bed":1"#, at: 1), .delete(#","bed":1"#, at: 2, own: false)], 9, "seen; gone@2; bed=1 shown@1"
        ),
        (
            "an own deletion is known", [.delete("", at: 1, own: false), .delete("", at: 2)], 9, "deleted@2"
        ),
        (
            "a later write that the server had received already is known",
            [
                .read(#","bed":1"#, at: 1),
                Step.change(#","bed":1"#, to: #""bed":2"#, at: 20, own: false).received(at: 4),
            ], 5, "seen; bed=1 shown@1 [2 written@2]"
        ),
        (
            "a later write that arrived later is not known",
            [
                .read(#","bed":1"#, at: 1),
                Step.change(#","bed":1"#, to: #""bed":2"#, at: 20, own: false).received(at: 21),
            ], 5, "seen; bed=1 shown@1"
        ),
        (
            "an earlier write that arrived later had happened",
            [
                .read(#","bed":1"#, at: 1),
                Step.change(#","bed":1"#, to: #""bed":2"#, at: 2, own: false).received(at: 90),
            ], 5, "seen; bed=1 shown@1 [2 written@2]"
        ),
        (
            "two devices of one person are one view",
            [.read(#","bed":1"#, at: 1), Step.read(#","bed":2"#, at: 2).on(tablet)], 9, "seen; bed=2 shown@2"
        ),
        (
            "a clock that was set back does not turn one device's events around",
            [
                Step.read(#","bed":1"#, at: 500).on(phone, ticks: 10),
                Step.read(#","bed":2"#, at: 100).on(phone, ticks: 20),
            ], 900, "seen; bed=2 shown@2"
        ),
        (
            "values that are links stay keys", [.read(#","doctor":"d1","visits":["v1","v2"]"#, at: 1)], 9,
            #"seen; doctor="d1" shown@1; visits=["v1","v2"] shown@1"#
        ),
    ]

    @Test("each property is what was shown or written last, with the event that says so", arguments: table.indices)
    func folding(index: Int) throws {
        let row = Self.table[index]
        #expect(Self.text(try Self.record(row.steps, at: row.moment)) == row.expected, "\(row.name)")
        // What arrives in another order is the same.
        let shuffled = Reconstruction(
            of: try Self.observations(row.steps).reversed(),
            at: ReconstructionMoment(EventInstant(microseconds: row.moment))
        )
        #expect(Self.text(shuffled) == row.expected, "\(row.name), reversed")
    }

    @Test("an event is a moment by its monotonic clock, also when the wall clock was set between")
    func momentOfEvent() throws {
        let observations = try Self.observations([
            Step.read(#","bed":1"#, at: 500).on(Self.phone, ticks: 10),
            Step.read(#","bed":2"#, at: 100).on(Self.phone, ticks: 20),
        ])
        let first = ReconstructionMoment(observations[0].clock, of: Self.ada)
        let second = ReconstructionMoment(observations[1].clock, of: Self.ada)

        #expect(Self.text(Reconstruction(of: observations, at: first)) == "seen; bed=1 shown@1")
        #expect(Self.text(Reconstruction(of: observations, at: second)) == "seen; bed=2 shown@2")
    }

    @Test("an object with the same key inside another one is told, and not taken for the record")
    func inside() throws {
        let data = #"{"type":"Visit","value":[{"_id":"v1","patient":{"_id":"p1","name":"A"},"rooms":[{"_id":"r"}]}]}"#
        let record = try Self.record([Step(type: "read", data: data, at: 1)], at: 9)

        #expect(record.state == .unseen)
        #expect(record.fields.isEmpty)
        let mention = try #require(record.mentions.first)
        #expect(record.mentions.count == 1)
        #expect(mention.objectClass == "Visit")
        #expect(mention.key == "v1")
        #expect(mention.fields.map(\.value) == [#""p1""#, #""A""#])
    }

    @Test(
        "a payload that is no JSON, or breaks off, says what it says until there",
        arguments: [
            ("", 0), ("text", 0), ("[]", 0), ("{}", 0), (#"{"type":"Patient"}"#, 0),
            (#"{"type":"Patient","value":7}"#, 0),
            (#"{"type":"Visit","value":[{"_id":"p1"}]}"#, 0), (#"{"type":"Patient","value":[{"_id":"p2"}]}"#, 0),
            (#"{"type":"Patient","value":[{"id":"p1"},{"_id":"p1"}]}"#, 2),
            (#"{"type":"Patient","value":[{"_id":"p1","x":1},7,null,[{"_id":"p1"}]]}"#, 1),
            (#"{"type":"Patient","value":[{"_id":"p1"}"#, 0), (#"{"Patient":[]}"#, 0),
            (#"{"Patient":{"insertions":{}}}"#, 0),
            (#"{"Patient":{"modifications":[{},{"newValue":{"a":1}},{"oldValue":{"_id":"p1"}}]}}"#, 1),
            (#"{"Patient":{"deletions":[{"_id":"p1"}],"insertions":[{"_id":"p1"}]}}"#, 3),
        ]
    )
    func scanning(data: String, count: Int) {
        for type in ["read", "write"] {
            let event = AuditEvent(
                id: ObjectId(high: 1, low: 1),
                clock: ClockReading(
                    wall: EventInstant(microseconds: 1),
                    monotonicNanoseconds: 1,
                    boot: .unknown
                ),
                activity: "x",
                event: type,
                data: Array(data.utf8)
            )
            #expect(ObjectSighting.all(of: "Patient", "p1", in: event).count == count, "\(data)")
        }
    }
}

import EventModel
import Testing

@testable import AuditModel

@Suite("Masked fields")
struct MaskedFieldTests {
    /// A case: what is masked, whose payload, and what auditors get of it; nil when nothing is masked.
    struct Example: CustomTestStringConvertible, Sendable {
        let fields: [String]
        var event: String? = "read"
        let data: String
        let shown: String?

        var testDescription: String { "\(fields) of \(data)" }
    }

    private static let text = #"{"$masked":"string"}"#

    private static let examples: [Example] = [
        Example(
            fields: ["Patient.ssn"],
            data: #"{"type":"Patient","value":[{"_id":"p1","ssn":"123"},{"_id":"p2","name":"B","ssn":"456"}]}"#,
            shown: #"{"type":"Patient","value":[{"_id":"p1","ssn":\#(text)},{"_id":"p2","name":"B","ssn":\#(text)}]}"#
        ),
        Example(fields: ["Patient.ssn"], data: #"{"type":"Doctor","value":[{"_id":"d","ssn":"1"}]}"#, shown: nil),
        Example(
            fields: ["Patient.ssn"],
            data: #"{"value":[{"ssn":"1"}] , "type" : "Patient"}"#,
            shown: #"{"value":[{"ssn":\#(text)}] , "type" : "Patient"}"#
        ),
        // Kinds, and what is empty.
        Example(
            fields: ["P.*"],
            data: #"{"type":"P","value":[{"_id":"k","id":7,"a":1,"b":-2.5e3,"c":true,"d":[1],"e":{"f":1},"g":"x"}]}"#,
            shown: """
                {"type":"P","value":[{"_id":"k","id":7,"a":{"$masked":"number"},"b":{"$masked":"number"},\
                "c":{"$masked":"boolean"},"d":{"$masked":"list"},"e":{"$masked":"object"},"g":{"$masked":"string"}}]}
                """
        ),
        Example(
            fields: ["P.*"],
            data: #"{"type":"P","value":[{"_id":"k","a":null,"b":"","c":[ ],"d":{}}]}"#,
            shown: nil
        ),
        Example(fields: ["P.*"], data: #"{"type":"P","value":[]}"#, shown: nil),
        // What a search asked for may hold any value, also of another class that a path leads to.
        Example(
            fields: ["Patient.ssn"],
            data: #"{"type":"Doctor","value":[],"where":{"predicate":"ANY patients.ssn == '123'"}}"#,
            shown: #"{"type":"Doctor","value":[],"where":{"$masked":"object"}}"#
        ),
        // Old and new values, and objects that came and went.
        Example(
            fields: ["P.n"],
            event: "write",
            data: """
                {"P":{"deletions":[{"n":"1"}],"insertions":[{"n":"2"}],\
                "modifications":[{"newValue":{"n":null},"oldValue":{"_id":"k","n":"3"}}]},"Q":{"insertions":[{"n":"4"}]}}
                """,
            shown: """
                {"P":{"deletions":[{"n":\(text)}],"insertions":[{"n":\(text)}],\
                "modifications":[{"newValue":{"n":null},"oldValue":{"_id":"k","n":\(text)}}]},"Q":{"insertions":[{"n":"4"}]}}
                """
        ),
        // Paths, through lists.
        Example(
            fields: ["P.address.street"],
            data: #"{"type":"P","value":[{"address":[{"street":"s","town":"t"},{"street":"u"}],"street":"v"}]}"#,
            shown: """
                {"type":"P","value":[{"address":[{"street":\(text),"town":"t"},{"street":\(text)}],"street":"v"}]}
                """
        ),
        Example(
            fields: ["P.a.*"],
            data: #"{"type":"P","value":[{"a":{"_id":"k","x":1,"y":{"z":2}},"b":3}]}"#,
            shown: #"{"type":"P","value":[{"a":{"_id":"k","x":{"$masked":"number"},"y":{"$masked":"object"}},"b":3}]}"#
        ),
        // An object inside another one may be of any class.
        Example(
            fields: ["Patient.ssn"],
            data: #"{"type":"Visit","value":[{"ssn":"kept","patient":{"_id":"p1","ssn":"1"},"all":[[{"ssn":"2"}]]}]}"#,
            shown: """
                {"type":"Visit","value":[{"ssn":"kept","patient":{"_id":"p1","ssn":\(text)},"all":[[{"ssn":\(text)}]]}]}
                """
        ),
        // Names and values with escapes, and names that occur twice.
        Example(
            fields: ["P.ssn"],
            data: #"{"ty\u0070e":"\u0050","value":[{"s\u0073n":"\"}]}secret","ssn":"2","x":"\\"}]}"#,
            shown: #"{"ty\u0070e":"\u0050","value":[{"s\u0073n":\#(text),"ssn":\#(text),"x":"\\"}]}"#
        ),
        Example(
            fields: ["Größe.länge"],
            data: #"{"type":"Größe","value":[{"länge":"🩺","x":"é"}]}"#,
            shown: #"{"type":"Größe","value":[{"länge":\#(text),"x":"é"}]}"#
        ),
        Example(
            fields: ["P.n"],
            data: #"{"type":"Q","type":"P","value":[{"n":"1"}]}"#,
            shown: #"{"type":\#(text),"type":\#(text),"value":{"$masked":"list"}}"#
        ),
        // What is not of the form that a recorder writes is masked as a whole.
        Example(fields: ["P.n"], data: "no JSON, and a secret", shown: text),
        Example(fields: ["P.n"], data: #"["secret"]"#, shown: #"{"$masked":"list"}"#),
        Example(fields: ["P.n"], data: #""secret""#, shown: text),
        Example(fields: ["P.n"], data: #"{"type":"P","value":[{"n":"1"}]} secret"#, shown: text),
        Example(fields: ["P.n"], data: #"{"type":"P","value":[{"n":[}],"secret":1}]}"#, shown: text),
        Example(fields: ["P.n"], data: #"{"type":"P","value":[{"n":secret}]}"#, shown: text),
        Example(fields: ["P.n"], data: #"{"type":"P","value":[{"n":"secret"#, shown: text),
        Example(fields: ["P.n"], data: #"{"type":"P","value":["secret"]}"#, shown: #"{"type":"P","value":[\#(text)]}"#),
        Example(fields: ["P.n"], data: #"{"type":"Q","value":["kept"]}"#, shown: nil),
        Example(
            fields: ["P.n"],
            data: #"{"type":"Q","value":"secret","more":"secret"}"#,
            shown: #"{"type":"Q","value":\#(text),"more":\#(text)}"#
        ),
        Example(
            fields: ["P.n"],
            event: "write",
            data: #"{"P":{"modifications":["secret",{"note":"secret","oldValue":"secret"}],"other":[1]},"Q":"secret"}"#,
            shown: """
                {"P":{"modifications":[\(text),{"note":\(text),"oldValue":\(text)}],"other":{"$masked":"list"}},"Q":\(text)}
                """
        ),
        Example(
            fields: ["P.n"],
            data: String(repeating: #"{"a":"#, count: 200) + "1" + String(repeating: "}", count: 200),
            shown: text
        ),
        // Custom events.
        Example(fields: ["P.n"], event: "button", data: #"{"type":"P","value":[{"n":"1"}]}"#, shown: nil),
        Example(fields: ["event:button/*"], event: "button", data: "secret", shown: text),
        Example(fields: ["event:button/*"], event: "button", data: #"{"a":1}"#, shown: #"{"$masked":"object"}"#),
        Example(fields: ["event:button/*"], event: "swipe", data: "kept", shown: nil),
        Example(fields: ["event:button/*"], event: nil, data: "kept", shown: nil),
        Example(
            fields: ["event:login/user.name"],
            event: "login",
            data: #"[{"user":{"name":"a","id":"b"}},{"name":"c"}]"#,
            shown: #"[{"user":{"name":\#(text),"id":"b"}},{"name":"c"}]"#
        ),
        Example(fields: ["event:login/user.name"], event: "login", data: "secret", shown: text),
        Example(
            fields: ["event:login/user._id"],
            event: "login",
            data: #"{"user":{"_id":"x"}}"#,
            shown: #"{"user":{"_id":\#(text)}}"#
        ),
        Example(fields: ["activity:Go/now/a"], event: nil, data: #"{"a":"s","b":1}"#, shown: nil),
        Example(fields: ["activity:Rounds/a"], event: nil, data: #"{"a":"s","b":1}"#, shown: #"{"a":\#(text),"b":1}"#),
        Example(
            fields: ["activity:Rounds/a", "event:login/b"],
            event: "login",
            data: #"{"a":"s","b":1,"c":2}"#,
            shown: #"{"a":\#(text),"b":{"$masked":"number"},"c":2}"#
        ),
    ]

    private static func event(_ type: String?, _ data: String?, marks: AuditEvent.Marks = []) -> AuditEvent {
        AuditEvent(
            id: ObjectId(high: 1, low: 2),
            clock: ClockReading(
                wall: EventInstant(microseconds: 1),
                monotonicNanoseconds: 2,
                boot: Boot(high: 1, low: 2)
            ),
            activity: "Rounds",
            event: type,
            data: data.map { Array($0.utf8) },
            marks: marks
        )
    }

    @Test("a payload shows everything but the masked values", arguments: examples)
    func payloads(example: Example) throws {
        let mask = EventMask(try example.fields.map { try MaskedField($0) })
        let event = Self.event(example.event, example.data)

        let shown = mask.shown(event)

        #expect(shown?.dataText == example.shown)
        #expect(shown?.metadata ?? event.metadata == event.metadata)
    }

    @Test("what the recorder says of a payload that could not be made is shown")
    func incomplete() throws {
        let mask = EventMask([try MaskedField("P.n")])
        #expect(mask.shown(Self.event("read", #"{"error":"why"}"#, marks: .incomplete)) == nil)
        #expect(mask.shown(Self.event("read", nil)) == nil)
        #expect(mask.shown(Self.event("read", "")) == nil)
    }

    @Test("values of a masked column are replaced, and empty ones stay")
    func columns() throws {
        let mask = EventMask([try MaskedField("metadata:userId"), try MaskedField("metadata:a.b/c")])
        let device = SampleEvents.event(metadata: try EventMetadata(["userId": "ada", "a.b/c": "", "ward": "7"]))

        let shown = try #require(mask.shown(device))

        #expect(shown.metadata.dictionary == ["userId": "$masked", "a.b/c": "", "ward": "7"])
        #expect(shown.data == device.data)
        let empty = SampleEvents.event(metadata: try EventMetadata(["userId": "", "ward": "7"]))
        #expect(mask.shown(empty) == nil)
    }

    private enum SampleEvents {
        static func event(metadata: EventMetadata) -> AuditEvent {
            let plain = MaskedFieldTests.event("read", #"{"type":"P","value":[]}"#)
            return AuditEvent(
                id: plain.id,
                clock: plain.clock,
                activity: plain.activity,
                event: plain.event,
                data: plain.data,
                metadata: metadata
            )
        }
    }

    @Test(
        "a field of another form is refused with a sentence",
        arguments: [
            "", "Patient", "Patient.", ".ssn", "Patient..ssn", "*", "*.ssn", "Patient.*.ssn", "Patient._id",
            "Patient.id",
            "Visit.patient._id", "metadata:", "event:login", "event:/a", "event:login/", "event:read/a",
            "event:write/*",
            "activity:x", "activity:/x", "event:login/a..b", "event:login/*.a", String(repeating: "a.", count: 300),
        ]
    )
    func malformed(text: String) {
        let error = #expect(throws: AuditServerError.self) { try MaskedField(text) }
        guard case .rejected = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("whatever a payload holds: no secret is left, the rest is byte for byte the same, and the result is JSON")
    func random() throws {
        let mask = EventMask(
            try ["P.secret", "P.inner.hidden", "event:custom/secret", "event:custom/inner.hidden"]
                .map { try MaskedField($0) }
        )
        var random = RandomJSON(seed: 7)
        for _ in 0..<300 {
            let whole = random.payload()
            for type in ["read", "custom"] {
                let data = type == "read" ? whole.text : whole.object
                let expected = type == "read" ? whole.shown : whole.shownObject
                let shown = mask.shown(Self.event(type, data))?.dataText ?? data
                #expect(!shown.contains(RandomJSON.secret))
                #expect(shown == expected)
                #expect(throws: Never.self) { try RandomJSON.check(shown) }
            }
        }
    }

    @Test("a payload of some megabytes is masked in a moment")
    func huge() throws {
        let mask = EventMask([try MaskedField("Patient.ssn")])
        let object = #"{"_id":"62b38b3c10846041166f5deb","name":"Anna Berg","notes":"none so far","ssn":"123-45-6789"}"#
        let data = #"{"type":"Patient","value":[\#(Array(repeating: object, count: 20_000).joined(separator: ","))]}"#
        let event = Self.event("read", data)

        let shown = try #require(mask.shown(event)?.dataText)

        #expect(!shown.contains("123-45"))
        #expect(shown.utf8.count == data.utf8.count + 20_000 * (Self.text.utf8.count - #""123-45-6789""#.utf8.count))
    }
}

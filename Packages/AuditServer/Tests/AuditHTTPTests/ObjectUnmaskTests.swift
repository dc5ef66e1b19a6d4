import AuditAccounts
import AuditAdmission
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Showing the masked values of one object")
struct ObjectUnmaskTests {
    private static let reason = #"{"purpose":"Complaint","reason":"letter of 12 May"}"#
    private static let time = "since=2023-11-14T00:00:00Z&until=2023-11-15T00:00:00Z"
    private static let path = "/api/v1/objects/unmask"

    private struct Answer: Decodable {
        let events: [EventLine]
        let isCurrent: Bool
    }

    /// Three patients with a number each, whose events show them alone, together, changed, and inside another object.
    private static func server(events: Int = 0) async throws -> (TestServer, SampleDevice) {
        let mask = EventMask([try MaskedField("Patient.ssn"), try MaskedField("metadata:userId")])
        var limits = ServerLimits()
        limits.requests = .init(perMinute: 1_000_000, burst: 1_000_000)
        let server = try await TestServer(
            configuration: ServerConfiguration(apps: ["ward-app": AppSettings(mask: mask)], limits: limits)
        )
        var device = SampleDevice()
        func patient(_ key: String, _ more: String = "") -> String { #"{"_id":"\#(key)","ssn":"of-\#(key)"\#(more)}"# }
        let nurse = try EventMetadata(["userId": "n1"])
        let both = "\(patient("p2")),\(patient("p1", #","friend":\#(patient("p3")),"address":{"ssn":"inner"}"#))"
        device.record(device.event("Rounds", data: #"{"type":"Patient","value":[\#(both)]}"#, metadata: nurse))
        let changes = #"""
            {"Patient":{"modifications":[{"newValue":{"ssn":"new-of-p1"},"oldValue":\#(patient("p1"))},\#
            {"newValue":{"ssn":"new-of-p2"},"oldValue":\#(patient("p2"))}],"deletions":[\#(patient("p3"))]}}
            """#
        device.record(device.event("Admit", event: "write", data: changes))
        device.record(device.event("Visit", data: #"{"type":"Visit","value":[{"patient":\#(patient("p1"))}]}"#))
        device.record(device.event("Other", data: #"{"type":"Patient","value":[\#(patient("p2"))]}"#))
        device.record(device.event("Plain", data: #"{"type":"Patient","value":[{"_id":"p1","age":40}]}"#))
        let odd = #"{"type":"Patient","value":[{"_id":"p1","_id":"p2","ssn":"of-two"},{"id":"p1","ssn":"by-id"}]}"#
        device.record(device.event("Odd", data: odd))
        for _ in 0..<events {
            device.record(device.event("Many", data: #"{"type":"Patient","value":[\#(patient("p7"))]}"#))
        }
        _ = try await server.store.accept(device.upload(1...device.events.count, seal: device.seal()))
        return (server, device)
    }

    @Test("a reviewer sees the values of the object that was named, in a time, and of no other one beside it")
    func unmasking() async throws {
        let (server, _) = try await Self.server()
        let reviewer = try await server.headers(.reviewer)
        try await server.run { client in
            let uri = "\(Self.path)?class=Patient&key=p1&\(Self.time)"
            let response = try await client.post(uri, Self.reason, as: reviewer)
            #expect(response.headers[.cacheControl] == "no-store")
            let events = try response.decoded(Answer.self).events
            #expect(events.map(\.activity) == ["Rounds", "Admit", "Visit", "Odd"])
            #expect(events.map(\.details.masked) == [true, true, true, true])
            let masked = #"{"$masked":"string"}"#
            #expect(
                events[0].data
                    == #"{"type":"Patient","value":[{"_id":"p2","ssn":\#(masked)},{"_id":"p1","ssn":"of-p1","friend":{"_id":"p3","#
                    + #""ssn":\#(masked)},"address":{"ssn":"inner"}}]}"#
            )
            #expect(events[0].metadata == ["userId": "$masked"])
            #expect(
                events[1].data
                    == #"{"Patient":{"modifications":[{"newValue":{"ssn":"new-of-p1"},"oldValue":{"_id":"p1","ssn":"of-p1"}},"#
                    + #"{"newValue":{"ssn":\#(masked)},"oldValue":{"_id":"p2","ssn":\#(masked)}}],"#
                    + #""deletions":[{"_id":"p3","ssn":\#(masked)}]}}"#
            )
            // An object inside another one does not say its class.
            #expect(events[2].data == #"{"type":"Visit","value":[{"patient":{"_id":"p1","ssn":\#(masked)}}]}"#)
            #expect(
                events[3].data
                    == #"{"type":"Patient","value":[{"_id":"p1","_id":"p2","ssn":\#(masked)},{"id":"p1","ssn":"by-id"}]}"#
            )
            let elsewhen = "since=2024-01-01T00:00:00Z&until=2024-01-02T00:00:00Z"
            let nothing = try await client.post(
                "\(Self.path)?class=Patient&key=p1&\(elsewhen)",
                Self.reason,
                as: reviewer
            )
            #expect(try nothing.decoded(Answer.self).events.isEmpty)
            // What was shown for a reason is shown to nobody else, and not again.
            let search = try await client.get("/api/v1/search?text=of-p1", as: reviewer)
            #expect(!String(buffer: search.body).contains("of-p1"))
        }
    }

    @Test("one reason is one record, which names the object, the time and the number of events, before they are shown")
    func trail() async throws {
        let (server, _) = try await Self.server()
        let reviewer = try await server.headers(.reviewer(apps: ["ward-app"]))
        let uri = "\(Self.path)?class=Patient&key=p1&\(Self.time)&app=ward-app"
        try await server.run { client in
            let response = try await client.post(uri, Self.reason, as: reviewer)
            #expect(response.status == .ok)
        }
        let trail = try await server.store
            .events(EventFilter(app: "daybook/auditors"), after: nil, limit: 100, maximumBytes: .max)
            .events.compactMap(\.event)
        #expect(trail.map(\.activity) == ["unmask object"])
        let text = try #require(trail.first?.dataText)
        #expect(text.contains("Patient p1 in 4 events: class=Patient&key=p1&\(Self.time)&app=ward-app"))
        #expect(text.contains(#""reason":"Complaint: letter of 12 May""#))
        #expect(!text.contains("of-p1"))

        let full = try await TestServer(store: FullEventStore(server.store), configuration: server.configuration)
        let headers = try await full.headers(.reviewer)
        try await full.run { client in
            let refused = try await client.post(uri, Self.reason, as: headers)
            #expect(refused.status == .serviceUnavailable)
            #expect(!String(buffer: refused.body).contains("of-p1"))
        }
    }

    @Test("nobody but a reviewer of the app sees a value")
    func roles() async throws {
        let (server, _) = try await Self.server()
        let uri = "\(Self.path)?class=Patient&key=p1&\(Self.time)"
        let refused: [Identity] = [.auditor, .administrator, .uploader(SampleDevice.owner)]
        let own = try await server.headers(.reviewer(apps: ["ward-app"]))
        let foreign = try await server.headers(.reviewer(apps: ["lab"]))
        try await server.run { client in
            for identity in refused {
                let response = try await client.post(uri, Self.reason, as: try await server.headers(identity))
                #expect(response.status == .forbidden, "\(identity)")
            }
            #expect(try await client.post(uri, Self.reason).status == .unauthorized)
            #expect(try await client.post(uri, Self.reason, as: own).decoded(Answer.self).events.count == 4)
            #expect(try await client.post(uri, Self.reason, as: foreign).decoded(Answer.self).events.isEmpty)
        }
    }

    @Test(
        "what names no object, no time or no reason is refused, and nothing is recorded",
        arguments: [
            ("class=Patient&since=2023-11-14T00:00:00Z&until=2023-11-15T00:00:00Z", Self.reason),
            ("key=p1&since=2023-11-14T00:00:00Z&until=2023-11-15T00:00:00Z", Self.reason),
            ("class=Patient&key=p1&until=2023-11-15T00:00:00Z", Self.reason),
            ("class=Patient&key=p1&since=2023-11-14T00:00:00Z", Self.reason),
            ("class=Patient&key=p1&\(Self.time)&kind=x", Self.reason),
            ("class=Patient&key=p1&\(Self.time)&metadata.userId=n1", Self.reason),
            ("class=Patient&key=p1&\(Self.time)", #"{"purpose":"Complaint","reason":" "}"#),
            ("class=Patient&key=p1&\(Self.time)", #"{"purpose":"Curiosity","reason":"r"}"#),
            ("class=Patient&key=p1&\(Self.time)", "{}"),
        ]
    )
    func refusals(query: String, body: String) async throws {
        let (server, _) = try await Self.server()
        let reviewer = try await server.headers(.reviewer)
        try await server.run { client in
            let response = try await client.post("\(Self.path)?\(query)", body, as: reviewer)
            #expect(response.status == .badRequest)
        }
        let trail = try await server.store
            .events(EventFilter(app: "daybook/auditors"), after: nil, limit: 9, maximumBytes: .max)
        #expect(trail.events.isEmpty)
    }

    @Test("one reason shows 200 events at most, and counts as one of those that a reviewer may give in a while")
    func bounds() async throws {
        let (server, _) = try await Self.server(events: 201)
        let reviewer = try await server.headers(.reviewer)
        try await server.run { client in
            let all = "\(Self.path)?class=Patient&key=p7&\(Self.time)"
            let refused = try await client.post(all, Self.reason, as: reviewer)
            #expect(refused.status == .badRequest)
            let message = try refused.decoded(Refusal.self).message
            #expect(message.contains("more than 200 events have masked values; narrow the time"))
            // The device's clock goes on by a microsecond for each event; the last one is left out.
            let until = "since=2023-11-14T00:00:00Z&until=2023-11-14T22:13:20.000207Z"
            let most = try await client.post("\(Self.path)?class=Patient&key=p7&\(until)", Self.reason, as: reviewer)
            #expect(try most.decoded(Answer.self).events.count == 200)
            for _ in 3...10 { _ = try await client.post(all, Self.reason, as: reviewer) }
            #expect(try await client.post(all, Self.reason, as: reviewer).status == .tooManyRequests)
        }
    }
}

import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Showing masked values")
struct UnmaskRoutesTests {
    private static let reason = #"{"purpose":"Complaint","reason":"  letter of\n 12 May "}"#

    private struct Detail: Decodable {
        let event: EventLine
        let proof: EventProof?
        let objects: [EventObject]
    }

    private struct Found: Decodable {
        struct Line: Decodable {
            let activity: String?
            let excerpt: String?
        }
        let events: [Line]
    }

    private static func server(
        _ store: any AuditStore = InMemoryEventStore(),
        purposes: [String] = ServerConfiguration.standardPurposes
    ) async throws -> (TestServer, SampleDevice) {
        let mask = EventMask([try MaskedField("Patient.ssn")])
        let configuration = ServerConfiguration(
            apps: ["ward-app": AppSettings(mask: mask)],
            unmaskingPurposes: purposes
        )
        let server = try await TestServer(store: store, configuration: configuration)
        var device = SampleDevice()
        device.record(device.event("Rounds", data: #"{"type":"Patient","value":[{"_id":"p1","ssn":"123-45"}]}"#))
        _ = try await store.accept(device.upload(1...1, seal: device.seal()))
        return (server, device)
    }

    private static func path(_ device: SampleDevice, _ sequence: Int = 1) -> String {
        "/api/v1/partitions/\(device.partition.value)/events/\(sequence)/unmask"
    }

    @Test("a reviewer gets the whole event and its proof, after the reason was recorded")
    func unmasking() async throws {
        let (server, device) = try await Self.server()
        let reviewer = try await server.headers(.reviewer)

        try await server.run { client in
            let response = try await client.post(Self.path(device), Self.reason, as: reviewer)
            #expect(response.headers[.cacheControl] == "no-store")
            let detail = try response.decoded(Detail.self)
            #expect(detail.event.data == device.events[0].dataText)
            #expect(!detail.event.details.masked)
            #expect(detail.objects.map(\.key) == ["p1"])
            try #require(detail.proof).verify(publicKey: device.key.publicKey)

            let trail =
                try await client.get(
                    "/api/v1/search?app=daybook/auditors&activity=unmask%20event",
                    as: reviewer
                )
                .decoded(Found.self)
            let record = try #require(trail.events.first?.excerpt)
            #expect(trail.events.count == 1)
            #expect(record.contains(#""about":"\#(device.partition.value)/1""#))
            #expect(record.contains(#""reason":"Complaint: letter of 12 May""#))
            #expect(record.contains(#""role":"reviewer""#))
            #expect(!record.contains("123-45"))
        }
    }

    @Test("what cannot be recorded is not shown")
    func trailFails() async throws {
        let inner = InMemoryEventStore()
        let (server, device) = try await Self.server(inner)
        let failing = try await TestServer(store: FullEventStore(inner), configuration: server.configuration)
        let reviewer = try await failing.headers(.reviewer)

        try await failing.run { client in
            let response = try await client.post(Self.path(device), Self.reason, as: reviewer)
            #expect(response.status == .serviceUnavailable)
            #expect(!String(buffer: response.body).contains("123-45"))
        }
    }

    @Test(
        "a purpose of the list and words of one's own are asked for, and not too many",
        arguments: [
            "", "{}", #"{"purpose":"Complaint"}"#, #"{"purpose":"Complaint","reason":""}"#,
            #"{"purpose":"Complaint","reason":" \n "}"#, #"{"purpose":"Curiosity","reason":"x"}"#,
            #"{"purpose":"","reason":"x"}"#, #"{"reason":"x"}"#,
            #"{"purpose":"Complaint","reason":"\#(String(repeating: "x", count: 1001))"}"#,
        ]
    )
    func malformed(body: String) async throws {
        let (server, device) = try await Self.server()
        let reviewer = try await server.headers(.reviewer)

        try await server.run { client in
            let response = try await client.post(Self.path(device), body, as: reviewer)
            #expect(response.status == .badRequest)
            let trail = try await client.get("/api/v1/search?app=daybook/auditors", as: reviewer).decoded(Found.self)
            #expect(!trail.events.contains { $0.activity == "unmask event" })
        }
    }

    @Test("the purposes are those of the configuration")
    func purposes() async throws {
        let (server, device) = try await Self.server(purposes: ["Ärztekammer"])
        let reviewer = try await server.headers(.reviewer)

        try await server.run { client in
            let purposes = try await client.get("/api/v1/unmasking/purposes", as: reviewer).decoded([String].self)
            #expect(purposes == ["Ärztekammer"])
            let refused = try await client.post(Self.path(device), Self.reason, as: reviewer)
            #expect(try refused.decoded(Refusal.self).message.contains("the purpose is one of 'Ärztekammer'"))
            let own = #"{"purpose":"Ärztekammer","reason":"x"}"#
            #expect(try await client.post(Self.path(device), own, as: reviewer).status == .ok)
        }
    }

    @Test("nobody has masked values shown but a reviewer of the app, and no event is told apart from none")
    func roles() async throws {
        let (server, device) = try await Self.server()
        let foreign = try await server.headers(.reviewer(apps: ["lab"]))
        let own = try await server.headers(.reviewer(apps: ["ward-app"]))
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            #expect(try await client.post(Self.path(device), Self.reason, as: auditor).status == .forbidden)
            let there = try await client.post(Self.path(device), Self.reason, as: foreign)
            let nowhere = try await client.post(Self.path(SampleDevice(9)), Self.reason, as: foreign)
            #expect(there.status == .notFound)
            #expect(there.body == nowhere.body)
            #expect(try await client.post(Self.path(device, 2), Self.reason, as: own).status == .notFound)
            #expect(try await client.post(Self.path(device), Self.reason, as: own).status == .ok)
        }
    }

    @Test("masked values are not shown faster than the limit says")
    func limit() async throws {
        let (server, device) = try await Self.server()
        let reviewer = try await server.headers(.reviewer)

        try await server.run { client in
            for _ in 1...10 {
                #expect(try await client.post(Self.path(device), Self.reason, as: reviewer).status == .ok)
            }
            let refused = try await client.post(Self.path(device), Self.reason, as: reviewer)
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "2")
            server.clock.advance(microseconds: 2_000_000)
            #expect(try await client.post(Self.path(device), Self.reason, as: reviewer).status == .ok)
        }
    }
}

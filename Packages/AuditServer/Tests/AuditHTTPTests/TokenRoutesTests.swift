import AuditServerTesting
import EventModel
import EventModelTesting
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditAccounts
@testable import AuditHTTP
@testable import AuditModel

@Suite("Issued tokens over HTTP")
struct TokenRoutesTests {
    private struct Issued: Decodable {
        let id: String
        let token: String
        let expires: String
    }

    private static let order = #"{"role":"auditor","name":"Dr. Adams"}"#

    private func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }

    @Test("an issued token is accepted until it is revoked, and never again")
    func revoking() async throws {
        let server = try await TestServer()
        let administrator = try await server.headers(.administrator)

        try await server.run { client in
            let issued = try await client.post("/api/v1/tokens", Self.order, as: administrator).decoded(Issued.self)
            #expect(try await client.get("/api/v1/events", as: bearer(issued.token)).status == .ok)
            let uri = "/api/v1/tokens/\(issued.id)"
            let revoked = try await client.execute(uri: uri, method: .delete, headers: administrator)
            #expect(revoked.status == .noContent)
            let refused = try await client.get("/api/v1/events", as: bearer(issued.token))
            #expect(refused.status == .unauthorized)
            #expect(try refused.decoded(Refusal.self).message == "The token is not accepted: it was revoked.")
            let again = try await client.execute(uri: uri, method: .delete, headers: administrator)
            #expect(again.status == .notFound)
            let list = try await client.get("/api/v1/tokens", as: administrator).decoded([IssuedTokenLine].self)
            #expect(list.map(\.id) == [issued.id])
            #expect(list.first?.revoked != nil)
            #expect(list.first?.expires == issued.expires)
        }
    }

    @Test("a reviewer's token is issued for all apps or for some, and is one of a reviewer when it comes back")
    func reviewers() async throws {
        let server = try await TestServer()
        let administrator = try await server.headers(.administrator)

        try await server.run { client in
            for (apps, identity) in [("", Identity.reviewer), (#","apps":["b","a"]"#, .reviewer(apps: ["a", "b"]))] {
                let order = #"{"role":"reviewer","name":"Legal"\#(apps)}"#
                let issued = try await client.post("/api/v1/tokens", order, as: administrator).decoded(Issued.self)
                #expect(try await server.tokens.identity(of: issued.token, for: .access) == identity)
                #expect(try await client.get("/api/v1/events", as: bearer(issued.token)).status == .ok)
            }
            let list = try await client.get("/api/v1/tokens", as: administrator).decoded([IssuedTokenLine].self)
            #expect(list.map(\.role) == ["reviewer", "reviewer"])
            #expect(list.map(\.apps) == [nil, ["a", "b"]])
        }
    }

    @Test("a token whose record is not kept is not accepted, though its signature is right")
    func unknownToken() async throws {
        let server = try await TestServer()
        let now = server.clock.now().wall
        let record = IssuedToken(
            id: "0000000000000000000000ff",
            identity: .auditor,
            name: "forgotten",
            issued: now,
            expires: EventInstant(microseconds: now.microseconds + 60_000_000)
        )
        let token = try await server.tokens.issue(record)

        try await server.run { client in
            #expect(try await client.get("/api/v1/events", as: bearer(token)).status == .unauthorized)
            try await server.accounts.add(record)
            #expect(try await client.get("/api/v1/events", as: bearer(token)).status == .ok)
        }
    }

    @Test("a token ends when its days are over", arguments: [(nil, 30), (1, 1), (365, 365)])
    func expiry(days: Int?, expected: Int) async throws {
        let server = try await TestServer()
        let administrator = try await server.headers(.administrator)
        let order = #"{"role":"auditor","name":"x"\#(days.map { ",\"days\":\($0)" } ?? "")}"#

        try await server.run { client in
            let issued = try await client.post("/api/v1/tokens", order, as: administrator).decoded(Issued.self)
            server.clock.advance(microseconds: Int64(expected) * 86_400_000_000 - 2_000_000)
            #expect(try await client.get("/api/v1/events", as: bearer(issued.token)).status == .ok)
            server.clock.advance(microseconds: 2_000_000)
            #expect(try await client.get("/api/v1/events", as: bearer(issued.token)).status == .unauthorized)
        }
    }

    @Test("an auditor that is bounded to apps sees nothing of the others, not even that there are any")
    func boundedAuditor() async throws {
        let server = try await TestServer()
        let administrator = try await server.headers(.administrator)
        var devices: [SampleDevice] = []
        for (number, app) in ["lab", "ward-app"].enumerated() {
            var device = SampleDevice(UInt32(number + 1))
            device.record(device.event("in \(app)", metadata: try EventMetadata(["key of \(app)": "x"])))
            _ = try await server.store.accept(device.upload(1...1, owner: EventOwner(app: app, user: "1")))
            devices.append(device)
        }
        let (foreign, own) = (devices[0], devices[1])

        try await server.run { client in
            let order = #"{"role":"auditor","name":"x","apps":["ward-app","other"]}"#
            let issued = try await client.post("/api/v1/tokens", order, as: administrator).decoded(Issued.self)
            let auditor = bearer(issued.token)

            let events = try await client.get("/api/v1/events", as: auditor).lines(EventLine.self)
            #expect(events.map(\.activity) == ["in ward-app"])
            let partitions = try await client.get("/api/v1/partitions", as: auditor).decoded([PartitionRecord].self)
            #expect(partitions.map(\.partition) == [own.partition])
            let schemas = try await client.get("/api/v1/schema", as: auditor).decoded([EventSchema].self)
            #expect(schemas.map(\.app) == ["ward-app"])
            for path in ["partitions/%", "partitions/%/leaves", "events?partition=%"] {
                let hidden = path.replacing("%", with: foreign.partition.value)
                let missing = path.replacing("%", with: SampleDevice(9).partition.value)
                let there = try await client.get("/api/v1/\(hidden)", as: auditor)
                let nowhere = try await client.get("/api/v1/\(missing)", as: auditor)
                #expect(there.status == .ok)
                let body = String(buffer: there.body).replacing(foreign.partition.value, with: "P")
                #expect(body == String(buffer: nowhere.body).replacing(SampleDevice(9).partition.value, with: "P"))
            }
            let hidden = try await client.get("/api/v1/apps/lab/schema", as: auditor)
            let missing = try await client.get("/api/v1/apps/none/schema", as: auditor)
            #expect(hidden.status == .notFound)
            #expect(hidden.body == missing.body)
            #expect(try await client.get("/api/v1/metrics", as: auditor).status == .forbidden)
        }
    }

    @Test("an issued administrator administers, and reads no event")
    func administrator() async throws {
        let server = try await TestServer()
        let first = try await server.headers(.administrator)

        try await server.run { client in
            let order = #"{"role":"administrator","name":"IT"}"#
            let issued = try await client.post("/api/v1/tokens", order, as: first).decoded(Issued.self)
            #expect(try await client.get("/api/v1/tokens", as: bearer(issued.token)).status == .ok)
            #expect(try await client.get("/api/v1/events", as: bearer(issued.token)).status == .forbidden)
        }
    }

    @Test(
        "an order that is malformed is refused, and nothing is issued",
        arguments: [
            "", "{}", #"{"role":"auditor"}"#, #"{"role":"uploader","name":"x"}"#, #"{"role":"auditor","name":""}"#,
            #"{"role":"auditor","name":"a\nb"}"#, #"{"role":"auditor","name":"x","days":0}"#,
            #"{"role":"auditor","name":"x","days":366}"#, #"{"role":"auditor","name":"x","apps":[]}"#,
            #"{"role":"auditor","name":"x","apps":["a b"]}"#, #"{"role":"auditor","name":"x","apps":[""]}"#,
            #"{"role":"administrator","name":"x","apps":["a"]}"#,
        ]
    )
    func malformed(order: String) async throws {
        let server = try await TestServer()
        let administrator = try await server.headers(.administrator)

        try await server.run { client in
            let response = try await client.post("/api/v1/tokens", order, as: administrator)

            #expect(response.status == .badRequest)
            #expect(try await server.accounts.tokens(after: nil, limit: 1) == [])
        }
    }

    @Test("tokens are listed in pages, and an id of another form is none")
    func listing() async throws {
        let server = try await TestServer()
        let administrator = try await server.headers(.administrator)

        try await server.run { client in
            for _ in 1...3 { _ = try await client.post("/api/v1/tokens", Self.order, as: administrator) }
            let first = try await client.get("/api/v1/tokens?limit=2", as: administrator)
            let name = try #require(HTTPField.Name(AuditService.nextCursorHeader))
            let cursor = try #require(first.headers[name])
            let second = try await client.get("/api/v1/tokens?limit=2&after=\(cursor)", as: administrator)

            #expect(try first.decoded([IssuedTokenLine].self).count == 2)
            #expect(try second.decoded([IssuedTokenLine].self).count == 1)
            #expect(second.headers[name] == nil)
            #expect(try await client.get("/api/v1/tokens?after=x", as: administrator).status == .badRequest)
            for id in ["x", "%00", "'%20OR%201=1", String(repeating: "a", count: 5000)] {
                let response = try await client.execute(
                    uri: "/api/v1/tokens/\(id)",
                    method: .delete,
                    headers: administrator
                )
                #expect(response.status == .notFound)
            }
        }
    }
}

import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import AuditAccounts
@testable import AuditHTTP
@testable import AuditModel
@testable import SQLiteStore

@Suite("Views, notes and reviews over HTTP")
struct ReviewRoutesTests {
    private static let day: Int64 = 86_400_000_000

    static func filled() async throws -> (TestServer, SampleDevice) {
        let server = try await TestServer()
        var device = SampleDevice()
        device.record(device.event("Rounds", data: #"{"type":"Patient","value":[{"_id":"p1"}]}"#))
        device.record(device.event("Rounds", data: #"{"type":"Patient","value":[{"_id":"p2"}]}"#))
        _ = try await server.store.accept(device.upload(1...2, seal: device.seal()))
        return (server, device)
    }

    private static func order(_ name: String, _ query: String, shared: Bool = false) -> String {
        #"{"name":"\#(name)","query":"\#(query)","shared":\#(shared)}"#
    }

    @Test("a view is saved, changed and deleted by its owner, and shared with whoever may read what it is about")
    func views() async throws {
        let (server, _) = try await Self.filled()
        let adams = try await server.token("Dr. Adams", .auditor)
        let baker = try await server.token("Dr. Baker", .auditor)
        let lab = try await server.token("Lab", .auditor(apps: ["lab"]))

        try await server.run { client in
            let saved: SavedViewLine =
                try await client.post(
                    "/api/v1/views",
                    Self.order("P 1", "class=Patient&key=p1"),
                    as: adams
                )
                .decoded()
            #expect(saved.owner == "Dr. Adams" && saved.own && !saved.shared)
            let hidden: [SavedViewLine] = try await client.get("/api/v1/views", as: baker).decoded()
            #expect(hidden.isEmpty)
            let path = "/api/v1/views/\(saved.id)"
            #expect(try await client.put(path, #"{"shared":true}"#, as: baker).status == .notFound)
            #expect(try await client.delete(path, as: baker).status == .notFound)

            let shared = try await client.put(path, #"{"shared":true,"name":"Patient 1"}"#, as: adams)
            #expect(shared.status == .ok)
            let seen: [SavedViewLine] = try await client.get("/api/v1/views", as: baker).decoded()
            #expect(seen.map(\.name) == ["Patient 1"])
            #expect(seen.map(\.query) == ["class=Patient&key=p1"])
            #expect(seen.map(\.own) == [false])
            // What is about all apps is not for an auditor of one.
            let bounded: [SavedViewLine] = try await client.get("/api/v1/views", as: lab).decoded()
            #expect(bounded.isEmpty)
            _ = try await client.put(path, #"{"query":"app=lab"}"#, as: adams)
            let narrow: [SavedViewLine] = try await client.get("/api/v1/views", as: lab).decoded()
            #expect(narrow.map(\.query) == ["app=lab"])

            #expect(try await client.delete(path, as: adams).status == .noContent)
            #expect(try await client.delete(path, as: adams).status == .notFound)
            let none: [SavedViewLine] = try await client.get("/api/v1/views", as: adams).decoded()
            #expect(none.isEmpty)
        }
    }

    @Test(
        "a malformed view is refused with a sentence",
        arguments: [
            order("", "app=x"), order("x", "activty=Rounds"), order("x", "since=2024&until=2023"), order("x", "a b"),
            order("x", "text=#"), order(String(repeating: "x", count: 129), ""), order("x\\u0000", ""), "{}", "[]",
            order("x", "text=\(String(repeating: "x", count: 5000))"), order("x", "limit=5"),
        ]
    )
    func malformedView(body: String) async throws {
        let (server, _) = try await Self.filled()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let response = try await client.post("/api/v1/views", body, as: auditor)
            #expect(response.status == .badRequest)
            #expect(response.code == "rejected")
        }
    }

    @Test("notes are about events, partitions, objects, reviews and alerts, stay in order, and are text")
    func notes() async throws {
        let (server, device) = try await Self.filled()
        let adams = try await server.token("Dr. Adams", .auditor)
        let partition = device.partition.value
        let subjects = [
            (#"{"partition":"\#(partition)","sequence":1}"#, "partition=\(partition)&sequence=1"),
            (#"{"partition":"\#(partition)"}"#, "partition=\(partition)"),
            (#"{"app":"ward-app","class":"Patient","key":"p1"}"#, "app=ward-app&class=Patient&key=p1"),
        ]

        try await server.run { client in
            for (body, query) in subjects {
                for text in ["first", "<b>second</b>\\nline"] {
                    let response = try await client.post(
                        "/api/v1/notes",
                        #"{"subject":\#(body),"text":"\#(text)"}"#,
                        as: adams
                    )
                    #expect(response.status == .ok)
                }
                let notes: [NoteLine] = try await client.get("/api/v1/notes?\(query)", as: adams).decoded()
                #expect(notes.map(\.text) == ["first", "<b>second</b>\nline"])
                #expect(notes.map(\.author) == ["Dr. Adams", "Dr. Adams"])
                let place = try #require(notes.first?.event)
                let event = try await client.get(
                    "/api/v1/partitions/\(place.partition)/events/\(place.sequence)",
                    as: adams
                )
                #expect(event.status == .ok)
            }
            for body in [
                #"{"subject":{"partition":"\#(partition)","sequence":3},"text":"x"}"#,
                #"{"subject":{"partition":"ward-0000000000000000000000ff"},"text":"x"}"#,
                #"{"subject":{"review":"x"},"text":"x"}"#, #"{"subject":{"alert":"x"},"text":"x"}"#,
            ] {
                #expect(try await client.post("/api/v1/notes", body, as: adams).status == .notFound)
            }
            for body in [
                #"{"subject":{},"text":"x"}"#, #"{"subject":{"partition":"\#(partition)"},"text":" "}"#,
                #"{"subject":{"partition":"\#(partition)","review":"x"},"text":"x"}"#,
                #"{"subject":{"partition":"\#(partition)"},"text":"\#(String(repeating: "x", count: 4097))"}"#,
                #"{"subject":{"partition":"\#(partition)"},"text":"\u0007"}"#,
            ] {
                #expect(try await client.post("/api/v1/notes", body, as: adams).status == .badRequest)
            }
            for query in ["", "?sequence=1", "?partition=x", "?review=a&alert=b", "?partition=\(partition)&sequence=0"]
            {
                #expect(try await client.get("/api/v1/notes\(query)", as: adams).status == .badRequest)
            }
        }
    }

    @Test("a review is due, signed off with what it covers, and due again; the signature is an event of its own")
    func review() async throws {
        let (server, device) = try await Self.filled()
        let reviewer = try await server.token("Dr. Adams", .reviewer)
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let view: SavedViewLine =
                try await client.post(
                    "/api/v1/views",
                    Self.order("Patients", "class=Patient", shared: true),
                    as: reviewer
                )
                .decoded()
            let plan = #"{"view":"\#(view.id)","period":"daily","zone":"Europe/Zurich","who":"the ward"}"#
            #expect(try await client.post("/api/v1/reviews", plan, as: auditor).status == .forbidden)
            let planned: ReviewLine = try await client.post("/api/v1/reviews", plan, as: reviewer).decoded()
            #expect(planned.state == "waiting" && planned.who == "the ward" && planned.zone == "Europe/Zurich")

            server.clock.advance(microseconds: Self.day)
            let due: [ReviewLine] = try await client.get("/api/v1/reviews", as: auditor).decoded()
            let line = try #require(due.first)
            #expect(line.state == "due" && line.events == 2 && line.isExact && line.alerts == 0)

            let path = "/api/v1/reviews/\(line.id)/signatures"
            let signature =
                #"{"outcome":"finding","through":"\#(line.through)","note":"p2 by mistake","reason":"round"}"#
            #expect(try await client.post(path, signature, as: auditor).status == .forbidden)
            let signed: SignOffLine = try await client.post(path, signature, as: reviewer).decoded()
            #expect(signed.from == line.from && signed.through == line.through)
            #expect(signed.events == 2 && signed.logSize == 1 && signed.author == "Dr. Adams")
            #expect(signed.outcome == "finding" && signed.note == "p2 by mistake")

            let after: [ReviewLine] = try await client.get("/api/v1/reviews", as: auditor).decoded()
            #expect(after.first?.state == "waiting" && after.first?.events == 0)
            #expect(after.first?.last == signed)
            let all: [SignOffLine] = try await client.get(path, as: auditor).decoded()
            #expect(all == [signed])
            let event = try await client.get(
                "/api/v1/partitions/\(signed.event.partition)/events/\(signed.event.sequence)",
                as: auditor
            )
            #expect(String(buffer: event.body).contains("sign off review"))

            // Two days later nobody has looked, and that is an alert.
            server.clock.advance(microseconds: 2 * Self.day)
            let late: [ReviewLine] = try await client.get("/api/v1/reviews", as: auditor).decoded()
            #expect(late.first?.state == "overdue")
            for _ in 1...2 {
                let alerts: AlertPage = try await client.get("/api/v1/alerts", as: auditor).decoded()
                #expect(alerts.alerts.map(\.kind) == ["overdueReview"])
                #expect(alerts.alerts.map(\.review) == [line.id])
            }

            #expect(try await client.delete("/api/v1/reviews/\(line.id)", as: reviewer).status == .noContent)
            let ended: [ReviewLine] = try await client.get("/api/v1/reviews", as: auditor).decoded()
            #expect(ended.isEmpty)
            #expect(device.events.count == 2)
        }
    }

    @Test("a signature that covers what nobody has seen, or says nothing of a finding, is refused")
    func malformedSignature() async throws {
        let (server, _) = try await Self.filled()
        let reviewer = try await server.headers(.reviewer)

        try await server.run { client in
            let view: SavedViewLine = try await client.post("/api/v1/views", Self.order("All", ""), as: reviewer)
                .decoded()
            for plan in [
                #"{"view":"\#(view.id)","period":"hourly","zone":"UTC"}"#,
                #"{"view":"\#(view.id)","period":"daily","zone":"Mars"}"#, "{}",
            ] {
                #expect(try await client.post("/api/v1/reviews", plan, as: reviewer).status == .badRequest)
            }
            let plan = #"{"view":"\#(view.id)","period":"daily","zone":"UTC"}"#
            let review: ReviewLine = try await client.post("/api/v1/reviews", plan, as: reviewer).decoded()
            server.clock.advance(microseconds: Self.day)
            let now = server.clock.now().wall
            let path = "/api/v1/reviews/\(review.id)/signatures"
            for body in [
                #"{"outcome":"noFinding","through":"\#(review.from)"}"#,
                #"{"outcome":"noFinding","through":"\#(now)"}"#,
                #"{"outcome":"noFinding","through":"yesterday"}"#, #"{"outcome":"maybe","through":"\#(review.from)"}"#,
                #"{"outcome":"finding","through":"\#(review.from)"}"#, "{}",
            ] {
                #expect(try await client.post(path, body, as: reviewer).status == .badRequest, "\(body)")
            }
        }
    }

    @Test(
        "a review begins at the time that was chosen, also in the past, and is due in the period in which it was planned"
    )
    func beginning() async throws {
        let (server, _) = try await Self.filled()
        let reviewer = try await server.headers(.reviewer)

        try await server.run { client in
            server.clock.advance(microseconds: 40 * Self.day)
            let view: SavedViewLine = try await client.post("/api/v1/views", Self.order("All", ""), as: reviewer)
                .decoded()
            func plan(_ begins: String) -> String {
                #"{"view":"\#(view.id)","period":"daily","zone":"UTC","begins":"\#(begins)"}"#
            }
            let past = "2023-11-01T00:00:00.000000Z"
            let planned: ReviewLine = try await client.post("/api/v1/reviews", plan(past), as: reviewer).decoded()
            #expect(planned.from == past && planned.state == "waiting" && planned.events == 2)
            let alerts: AlertPage = try await client.get("/api/v1/alerts", as: reviewer).decoded()
            #expect(alerts.alerts.isEmpty, "what was planned just now is not overdue")
            let signature = #"{"outcome":"noFinding","through":"\#(planned.through)"}"#
            let signed: SignOffLine =
                try await client.post(
                    "/api/v1/reviews/\(planned.id)/signatures",
                    signature,
                    as: reviewer
                )
                .decoded()
            #expect(signed.from == past && signed.events == 2)

            for begins in ["yesterday", "2023-11-01", "1969-01-01T00:00:00Z", "2030-01-01T00:00:00Z"] {
                let refused = try await client.post("/api/v1/reviews", plan(begins), as: reviewer)
                #expect(refused.status == .badRequest, "\(begins)")
                #expect(String(buffer: refused.body).contains("begins"))
            }
        }
    }

    @Test("a signature that is refused says in a reader's words what to do")
    func refusals() async throws {
        let (server, _) = try await Self.filled()
        let reviewer = try await server.headers(.reviewer)

        try await server.run { client in
            let view: SavedViewLine = try await client.post("/api/v1/views", Self.order("All", ""), as: reviewer)
                .decoded()
            let plan = #"{"view":"\#(view.id)","period":"daily","zone":"UTC"}"#
            let review: ReviewLine = try await client.post("/api/v1/reviews", plan, as: reviewer).decoded()
            func refusal(_ through: String) async throws -> String {
                let body = #"{"outcome":"noFinding","through":"\#(through)"}"#
                let answer = try await client.post("/api/v1/reviews/\(review.id)/signatures", body, as: reviewer)
                #expect(answer.status == .badRequest)
                return String(buffer: answer.body)
            }
            #expect(try await refusal(review.from).contains("there is nothing to sign off yet"))
            server.clock.advance(microseconds: Self.day)
            #expect(try await refusal("\(server.clock.now().wall)").contains("may not be complete"))
            let through = "\(EventInstant(microseconds: server.clock.now().wall.microseconds - Self.day / 2))"
            let body = #"{"outcome":"noFinding","through":"\#(through)"}"#
            let path = "/api/v1/reviews/\(review.id)/signatures"
            #expect(try await client.post(path, body, as: reviewer).status == .ok)
            #expect(try await refusal(through).contains("signed off in the meantime"))
        }
    }

    @Test("another server on the same store, and the next start, know what was written")
    func otherServer() async throws {
        let (server, device) = try await Self.filled()
        let reviewer = try await server.headers(.reviewer)
        let note = #"{"subject":{"partition":"\#(device.partition.value)"},"text":"known"}"#

        try await server.run { client async throws in
            _ = try await client.post("/api/v1/views", Self.order("All", ""), as: reviewer)
            _ = try await client.post("/api/v1/notes", note, as: reviewer)
        }
        try await server.service(firstID: 1000)
            .application(logger: TestServer.quiet)
            .test(.router) { client in
                let views: [SavedViewLine] = try await client.get("/api/v1/views", as: reviewer).decoded()
                #expect(views.map(\.name) == ["All"])
                let notes: [NoteLine] =
                    try await client.get(
                        "/api/v1/notes?partition=\(device.partition.value)",
                        as: reviewer
                    )
                    .decoded()
                #expect(notes.map(\.text) == ["known"])
            }
    }
}

/// The body of a list of alerts.
struct AlertPage: Decodable {
    let alerts: [AlertLine]
    let after: String?
    let open: Int
}

extension TestServer {
    static var quiet: Logger {
        Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    }

    /// The headers of somebody whom a token was issued to.
    func token(_ name: String, _ identity: Identity) async throws -> HTTPFields {
        let now = clock.now().wall
        let record = IssuedToken(
            id: String((Hexadecimal.text(Array(name.utf8)) + String(repeating: "0", count: 24)).prefix(24)),
            identity: identity,
            name: name,
            issued: now,
            expires: EventInstant(microseconds: now.microseconds + 30 * 86_400_000_000)
        )
        try await accounts.add(record)
        return [.authorization: "Bearer \(try await tokens.issue(record))"]
    }

    /// A server as the next start makes it, whose ids are new ones.
    func service(firstID: UInt32, index: SearchIndex? = nil) -> AuditService {
        AuditService(
            configuration: configuration,
            store: store,
            index: index ?? self.index,
            accounts: accounts,
            tokens: tokens,
            key: key,
            clock: clock,
            ids: SequentialIds(first: firstID)
        )
    }
}

extension TestClientProtocol {
    func put(_ uri: String, _ body: String, as headers: HTTPFields) async throws -> TestResponse {
        try await execute(uri: uri, method: .put, headers: headers, body: ByteBuffer(string: body))
    }

    func delete(_ uri: String, as headers: HTTPFields) async throws -> TestResponse {
        try await execute(uri: uri, method: .delete, headers: headers, body: nil)
    }
}

import AuditHTTP
import AuditModel
import AuditSearch
import AuditServerTesting
import EventModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Reconstruction over HTTP")
struct ReconstructionRoutesTests {
    private struct Answer: Decodable {
        struct Claim: Decodable {
            let value: String?
            let bytes: Int
            let origin: String
            let source: Int
        }
        struct Field: Decodable {
            let name: String
            let shown: Claim?
            let known: Claim?
        }
        struct Source: Decodable {
            struct Line: Decodable {
                let partition: String
                let sequence: UInt64
                let changed: Bool
            }
            let line: Line
            let isOwn: Bool
            let hadHappened: Bool
            let wasReceived: Bool
        }
        let moment: String
        let state: String
        let fields: [Field]
        let sources: [Source]
        let links: [String]
        let ownEvents: Int
        let otherEvents: Int
        let isComplete: Bool
    }

    private static func server() async throws -> TestServer {
        let server = try await TestServer()
        var (ada, bob) = (SampleDevice(1), SampleDevice(2))
        let shown = #"{"type":"Patient","value":[{"_id":"p1","bed":1,"doctor":"d1"}]}"#
        ada.record(ada.event("Rounds", data: shown, metadata: try EventMetadata(["nurse": "ada"])))
        ada.record(ada.event("Other", data: #"{"type":"Doctor","value":[{"_id":"d1"}]}"#))
        let change = #"{"Patient":{"modifications":[{"newValue":{"bed":2},"oldValue":{"_id":"p1","bed":1}}]}}"#
        bob.record(["x", "y"])
        bob.record(bob.event("Move", event: "write", data: change, metadata: try EventMetadata(["nurse": "bob"])))
        _ = try await server.store.accept(ada.upload(1...2))
        _ = try await server.store.accept(bob.upload(1...3, owner: EventOwner(app: "ward-app", user: "bb")))
        return server
    }

    @Test("a record is as the person had been shown it, with what the server knew besides, and where each value stands")
    func record() async throws {
        let server = try await Self.server()
        let auditor = try await server.headers(.auditor)
        let partition = SampleDevice(1).partition.value

        try await server.run { client in
            let path = "/api/v1/reconstruct?class=Patient&key=p1&person=ada"
            let answer: Answer = try await client.get("\(path)&at=2024-01-01T00:00:00Z", as: auditor).decoded()
            #expect(answer.state == "seen")
            #expect(answer.fields.map(\.name) == ["_id", "bed", "doctor"])
            #expect(answer.fields.map(\.shown?.value) == [#""p1""#, "1", #""d1""#])
            #expect(answer.fields.map(\.known?.value) == [nil, "2", nil])
            #expect(answer.fields.compactMap(\.known?.origin) == ["written"])
            #expect(answer.links == ["d1", "p1"])
            #expect((answer.ownEvents, answer.otherEvents) == (1, 1))
            #expect(answer.isComplete)
            let source = try #require(answer.fields[1].shown.map { answer.sources[$0.source] })
            #expect((source.line.partition, source.line.sequence) == (partition, 1))
            #expect(source.isOwn && source.hadHappened && source.wasReceived && !source.line.changed)

            let atEvent: Answer = try await client.get("\(path)&at=\(partition)/1", as: auditor).decoded()
            #expect(atEvent.moment == "2023-11-14T22:13:20.000001Z")
            #expect(atEvent.fields.map(\.known?.value) == [nil, nil, nil])
            let byBob = "/api/v1/reconstruct?class=Patient&key=p1&person=bob&at=2024-01-01T00:00:00Z"
            let bob: Answer = try await client.get(byBob, as: auditor)
                .decoded()
            #expect(bob.fields.map(\.shown?.origin) == [nil, "written", nil])
            let unseen: Answer = try await client.get("\(path)&at=2023-01-01T00:00:00Z", as: auditor).decoded()
            #expect(unseen.state == "unseen")
            #expect(unseen.fields.isEmpty)
        }
    }

    @Test(
        "a reconstruction that does not say of what, by whom or when is refused",
        arguments: [
            "key=p1&person=ada", "class=Patient&person=ada", "class=Patient&key=p1",
            "class=Patient&key=p1&person=a&at=now",
            "class=Patient&key=p1&person=a&at=none/1",
            "class=Patient&key=p1&person=a&at=ward-000000000000000700000001/0",
            "class=Patient&key=p1&person=a&moment=x",
        ]
    )
    func malformed(query: String) async throws {
        let server = try await Self.server()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let response = try await client.get("/api/v1/reconstruct?\(query)", as: auditor)
            #expect(response.status == .badRequest)
            #expect(response.code == "rejected")
        }
    }

    @Test("an auditor bounded to an app is told nothing of what other apps know")
    func boundedAuditor() async throws {
        let server = try await Self.server()
        var other = SampleDevice(3)
        let secret = #"{"type":"Patient","value":[{"_id":"p1","bed":99,"secret":"s"}]}"#
        other.record(other.event("Secret", data: secret))
        _ = try await server.store.accept(other.upload(1...1, owner: EventOwner(app: "other", user: "cc")))
        let path = "/api/v1/reconstruct?class=Patient&key=p1&person=ada&at=2024-01-01T00:00:00Z"
        let byEvent = "/api/v1/reconstruct?class=Patient&key=p1&person=ada"
        let secretPartition = other.partition.value

        try await server.run { client in
            let bounded = try await server.headers(.auditor(apps: ["ward-app"]))
            let answer = try await client.get(path, as: bounded)
            #expect(!String(buffer: answer.body).contains("secret"))
            let all = try await client.get(path, as: server.headers(.auditor))
            #expect(String(buffer: all.body).contains("secret"))
            let foreign = try await client.get("\(byEvent)&at=\(secretPartition)/1", as: bounded)
            #expect(foreign.status == .notFound)
            let trail = try await client.get("/api/v1/search?app=daybook/auditors", as: server.headers(.auditor))
            #expect(String(buffer: trail.body).contains("reconstruct"))
        }
    }

    @Test("texts of an event that are keys of objects are named, as far as who asks may read the object")
    func links() async throws {
        struct Detail: Decodable {
            let links: [String]
        }
        let server = try await Self.server()
        var other = SampleDevice(3)
        other.record(other.event("x", data: #"{"type":"Doctor","value":[{"_id":"d1"},{"_id":"d9","name":"d8"}]}"#))
        _ = try await server.store.accept(other.upload(1...1, owner: EventOwner(app: "other", user: "cc")))
        let path = "/api/v1/partitions/\(SampleDevice(1).partition.value)/events/1"
        let foreign = "/api/v1/partitions/\(other.partition.value)/events/1"

        try await server.run { client in
            for identity in [Identity.auditor, .auditor(apps: ["ward-app"])] {
                let detail: Detail = try await client.get(path, as: server.headers(identity)).decoded()
                #expect(detail.links == ["d1", "p1"])
            }
            let bounded: Detail = try await client.get(foreign, as: server.headers(.auditor(apps: ["other"]))).decoded()
            #expect(bounded.links == ["d1", "d9"])
        }
    }
}

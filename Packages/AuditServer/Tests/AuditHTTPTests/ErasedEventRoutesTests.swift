import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditAccounts
@testable import AuditAdmission
@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

@Suite("Erased events over HTTP")
struct ErasedEventRoutesTests {
    /// A text that stands in what is erased, and nowhere else.
    private static let secret = "Zq7secret9"

    /// A device with two events about the patient p1 and three about others.
    private static func device() throws -> SampleDevice {
        var device = SampleDevice()
        let about = try EventMetadata(["nurse": secret, "ward": "7"])
        let patient = #"{"_id":"p1","name":"\#(secret)","friend":"p2"}"#
        device.record(device.event("Rounds", data: #"{"type":"Patient","value":[\#(patient)]}"#, metadata: about))
        device.record(device.event("Rounds", data: #"{"type":"Patient","value":[{"_id":"p2","town":"Bonn"}]}"#))
        let change = #"{"Patient":{"modifications":[{"newValue":{"name":"\#(secret)2"},"oldValue":\#(patient)}]}}"#
        device.record(device.event("Admit \(secret)", event: "write", data: change, metadata: about))
        device.record(device.event("Rounds", data: #"{"type":"Note","value":[{"_id":"n1","text":"fine"}]}"#))
        device.record(device.event("Sign in", event: nil, data: "at home"))
        return device
    }

    private static func server(_ folder: TestFolder, _ device: SampleDevice) async throws -> TestServer {
        var limits = ServerLimits()
        limits.requests = .init(perMinute: 1_000_000, burst: 1_000_000)
        let labels = ClassLabels([ExactText("Patient"): try LabelTemplate("{name}")])
        let clock = ManualClock(start: EventInstant(microseconds: SampleDevice.received.microseconds + 1_000_000))
        let server = try await TestServer(
            store: SQLiteEventStore(path: folder.file("db")),
            configuration: ServerConfiguration(apps: ["ward-app": AppSettings(labels: labels)], limits: limits),
            clock: clock,
            index: SearchIndex()
        )
        _ = try await server.store.accept(device.upload(1...5, seal: device.seal()))
        return server
    }

    private static func erase(_ client: any TestClientProtocol, as headers: HTTPFields) async throws {
        let order = #"{"filter":{"class":"Patient","key":"p1"},"reason":"asked","events":2}"#
        let record: ErasureRecord = try await client.post("/api/v1/erasures", order, as: headers).decoded()
        try #require(record.result?.events == 2)
    }

    @Test("no route that reads tells anything of what an erased event said, though all did before")
    func everyRoute() async throws {
        let device = try Self.device()
        let folder = try TestFolder.made()
        let server = try await Self.server(folder, device)
        let administrator = try await server.headers(.administrator)
        let askers = [try await server.headers(.reviewer)]
        let routes = try EveryRoute(server, device)
        let holdsSecret: @Sendable (TestResponse) -> Bool = { response in
            let text = String(buffer: response.body)
            return [Self.secret, Hexadecimal.text(Array(Self.secret.utf8))].contains { text.contains($0) }
        }

        try await server.run { client in
            // An erasure of nothing, so that the route of its ranges has something to answer.
            let nothing = #"{"filter":{"activity":"none"},"reason":"asked","events":0}"#
            #expect(try await client.post("/api/v1/erasures", nothing, as: administrator).status == .ok)
            let before = try await routes.ask(client, as: askers, where: holdsSecret)
            for path in [
                "search", "search/values?of=metadata", "timeline", "reconstruct", "events", "events/new", "names?text",
                "names?class",
            ] {
                #expect(before.contains { $0.hasPrefix("/api/v1/\(path)") }, "\(path)")
            }

            try await Self.erase(client, as: administrator)

            #expect(try await routes.ask(client, as: askers, where: holdsSecret) == [])
        }
    }

    private struct Found: Decodable {
        struct Line: Decodable {
            let sequence: UInt64
        }

        struct Entry: Decodable {
            let line: Line
        }

        let events: [Line]
    }

    private struct Timeline: Decodable {
        let events: [Found.Entry]
    }

    private struct Record: Decodable {
        struct Field: Decodable {
            let name: String
        }

        let state: String
        let fields: [Field]
        let mentions: [Field]
        let ownEvents: Int
    }

    private struct Place: Decodable {
        let partition: PartitionID
        let sequence: UInt64
    }

    @Test("the pages of objects, people and sessions go on without erased events, and listings name their erasure")
    func pages() async throws {
        let device = try Self.device()
        let folder = try TestFolder.made()
        let server = try await Self.server(folder, device)
        let administrator = try await server.headers(.administrator)
        let auditor = try await server.headers(.auditor)
        let person = "person=\(SampleDevice.owner.user)"

        try await server.run { client in
            let record = "/api/v1/reconstruct?class=Patient&key=p1&\(person)"
            let seen: Record = try await client.get(record, as: auditor).decoded()
            #expect(seen.fields.map(\.name).contains("name"))
            #expect(seen.ownEvents == 2)
            try await Self.erase(client, as: administrator)

            let timeline: Timeline = try await client.get("/api/v1/timeline?\(person)", as: auditor).decoded()
            #expect(timeline.events.map(\.line.sequence) == [2, 4, 5])
            let forgotten: Record = try await client.get(record, as: auditor).decoded()
            #expect(forgotten.fields.isEmpty && forgotten.mentions.isEmpty && forgotten.ownEvents == 0)
            for at in [1, 3] {
                let uri = "\(record)&at=\(device.partition.value)/\(at)"
                #expect(try await client.get(uri, as: auditor).status == .notFound)
            }
            for (filter, sequences) in [
                ("class=Patient&key=p1", []), ("class=Patient", [2]), (person, [5, 4, 2]), ("activity=Rounds", [4, 2]),
                ("metadata.ward=7", []), ("text=\(Self.secret)", []), ("", [5, 4, 2]),
            ] as [(String, [UInt64])] {
                let found: Found = try await client.get("/api/v1/search?\(filter)", as: auditor).decoded()
                #expect(found.events.map(\.sequence) == sequences, "\(filter)")
            }

            let lines = try await client.get("/api/v1/events?app=ward-app", as: auditor).lines(EventLine.self)
            #expect(lines.map(\.details.erasure) == [1, nil, 1, nil, nil])
            #expect(lines.allSatisfy { !$0.details.damaged })
            #expect(lines.map { $0.activity == nil } == [true, false, true, false, false])
            // Its id is kept, so that whoever has it finds the record of what became of the event.
            let place: Place = try await client.get("/api/v1/events/\(device.events[2].id)", as: auditor).decoded()
            #expect(place.partition == device.partition && place.sequence == 3)
        }
    }
}

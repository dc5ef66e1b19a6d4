import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventProofs
import Foundation
import HTTPTypes
import HummingbirdTesting
import SQLiteStore
import Testing

@Suite("Searching over HTTP")
struct SearchRoutesTests {
    private struct Answer: Decodable {
        struct Line: Decodable {
            let partition: String
            let sequence: UInt64
            let activity: String?
            let event: String?
            let changed: Bool
            let objects: [EventObject]
            let objectCount: Int
            let excerpt: String?
        }
        let events: [Line]
        let before: String?
        let after: String?
        let isCurrent: Bool
    }

    private struct News: Decodable {
        let events: [Answer.Line]
        let last: String
        let isMore: Bool
        let beginsAnew: Bool
    }

    private struct Detail: Decodable {
        let event: EventLine
        let objects: [EventObject]
        let proof: EventProof?
        let partition: PartitionRecord
    }

    private static func filled() async throws -> (TestServer, SampleDevice) {
        let server = try await TestServer()
        var device = SampleDevice()
        device.record(device.event("Rounds", data: #"{"type":"Patient","value":[{"_id":"p1"},{"_id":"p2"}]}"#))
        device.record(device.event("Rounds", event: "button", data: "plain text"))
        device.record(device.event("Handover", metadata: try EventMetadata(["nurse & co": "a+b=c"])))
        _ = try await server.store.accept(device.upload(1...3, seal: device.seal()))
        return (server, device)
    }

    @Test("a search answers with short lines, newest first, and turns pages in both directions")
    func searching() async throws {
        let (server, device) = try await Self.filled()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let first: Answer = try await client.get("/api/v1/search?limit=2", as: auditor).decoded()
            #expect(first.events.map(\.sequence) == [3, 2])
            #expect(first.events.map(\.partition) == [device.partition.value, device.partition.value])
            #expect(first.before == nil)
            #expect(first.isCurrent)
            let after = try #require(first.after)
            let second: Answer = try await client.get("/api/v1/search?limit=2&after=\(after)", as: auditor).decoded()
            #expect(second.events.map(\.sequence) == [1])
            #expect(second.after == nil)
            #expect(second.events.first?.objects.map(\.key) == ["p1", "p2"])
            #expect(first.events.last?.excerpt == "plain text")
            let before = try #require(second.before)
            let back: Answer = try await client.get("/api/v1/search?limit=2&before=\(before)", as: auditor).decoded()
            #expect(back.events.map(\.sequence) == [3, 2])
            #expect(back.before == nil)
            let again = try #require(back.after)
            let last: Answer = try await client.get("/api/v1/search?limit=2&after=\(again)", as: auditor).decoded()
            #expect(last.events.map(\.sequence) == [1])
            let oldest: Answer = try await client.get("/api/v1/search?order=oldest", as: auditor).decoded()
            #expect(oldest.events.map(\.sequence) == [1, 2, 3])
        }
    }

    @Test("filters of the query find what they name, in searches and in listings")
    func filters() async throws {
        let (server, device) = try await Self.filled()
        let auditor = try await server.headers(.auditor)
        let expectations: [String: [UInt64]] = [
            "class=Patient": [1], "class=Patient&key=p2": [1], "key=p3": [],
            "person=0000000000000000000000aa": [1, 2, 3],
            "person=a%2Bb%3Dc": [3], "metadata.nurse%20%26%20co=a%2Bb%3Dc": [3], "event=button": [2], "text=PLAIN": [2],
            "outcome=complete&app=ward-app": [1, 2, 3], "outcome=damaged": [],
            "boot=\(Boot(high: 1, low: 2).hex)": [1, 2, 3],
            "device=\(Hexadecimal.text(device.key.publicKey))": [1, 2, 3],
            "device=\(Hexadecimal.text(device.key.publicKey))&event=button": [2],
            "device=\(String(repeating: "0", count: 64))": [],
            "receivedSince=2023-11-14T22:13:21Z": [1, 2, 3], "receivedUntil=2023-11-14T22:13:21Z": [],
        ]

        try await server.run { client in
            for (query, sequences) in expectations {
                let found: Answer = try await client.get("/api/v1/search?order=oldest&\(query)", as: auditor).decoded()
                #expect(found.events.map(\.sequence) == sequences, "\(query)")
                let listed = try await client.get("/api/v1/events?\(query)", as: auditor).lines(EventLine.self)
                    .filter { $0.details.app == "ward-app" }
                #expect(listed.map(\.details.sequence) == sequences, "\(query)")
            }
        }
    }

    @Test(
        "a malformed search is refused with a sentence",
        arguments: [
            "search?limit=0", "search?limit=501", "search?order=up", "search?after=x", "search?after=1.2&before=1.2",
            "search?outcome=fine", "search?boot=12", "search?device=12", "events?device=x", "search?activty=Rounds",
            "search?since=2024&until=2023",
            "search?since=2024-01-02T00:00:00Z&until=2024-01-01T00:00:00Z", "search?event=a&event=b",
            "search/volume?bars=1", "search/values?of=secrets", "search/new?last=-1", "events?activty=Rounds",
            "partitions/ward-000000000000000700000001/events/x", "partitions/none/events/1",
        ]
    )
    func malformed(path: String) async throws {
        let (server, _) = try await Self.filled()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let response = try await client.get("/api/v1/\(path)", as: auditor)
            #expect(response.status == .badRequest)
            #expect(response.code == "rejected")
        }
    }

    @Test(
        "nobody but an auditor searches",
        arguments: ["search", "search/volume", "search/values", "search/new", "search/summary"]
    )
    func roles(path: String) async throws {
        let server = try await TestServer()
        let user = try await server.headers(.uploader(SampleDevice.owner))
        let administrator = try await server.headers(.administrator)

        try await server.run { client in
            for (headers, status) in [
                (user, HTTPResponse.Status.forbidden), (administrator, .forbidden), ([:], .unauthorized),
            ] {
                let response = try await client.get("/api/v1/\(path)", as: headers)
                #expect(response.status == status)
            }
        }
    }

    @Test("an event comes with its objects and a proof that holds")
    func proof() async throws {
        let (server, device) = try await Self.filled()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let path = "/api/v1/partitions/\(device.partition.value)/events"
            for sequence in 1...3 {
                let detail: Detail = try await client.get("\(path)/\(sequence)", as: auditor).decoded()
                let proof = try #require(detail.proof)
                try proof.verify(publicKey: device.key.publicKey)
                let decoded = try proof.decodedEvent()
                #expect(decoded == device.events[sequence - 1])
                #expect(detail.event.details.sequence == UInt64(sequence))
            }
            #expect(try await client.get("\(path)/4", as: auditor).status == .notFound)
            #expect(
                try await client.get("/api/v1/partitions/\(SampleDevice(9).partition.value)/events/1", as: auditor)
                    .status == .notFound
            )
        }
    }

    @Test("an auditor of some apps finds nothing of the others, and learns no numbers of them")
    func limitedAuditor() async throws {
        let (server, device) = try await Self.filled()
        var other = SampleDevice(2)
        other.record(["Secret"])
        _ = try await server.store.accept(other.upload(1...1, owner: EventOwner(app: "other", user: "bb")))
        let auditor = try await server.headers(.auditor(apps: ["other"]))
        let both = try await server.headers(.auditor(apps: ["other", "third"]))

        try await server.run { client in
            for headers in [auditor, both] {
                let all: Answer = try await client.get("/api/v1/search", as: headers).decoded()
                #expect(all.events.map(\.activity) == ["Secret"])
                let foreign: Answer = try await client.get("/api/v1/search?app=ward-app", as: headers).decoded()
                #expect(foreign.events.isEmpty)
                let trail: Answer = try await client.get("/api/v1/search?app=daybook/auditors", as: headers).decoded()
                #expect(trail.events.isEmpty)
                let event = try await client.get("/api/v1/partitions/\(device.partition.value)/events/1", as: headers)
                #expect(event.status == .notFound)
                let values = try await client.get("/api/v1/search/values", as: headers)
                #expect(values.status == .forbidden)
            }
            let own: SearchVolume = try await client.get("/api/v1/search/volume", as: auditor).decoded()
            #expect(own.counts.reduce(0, +) == 1)
            let some: SearchVolume = try await client.get("/api/v1/search/volume", as: both).decoded()
            #expect(some.counts.reduce(0, +) == 1)
            #expect(some.isExact)
        }
    }

    @Test("what an auditor does is an event, which ordinary searches leave out")
    func trail() async throws {
        let (server, device) = try await Self.filled()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            _ = try await client.get("/api/v1/search?activity=Rounds", as: auditor)
            _ = try await client.get("/api/v1/partitions/\(device.partition.value)/events/1", as: auditor)
            let news: News = try await client.get("/api/v1/search/new?event=read", as: auditor).decoded()
            #expect(news.events.isEmpty)
            let all: Answer = try await client.get("/api/v1/search?outcome=complete", as: auditor).decoded()
            #expect(all.events.map(\.sequence) == [3, 2, 1])
            let trail: Answer = try await client.get("/api/v1/search?order=oldest&app=daybook/auditors", as: auditor)
                .decoded()
            #expect(trail.events.map(\.activity) == ["search", "view event", "follow", "search"])
            #expect(trail.events.first?.event == "audit")
            #expect(trail.events.first?.excerpt?.contains("activity=Rounds") == true)
        }
    }

    @Test("what cannot be recorded is not answered")
    func trailFails() async throws {
        let server = try await TestServer(store: FullEventStore(InMemoryEventStore()))
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let response = try await client.get("/api/v1/search", as: auditor)
            #expect(response.status == .serviceUnavailable)
        }
    }

    @Test("what arrives later is told once, in the order of arrival")
    func following() async throws {
        let (server, _) = try await Self.filled()
        let auditor = try await server.headers(.auditor)
        let user = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client in
            let start: News = try await client.get("/api/v1/search/new", as: auditor).decoded()
            var device = SampleDevice(2)
            device.record(["a", "b", "c"])
            #expect(try await client.upload(device.stretch(1...3), as: user).status == .ok)
            let news: News = try await client.get("/api/v1/search/new?last=\(start.last)", as: auditor).decoded()
            #expect(news.events.map(\.activity) == ["a", "b", "c"])
            let none: News = try await client.get("/api/v1/search/new?last=\(news.last)", as: auditor).decoded()
            #expect(none.events.isEmpty)
            #expect(!none.isMore && !none.beginsAnew && !start.beginsAnew)
        }
    }

    @Test("the volume and the values of all events are counted")
    func counting() async throws {
        let (server, _) = try await Self.filled()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let volume: SearchVolume = try await client.get("/api/v1/search/volume?bars=3", as: auditor).decoded()
            #expect(volume.counts == [1, 1, 1])
            let values: [SearchValue] = try await client.get("/api/v1/search/values?of=activity", as: auditor)
                .decoded()
            #expect(values.map(\.value) == ["Rounds", "Handover"])
        }
    }
}

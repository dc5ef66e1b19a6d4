import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SQLiteStore
import Testing

@Suite("Auditing over HTTP")
struct ListingRoutesTests {
    private static let hostile = [
        "<script>alert(1)</script>", "'; DROP TABLE AuditEvent; --", "\" OR 1=1 --", "\u{0}zero\u{0}", "line\nfeed\r\n",
        "\u{1B}[31mred", "../../etc/passwd", "%00%2e%2e", "{\"a\":1}", "\u{202E}reversed", "",
    ]

    @Test("events come back as lines of JSON with their fields, metadata and proof")
    func lines() async throws {
        let server = try await TestServer()
        var device = SampleDevice()
        device.record(
            device.event("Rounds", data: #"{"value":[1]}"#, metadata: try EventMetadata(["userId": "nurse1"]))
        )
        device.record(
            AuditEvent(
                id: ObjectId(high: 1, low: 1),
                clock: device.events[0].clock,
                activity: "Screen",
                marks: [.interrupted]
            )
        )
        _ = try await server.store.accept(device.upload(1...2))
        let auditor = try await server.headers(.auditor)
        let leaf = MerkleHash.leaf(device.events[0].encoded)

        try await server.run { client in
            let response = try await client.get("/api/v1/events", as: auditor)
            let lines = response.body.readableBytesView.split(separator: 0x0A)
                .map { String(decoding: $0, as: UTF8.self) }

            #expect(response.headers[.contentType] == "application/x-ndjson")
            #expect(
                lines.first == """
                    {"_id":"000000000000070100000001","_partition":"ward-000000000000000700000001",\
                    "activity":"Rounds","data":"{\\"value\\":[1]}","daybook":{"app":"ward-app",\
                    "boot":"00000000000000010000000000000002","damaged":false,"incomplete":false,"interrupted":false,\
                    "leafHash":"\(leaf)","masked":false,"monotonicNanoseconds":1000,"received":"2023-11-14T22:13:21.000000Z",\
                    "scopeCommitted":"2023-11-14T22:13:20.500000Z","sequence":1,\
                    "user":"0000000000000000000000aa"},"event":"read","timestamp":"2023-11-14T22:13:20.000001Z",\
                    "userId":"nurse1"}
                    """
            )
            let second = try #require(try response.lines(EventLine.self).last)
            #expect(second.event == nil)
            #expect(second.data == nil)
            #expect(second.details.interrupted)
            #expect(second.details.scopeCommitted == nil)
        }
    }

    @Test("each listing is recorded before it is answered, once for all its pages, and not among the events of devices")
    func trail() async throws {
        let server = try await TestServer()
        var device = SampleDevice()
        device.record(["a", "b", "c"])
        _ = try await server.store.accept(device.upload(1...3))
        let auditor = try await server.headers(.auditor)
        let partition = device.partition

        try await server.run { client in
            for path in ["events?limit=2&activity=a", "partitions?limit=1", "partitions/\(partition)/leaves?limit=2"] {
                let first = try await client.get("/api/v1/\(path)", as: auditor)
                let name = try #require(HTTPField.Name(AuditService.nextCursorHeader))
                guard let next = first.headers[name] else { continue }
                let second = try await client.get("/api/v1/\(path)&after=\(next)", as: auditor)
                #expect(second.status == .ok)
            }
            let records = try await client.get("/api/v1/events?app=daybook/auditors", as: auditor).lines(EventLine.self)
            #expect(records.map(\.activity) == ["list events", "list partitions", "read leaves"])
            #expect(records.first?.data?.contains("limit=2&activity=a") == true)
            #expect(records.last?.data?.contains(partition.value) == true)
            let events = try await client.get("/api/v1/events", as: auditor).lines(EventLine.self)
            #expect(events.map(\.activity) == ["a", "b", "c"])
        }
    }

    @Test("pages follow each other by the cursor in the header, and hold every event once")
    func paging() async throws {
        let server = try await TestServer()
        for number in [3, 1, 2] as [UInt32] {
            var device = SampleDevice(number)
            device.record(["a", "b", "c"])
            _ = try await server.store.accept(device.upload(1...3))
        }
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            var found: [String] = []
            var next = ""
            repeat {
                let response = try await client.get("/api/v1/events?limit=2\(next)", as: auditor)
                found += try response.lines(EventLine.self).map { "\($0.partition.suffix(1))\($0.details.sequence)" }
                let name = try #require(HTTPField.Name(AuditService.nextCursorHeader))
                next = response.headers[name].map { "&after=\($0)" } ?? ""
            } while !next.isEmpty

            #expect(found == ["11", "12", "13", "21", "22", "23", "31", "32", "33"])
        }
    }

    @Test("filters select by partition, activity, type and time")
    func filters() async throws {
        let server = try await TestServer()
        var device = SampleDevice()
        device.record(device.event("Rounds & more", event: "read"))
        device.record(device.event("Rounds & more", event: "write"))
        device.record(device.event("Handover", event: "write"))
        _ = try await server.store.accept(device.upload(1...3))
        let auditor = try await server.headers(.auditor)
        let expectations = [
            "activity=Rounds%20%26%20more": [1, 2], "event=write": [2, 3], "activity=Handover&event=read": [],
            "partition=\(device.partition.value)": [1, 2, 3], "partition=\(SampleDevice(5).partition.value)": [],
            "since=2023-11-14T22:13:20.000002Z": [2, 3], "until=2023-11-14T22:13:20.000002Z": [1],
        ]

        try await server.run { client in
            for (query, sequences) in expectations {
                let lines = try await client.get("/api/v1/events?\(query)", as: auditor).lines(EventLine.self)
                #expect(lines.map(\.details.sequence) == sequences.map(UInt64.init), "\(query)")
            }
        }
    }

    @Test(
        "a malformed question is refused with a sentence",
        arguments: [
            "events?limit=0", "events?limit=x", "events?limit=99999", "events?after=zz", "events?since=yesterday",
            "events?partition=none", "partitions?after=zz", "partitions/none/leaves",
            "partitions/ward-000000000000000700000001/leaves?after=-1",
        ]
    )
    func malformedQuestion(path: String) async throws {
        let server = try await TestServer()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let response = try await client.get("/api/v1/\(path)", as: auditor)

            #expect(response.status == .badRequest)
            #expect(response.code == "rejected")
        }
    }

    @Test("hostile text in any field is text and nothing else", arguments: hostile)
    func injection(text: String) async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteEventStore(path: folder.file("db"))
        let server = try await TestServer(store: store)
        // A key has no control characters; everything else may be in one.
        let allowed = String(text.prefix(20))
            .filter { !$0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
        let key = allowed.isEmpty ? "key" : allowed
        var device = SampleDevice(prefix: "ward")
        device.record(device.event(text, event: text, data: text, metadata: try EventMetadata([key: text])))
        let stretch = device.stretch(1...1)
        let user = try await server.headers(.uploader(SampleDevice.owner))
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let uploaded = try await client.upload(stretch, as: user)
            let lines = try await client.get("/api/v1/events", as: auditor).lines(EventLine.self)

            #expect(uploaded.status == .ok)
            let line = try #require(lines.first)
            #expect(line.activity == text)
            #expect(line.event == text)
            #expect(line.data == text)
            #expect(line.metadata == [key: text])
        }
        #expect(try await store.events(EventFilter(), after: nil, limit: 9, maximumBytes: 9).events.count == 1)
    }

    @Test("partitions are listed with their root and seal, page by page")
    func partitions() async throws {
        let server = try await TestServer()
        var device = SampleDevice()
        device.record(["a"])
        let seal = try device.seal()
        _ = try await server.store.accept(device.upload(1...1, seal: seal))
        var younger = SampleDevice(2)
        younger.record(["b"])
        _ = try await server.store.accept(younger.upload(1...1))
        let auditor = try await server.headers(.auditor)
        let root = device.frontier(through: 1).root

        try await server.run { client in
            let first = try await client.get("/api/v1/partitions?limit=1", as: auditor)
            let name = try #require(HTTPField.Name(AuditService.nextCursorHeader))
            let cursor = try #require(first.headers[name])
            let second = try await client.get("/api/v1/partitions?after=\(cursor)", as: auditor)

            let record = try #require(try first.decoded([PartitionRecord].self).first)
            #expect(record.root == root)
            #expect(record.seal == seal)
            #expect(record.received == SampleDevice.received)
            #expect(try second.decoded([PartitionRecord].self).map(\.partition.id.low) == [2])
        }
    }
}

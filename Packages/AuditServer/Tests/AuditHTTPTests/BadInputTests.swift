import AuditAdmission
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SQLiteStore
import Testing

@Suite("Bad input")
struct BadInputTests {
    private static let hostile = [
        "<script>alert(1)</script>", "'; DROP TABLE AuditEvent; --", "\" OR 1=1 --", "%00", "a\u{0}b",
        "\r\nSet-Cookie: a=b",
        "../../etc/passwd", "{{7*7}}", "${jndi:ldap://x}", "\u{202E}", "*", "%%user.id", "%_", "\\",
        String(repeating: "a", count: 1024),
    ]
    private static let filters = [
        "partition", "app", "person", "class", "key", "activity", "event", "outcome", "boot", "device", "since",
        "until",
        "receivedSince", "receivedUntil", "text", "metadata.a", "metadata.%27%3B--", "after", "limit", "order", "bars",
    ]
    private static let routes = [
        "events", "events/new", "search", "search/new", "search/volume", "partitions", "search/values", "log/entries",
        "log/inclusion", "log/proof", "devices", "devices/statements",
        "devices/registrations", "names", "people",
    ]

    private func encoded(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    private func server(_ store: any AuditStore) async throws -> TestServer {
        var limits = ServerLimits()
        limits.requests = .init(perMinute: 1_000_000, burst: 1_000_000)
        let server = try await TestServer(store: store, configuration: ServerConfiguration(limits: limits))
        var device = SampleDevice()
        device.record(["Rounds", "Handover"])
        _ = try await store.accept(device.upload(1...2, seal: device.seal()))
        return server
    }

    @Test(
        "whatever stands in a parameter, the answer is a sentence or nothing found, in every listing",
        arguments: filters
    )
    func parameters(name: String) async throws {
        let folder = try TestFolder.made()
        let server = try await server(SQLiteEventStore(path: folder.file("db")))
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            for route in Self.routes {
                for text in Self.hostile {
                    let uri = "/api/v1/\(route)?\(name)=\(try encoded(text))"
                    let response = try await client.get(uri, as: auditor)
                    #expect([200, 400].contains(response.status.code), "\(route) \(name) \(text)")
                    let body = String(buffer: response.body)
                    #expect(
                        !body.contains("SELECT") && !body.contains(folder.path) && !body.contains("<script"),
                        "\(route)"
                    )
                    // Nothing that is not in the events finds any, unless the route does not filter.
                    if ["events", "search"].contains(route), response.status == .ok {
                        #expect(!body.contains("Rounds"), "\(name) \(text)")
                    }
                }
            }
        }
    }

    @Test(
        "times as far apart as there are any, and numbers beyond all, are answered at once",
        arguments: [
            ("since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z", 200), ("until=0001-01-01T00:00:00Z", 200),
            ("since=9999-12-31T23:59:59.999999Z", 200), ("since=-99999999-01-01T00:00:00Z", 400),
            ("since=99999999999999-01-01T00:00:00Z", 400), ("since=", 400),
            ("since=2023-11-14T22:13:20%2B01:00", 400), ("limit=99999999999999999999", 400), ("limit=-1", 400),
            ("limit=1e3", 400), ("limit=0x10", 400), ("activity=a&activity=b", 400), ("metadata.%ZZ=a", 400),
            ("text=\(String(repeating: "a", count: 1025))", 400),
        ]
    )
    func ranges(query: String, status: Int) async throws {
        let server = try await server(InMemoryEventStore())
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            for route in ["events", "search"] {
                let response = try await client.get("/api/v1/\(route)?\(query)", as: auditor)
                #expect(Int(response.status.code) == status, "\(route)")
                if status == 400 {
                    #expect(try response.decoded(Refusal.self).message.hasSuffix("."), "\(route)")
                    #expect(response.code == "rejected", "\(route)")
                }
            }
            let volume = try await client.get(
                "/api/v1/search/volume?bars=500&since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z",
                as: auditor
            )
            #expect(volume.status == .ok)
        }
    }

    @Test(
        "a token that is none, or whose time is over, is refused with what to do, and with nothing of it",
        arguments: ["", "x", "a.b.c", "<script>", String(repeating: "a", count: 5000), "Bearer Bearer", "\u{E9}"]
    )
    func tokens(token: String) async throws {
        let server = try await server(InMemoryEventStore())

        try await server.run { client in
            for route in ["events", "search", "partitions", "schema", "log/entries", "events/000000000000070100000001"]
            {
                let response = try await client.get("/api/v1/\(route)", as: [.authorization: "Bearer \(token)"])
                #expect(response.status == .unauthorized, "\(route)")
                #expect(response.headers[.wwwAuthenticate] == "Bearer")
                let message = try response.decoded(Refusal.self).message
                #expect(message.hasPrefix("The token is not accepted: "))
                #expect(token.count < 3 || !message.contains(token))
            }
        }
    }

    @Test(
        "a database that is damaged is answered with 503 and a sentence without names of files or SQL, or with what is whole"
    )
    func damagedDatabase() async throws {
        let folder = try TestFolder.made()
        let path = folder.file("db")
        do {
            let store = try SQLiteEventStore(path: path)
            for number in 1...20 as ClosedRange<UInt32> {
                var device = SampleDevice(number)
                for event in 1...40 {
                    let data = "{\"text\":\"\(String(repeating: "x", count: 2000))\"}"
                    device.record(device.event("activity \(event)", data: data))
                }
                _ = try await store.accept(device.upload(1...40))
            }
        }
        // Everything into the file itself, which is damaged then.
        try await DatabaseQueue.beside(path)
            .writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The first pages have what opening reads; a file without them is refused with its path, to whoever starts the server.
        for page in stride(from: bytes.count / 2 / 4096 * 4096, to: bytes.count - 4096, by: 4096 * 3) {
            bytes.replaceSubrange(page..<(page + 4096), with: Data(repeating: 0xA5, count: 4096))
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let server = try await TestServer(store: SQLiteEventStore(path: path))
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            var isRefused = false
            for route in [
                "events", "search", "partitions", "search/volume", "partitions/\(SampleDevice(1).partition)/leaves",
            ] {
                let response = try await client.get("/api/v1/\(route)", as: auditor)
                #expect([200, 503].contains(response.status.code), "\(route)")
                guard response.status == .serviceUnavailable else { continue }
                isRefused = true
                let message = try response.decoded(Refusal.self).message
                for secret in [folder.path, "SELECT", "AuditEvent", "sqlite"] {
                    #expect(!message.contains(secret), "\(message)")
                }
                #expect(response.headers[.retryAfter] != nil)
            }
            #expect(isRefused)
        }
    }

    @Test("no cache keeps an answer of any kind, and no browser takes it for something else than it says")
    func caches() async throws {
        let server = try await server(InMemoryEventStore())
        let (auditor, admin) = (try await server.headers(.auditor), try await server.headers(.administrator))
        let limited = try await TestServer(
            configuration: ServerConfiguration(limits: ServerLimits(signIns: .init(perMinute: 1, burst: 1)))
        )

        try await server.run { client in
            for (uri, headers, status) in [
                ("/api/v1/events", auditor, 200), ("/api/v1/events", [:], 401), ("/api/v1/events", admin, 403),
                ("/api/v1/events?x=1", auditor, 400), ("/nowhere", [:], 404), ("/health", [:], 200),
                ("/ready", [:], 200),
                ("/api/v1/metrics", auditor, 200), ("/api/v1/key", [:], 200), ("/console/none.js", [:], 404),
            ] as [(String, HTTPFields, Int)] {
                let response = try await client.get(uri, as: headers)
                #expect(Int(response.status.code) == status, "\(uri)")
                #expect(response.headers[.cacheControl] == "no-store", "\(uri)")
                #expect(response.headers[.xContentTypeOptions] == "nosniff", "\(uri)")
            }
            let removal = try await client.execute(uri: "/api/v1/apps/a/users/1", method: .delete, headers: admin)
            #expect(removal.status == .noContent)
            #expect(removal.headers[.cacheControl] == "no-store")
            // The pages hold nothing of anybody.
            #expect(try await client.get("/console").headers[.cacheControl] == "no-cache")
        }
        try await limited.run { client in
            let body = #"{"provider":"anon-user"}"#
            _ = try await client.post("/api/v1/apps/a/login", body)
            let refused = try await client.post("/api/v1/apps/a/login", body)
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.cacheControl] == "no-store")
        }
    }
}

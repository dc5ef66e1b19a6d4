import AuditServerTesting
import EventModel
import EventModelTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditHTTP
@testable import AuditModel

@Suite("Session timeline")
struct SessionTimelineTests {
    private struct Answer: Decodable {
        struct Scope: Decodable {
            let activity: String
            let first: Int64
            let last: Int64
            let committed: Int64?
            let isInterrupted: Bool
            let events: Int
            let hasEarlier: Bool
            let hasLater: Bool
        }
        struct Entry: Decodable {
            struct Line: Decodable {
                let sequence: UInt64
                let activity: String?
            }
            let line: Line
            let scope: Int?
        }
        let scopes: [Scope]
        let events: [Entry]
        let before: String?
        let after: String?
    }

    private static func event(
        _ number: Int64,
        _ activity: String,
        committed: Int64?,
        at: Int64,
        marks: AuditEvent.Marks = []
    ) -> AuditEvent {
        AuditEvent(
            id: ObjectId(high: 3, low: UInt32(number)),
            clock: ClockReading(
                wall: EventInstant(microseconds: at),
                monotonicNanoseconds: UInt64(at),
                boot: Boot(high: 1, low: 2)
            ),
            activity: activity,
            event: committed == nil && marks.isEmpty ? "button" : "read",
            data: Array(#"{"type":"Patient","value":[{"_id":"p1"}]}"#.utf8),
            scopeCommitted: committed.map(EventInstant.init(microseconds:)),
            marks: marks
        )
    }

    /// A scope inside another one, which is stored first; a button; the same scope again; and one that its process left open.
    private static func server() async throws -> TestServer {
        let server = try await TestServer()
        var device = SampleDevice()
        device.record(event(1, "Chart", committed: 50, at: 20))
        device.record(event(2, "Chart", committed: 50, at: 30))
        device.record(event(3, "Rounds", committed: 60, at: 10))
        device.record(event(4, "Rounds", committed: 60, at: 20))
        device.record(event(5, "Rounds", committed: 60, at: 55))
        device.record(event(6, "Save", committed: nil, at: 40))
        device.record(event(7, "Chart", committed: 90, at: 80))
        device.record(event(8, "Chart", committed: nil, at: 100, marks: .interrupted))
        device.record(event(9, "Chart", committed: nil, at: 110, marks: .interrupted))
        _ = try await server.store.accept(device.upload(1...9))
        return server
    }

    @Test("events of one activity and one commit are a scope, nested ones too, and a custom event belongs to none")
    func scopes() async throws {
        let server = try await Self.server()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let answer: Answer = try await client.get("/api/v1/timeline", as: auditor).decoded()
            #expect(answer.events.map(\.line.sequence) == [3, 1, 4, 2, 6, 5, 7, 8, 9])
            #expect(answer.events.map(\.scope) == [0, 1, 0, 1, nil, 0, 2, 3, 3])
            #expect(answer.scopes.map(\.activity) == ["Rounds", "Chart", "Chart", "Chart"])
            #expect(answer.scopes.map(\.events) == [3, 2, 1, 2])
            #expect(answer.scopes.map(\.first) == [10, 20, 80, 100])
            #expect(answer.scopes.map(\.last) == [55, 30, 80, 110])
            #expect(answer.scopes.map(\.committed) == [60, 50, 90, nil])
            #expect(answer.scopes.map(\.isInterrupted) == [false, false, false, true])
            #expect(answer.scopes.allSatisfy { !$0.hasEarlier && !$0.hasLater })
            #expect(answer.before == nil && answer.after == nil)
        }
    }

    @Test("a page says which of its scopes go on outside it, and pages turn both ways")
    func pages() async throws {
        let server = try await Self.server()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let first: Answer = try await client.get("/api/v1/timeline?limit=2", as: auditor).decoded()
            #expect(first.events.map(\.line.sequence) == [3, 1])
            #expect(first.scopes.map(\.hasLater) == [true, true])
            let after = try #require(first.after)
            let second: Answer = try await client.get("/api/v1/timeline?limit=2&after=\(after)", as: auditor).decoded()
            #expect(second.events.map(\.line.sequence) == [4, 2])
            #expect(second.scopes.map(\.hasEarlier) == [true, true])
            #expect(second.scopes.map(\.hasLater) == [true, false])
            let before = try #require(second.before)
            let back: Answer = try await client.get("/api/v1/timeline?limit=2&before=\(before)", as: auditor).decoded()
            #expect(back.events.map(\.line.sequence) == [3, 1])
            #expect(back.before == nil)
            let writes: Answer = try await client.get("/api/v1/timeline?event=button", as: auditor).decoded()
            #expect(writes.events.map(\.line.sequence) == [6])
            #expect(writes.scopes.isEmpty)
        }
    }

    @Test("a look at a timeline is recorded, and a malformed one refused")
    func trail() async throws {
        let server = try await Self.server()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            _ = try await client.get("/api/v1/timeline?person=ada", as: auditor)
            let trail = try await client.get("/api/v1/search?app=daybook/auditors", as: auditor)
            #expect(String(buffer: trail.body).contains("view timeline"))
            for query in [
                "limit=0", "limit=501", "order=up", "order=oldest", "after=x", "after=1.2&before=1.2", "scope=1",
            ] {
                let response = try await client.get("/api/v1/timeline?\(query)", as: auditor)
                #expect(response.status == .badRequest, "\(query)")
            }
        }
    }
}

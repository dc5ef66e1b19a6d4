import EventModelTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditHTTP
@testable import AuditModel

@Suite("Answers that a route promises for later")
struct LateAnswerTests {
    private let metrics = ServerMetrics()
    private let clock = ManualClock()

    /// Runs a test against one route.
    private func run(
        _ route: @escaping @Sendable (AuditRequestContext) throws -> Response,
        _ body: @Sendable (TestResponse) throws -> Void
    ) async throws {
        let router = Router(context: AuditRequestContext.self)
        router.add(middleware: AnswerMiddleware(clock: clock, metrics: metrics))
        router.get("late") { _, context in try route(context) }
        let application = Application(responder: StackPerRequest(responder: router.buildResponder()))
        try await application.test(.router) { client in
            try body(try await client.execute(uri: "/late", method: .get))
        }
    }

    private static func text(_ text: String) -> Response {
        Response(status: .accepted, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// How often a status was answered with.
    private func count(of status: Int) throws -> Int {
        let lines = metrics.text.split(separator: "\n")
            .filter { line in
                line.hasPrefix("daybook_requests_total{") && line.contains("status=\"\(status)\"")
            }
        return try lines.reduce(0) { sum, line in
            sum + (try #require(line.split(separator: " ").last.flatMap { Int($0) }))
        }
    }

    @Test("takes the place of what the route returned, is kept from caches, and is counted once, with the time it took")
    func late() async throws {
        try await run { context in
            context.late.promise { [clock] in
                clock.advance(microseconds: 7_000_000)
                return Self.text("late")
            }
            return Self.text("early")
        } _: { response in
            #expect(String(buffer: response.body) == "late")
            #expect(response.status == .accepted)
            #expect(response.headers[.cacheControl] == "no-store")
        }
        #expect(try count(of: 202) == 1)
        #expect(try count(of: 200) == 0)
        #expect(metrics.text.contains("daybook_request_seconds_sum{route=\"/late\"} 7.0\n"))
    }

    @Test("that fails is answered as any other error, and counted as such")
    func failing() async throws {
        try await run { context in
            context.late.promise { throw AuditServerError.tooManyRequests(retryAfterSeconds: 9) }
            return Self.text("early")
        } _: { response in
            #expect(response.status == .tooManyRequests)
            #expect(response.headers[.retryAfter] == "9")
        }
        #expect(try count(of: 429) == 1)
        #expect(try count(of: 202) == 0)
    }

    @Test("is not waited for when the route fails behind its promise")
    func failingRoute() async throws {
        try await run { context in
            context.late.promise {
                Issue.record("Nobody waits for it.")
                return Self.text("late")
            }
            throw AuditServerError.forbidden(reason: "a test")
        } _: { response in
            #expect(response.status == .forbidden)
        }
        #expect(try count(of: 403) == 1)
    }

    @Test("is handed out once")
    func once() async throws {
        let late = LateAnswer()
        late.promise { Self.text("late") }
        #expect(late.take() != nil)
        #expect(late.take() == nil)
    }
}

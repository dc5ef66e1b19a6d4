import EventModelTesting
import Foundation
import Testing

@testable import SyncTransport

@Suite("Bounds of answers")
struct AnswerLimitsTests {
    private let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"

    @Test("an answer without an end is given up when it is longer than any answer of the protocol")
    func endless() async throws {
        let server = try LoopbackServer(answers: [head + LoopbackServer.forever])
        let client = URLSessionHTTPClient(timeout: .seconds(60), limits: AnswerLimits(), timer: ManualTimer())

        let failure = await #expect(throws: URLSessionHTTPClient.Failure.self) {
            try await client.send(HTTPRequest(method: .get, url: "http://127.0.0.1:\(server.port)/"))
        }

        #expect(failure?.description == "The answer is longer than 262144 bytes.")
    }

    @Test("an answer of just the largest size is taken whole")
    func largest() async throws {
        let server = try LoopbackServer(answers: [head + "123", head + "1234"])
        let limits = AnswerLimits(maximumBytes: 3)
        let client = URLSessionHTTPClient(timeout: .seconds(60), limits: limits, timer: ManualTimer())
        let request = HTTPRequest(method: .get, url: "http://127.0.0.1:\(server.port)/")

        #expect(try await client.send(request).body == Array("123".utf8))
        await #expect(throws: URLSessionHTTPClient.Failure.self) { try await client.send(request) }
    }

    @Test("an answer that stops in its body is given up 30 seconds after its first byte")
    func dripping() async throws {
        let server = try LoopbackServer(answers: [head + "a" + LoopbackServer.pause])
        let (scheduled, signal) = AsyncStream<Void>.makeStream()
        let timer = TellingTimer(scheduled: signal)
        let client = URLSessionHTTPClient(timeout: .seconds(60), limits: AnswerLimits(), timer: timer)

        let request = HTTPRequest(method: .get, url: "http://127.0.0.1:\(server.port)/")
        let answer = Task { try await client.send(request) }
        var deadlines = scheduled.makeAsyncIterator()
        for _ in ["the whole", "the body"] { await deadlines.next() }
        timer.manual.advance(nanoseconds: 30_000_000_000)

        let failure = await #expect(throws: URLSessionHTTPClient.Failure.self) { try await answer.value }
        #expect(failure?.description == "The answer was not there as a whole after 30.0 seconds.")
    }

    @Test("an answer whose head never ends is given up, too")
    func drippingHead() async throws {
        let server = try LoopbackServer(answers: ["HTTP/1.1 200 OK\r\nA: b" + LoopbackServer.pause])
        let (scheduled, signal) = AsyncStream<Void>.makeStream()
        let timer = TellingTimer(scheduled: signal)
        let client = URLSessionHTTPClient(timeout: .seconds(60), limits: AnswerLimits(), timer: timer)

        let request = HTTPRequest(method: .get, url: "http://127.0.0.1:\(server.port)/")
        let answer = Task { try await client.send(request) }
        var deadlines = scheduled.makeAsyncIterator()
        await deadlines.next()
        timer.manual.advance(nanoseconds: 90_000_000_000)

        await #expect(throws: URLSessionHTTPClient.Failure.self) { try await answer.value }
    }

    @Test("a large request has more time, at 4 KiB a second")
    func duration() {
        let limits = AnswerLimits()

        #expect(limits.duration(sending: 0, timeout: .seconds(60)) == .seconds(90))
        #expect(limits.duration(sending: 16 << 20, timeout: .seconds(60)) == .seconds(90 + 4096))
    }

    @Test("a request may allow a larger answer, which has as much more time as it has at 4 KiB a second")
    func allowing() async throws {
        let limits = AnswerLimits().allowing((256 << 10) + (8 << 10))

        #expect(limits.maximumBytes == 264 << 10)
        #expect(limits.maximumDuration == .seconds(32))
        #expect(AnswerLimits().allowing(nil).maximumBytes == 256 << 10)
        #expect(AnswerLimits().allowing(10).maximumDuration == .seconds(30))
    }
}

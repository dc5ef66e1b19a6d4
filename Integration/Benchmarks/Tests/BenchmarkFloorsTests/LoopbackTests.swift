import BenchmarkFloors
import Foundation
import Testing

@Suite("Loopback")
struct LoopbackTests {
    @Test("a connection and the server that discards speak HTTP with each other, request after request")
    func exchange() throws {
        let server = try DiscardingServer { request, beginning in Array("\(request) \(beginning.count)".utf8) }
        let connection = try LoopbackConnection(port: server.port)

        let small = try connection.exchange("POST", "/small", token: "t", body: [1, 2, 3])
        let large = try connection.exchange("POST", "/large", body: [UInt8](repeating: 7, count: 1 << 20))
        let none = try connection.exchange("GET", "/none")

        #expect(String(decoding: small, as: UTF8.self) == "POST /small HTTP/1.1 3")
        #expect(String(decoding: large, as: UTF8.self) == "POST /large HTTP/1.1 1024")
        #expect(String(decoding: none, as: UTF8.self) == "GET /none HTTP/1.1 0")
    }

    @Test("answers come in the order of requests that were sent before them")
    func pipeline() throws {
        let server = try DiscardingServer { request, _ in Array(request.utf8) }
        let connection = try LoopbackConnection(port: server.port)

        for number in 1...3 { try connection.send("GET", "/\(number)") }
        let answers = try (1...3).map { _ in String(decoding: try connection.receive().body, as: UTF8.self) }

        #expect(answers == ["GET /1 HTTP/1.1", "GET /2 HTTP/1.1", "GET /3 HTTP/1.1"])
    }

    @Test("a port that nobody listens on is refused")
    func refusal() throws {
        #expect(throws: LoopbackError.self) { try LoopbackConnection(port: 1) }
    }
}

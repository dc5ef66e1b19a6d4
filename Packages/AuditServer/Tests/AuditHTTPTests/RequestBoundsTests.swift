import AuditServerTesting
import EventModel
import EventModelTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import AuditHTTP
@testable import AuditModel

@Suite("What a request may cost")
struct RequestBoundsTests {
    @Test("a body that keeps coming too slowly ends the reading, and one in time is read whole")
    func slowBody() async throws {
        let clock = ManualClock()
        func read(_ microseconds: Int64) async throws -> ByteBuffer {
            // Each part lets time pass, as a slow client does; nothing here waits.
            let parts = AsyncStream<ByteBuffer> { continuation in
                for _ in 0..<10 { continuation.yield(ByteBuffer(string: "ab")) }
                continuation.finish()
            }
            let slow = parts.map { part in
                clock.advance(microseconds: microseconds)
                return part
            }
            let timed = TimedBody(body: RequestBody(asyncSequence: slow), seconds: 120, clock: clock)
            return try await RequestBody(asyncSequence: timed).collect(upTo: 100)
        }

        #expect(try await read(12_000_000).readableBytes == 20)
        await #expect(throws: AuditServerError.slowBody(seconds: 120)) { try await read(12_000_001) }
    }

    @Test("a body that the connection ended because it was too slow is refused by name")
    func endedBody() async throws {
        let parts = AsyncStream<ByteBuffer> { continuation in
            continuation.yield(ByteBuffer(string: "ab"))
            continuation.finish()
        }
        let timed = TimedBody(body: RequestBody(asyncSequence: parts), seconds: 120, clock: ManualClock()) { true }

        await #expect(throws: AuditServerError.refused(.slowBody)) {
            try await RequestBody(asyncSequence: timed).collect(upTo: 100)
        }
    }

    @Test("too many headers, too long ones and a too long path answer 431")
    func head() async throws {
        let server = try await TestServer()
        let many = HTTPFields((0...100).map { HTTPField(name: HTTPField.Name("x-\($0)") ?? .accept, value: "1") })
        let long = [HTTPField.Name.accept: String(repeating: "a", count: 33_000)]

        try await server.run { client in
            for headers in [many, HTTPFields(long.map { HTTPField(name: $0, value: $1) })] {
                let response = try await client.get("/health", as: headers)
                #expect(response.status == .requestHeaderFieldsTooLarge)
                #expect(response.code == "rejected")
            }
            let path = "/api/v1/partitions/" + String(repeating: "a", count: 33_000)
            #expect(try await client.get(path).status == .requestHeaderFieldsTooLarge)
            #expect(try await client.get("/health").status == .ok)
        }
    }
}

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import AuditHTTP

@Suite("How slowly a body may come")
struct BodyPacerTests {
    /// A connection whose loop has a time by hand.
    private struct Connection {
        let loop = EmbeddedEventLoop()
        let channel: EmbeddedChannel
        let slow = SlowBodies()
        let reads = ReadCounter()

        init() throws {
            channel = EmbeddedChannel(handlers: [reads, BodyPacer(slow)], loop: loop)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func head() throws {
            try channel.writeInbound(
                HTTPRequestPart.head(HTTPRequest(method: .post, scheme: "http", authority: "h", path: "/"))
            )
        }

        func send(_ count: Int) throws {
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0x61, count: count)))
        }

        /// What the server's side wants when it reads on.
        func want() { channel.pipeline.read() }

        func pass(_ milliseconds: Int64) { loop.advanceTime(by: .milliseconds(milliseconds)) }

        /// What the route has: "head", the sizes of the parts, and "end".
        func passed() throws -> [String] {
            var passed: [String] = []
            while let part = try channel.readInbound(as: HTTPRequestPart.self) {
                switch part {
                case .head: passed.append("head")
                case .body(let bytes): passed.append("\(bytes.readableBytes)")
                case .end: passed.append("end")
                }
            }
            return passed
        }
    }

    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        private(set) var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    @Test("a byte every second is too slow after five seconds, and nothing more is read")
    func trickle() throws {
        let connection = try Connection()
        try connection.head()
        for _ in 0..<5 {
            connection.want()
            connection.pass(1000)
            if connection.slow.contains(connection.channel) { break }
            try connection.send(1)
        }
        connection.want()
        connection.pass(5)

        #expect(connection.slow.contains(connection.channel))
        #expect(try connection.passed() == ["head", "1", "1", "1", "1", "1", "end"])
        let count = connection.reads.count
        connection.want()
        try connection.send(1)
        #expect(connection.reads.count == count)
        #expect(try connection.passed().isEmpty)
    }

    @Test("a connection that says nothing after its head has five seconds")
    func silence() throws {
        let connection = try Connection()
        try connection.head()
        connection.want()
        connection.pass(4999)
        #expect(try connection.passed() == ["head"])
        connection.pass(1)
        #expect(try connection.passed() == ["end"])
    }

    @Test("a kilobyte a second is enough, however long it takes, and a little less is not", arguments: [1024, 1000])
    func pace(bytesPerSecond: Int) throws {
        let connection = try Connection()
        try connection.head()
        var seconds = 0
        while seconds < 1000, !connection.slow.contains(connection.channel) {
            connection.want()
            connection.pass(1000)
            try connection.send(bytesPerSecond)
            seconds += 1
        }

        #expect(connection.slow.contains(connection.channel) == (bytesPerSecond == 1000))
        #expect(seconds == 1000 || seconds > 150)
    }

    @Test("time in which the server does not read is nobody's fault")
    func busyServer() throws {
        let connection = try Connection()
        try connection.head()
        connection.want()
        connection.pass(4000)
        try connection.send(1)
        connection.pass(1_000_000)
        connection.want()
        connection.pass(900)
        try connection.send(10_000)
        connection.want()
        try connection.channel.writeInbound(HTTPRequestPart.end(nil))
        connection.pass(1_000_000)

        #expect(try connection.passed() == ["head", "1", "10000", "end"])
        #expect(!connection.slow.contains(connection.channel))
    }

    @Test("each request of a connection has its own time, and a connection that ends is forgotten")
    func requests() throws {
        let connection = try Connection()
        for _ in 0..<3 {
            try connection.head()
            connection.want()
            connection.pass(4900)
            try connection.channel.writeInbound(HTTPRequestPart.end(nil))
            connection.want()
            connection.pass(100_000)
        }
        #expect(!connection.slow.contains(connection.channel))

        try connection.head()
        connection.want()
        connection.pass(5000)
        #expect(connection.slow.contains(connection.channel))
        _ = try connection.channel.finish(acceptAlreadyClosed: true)
        #expect(!connection.slow.contains(connection.channel))
    }
}

import EventModel
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import AuditAdmission
@testable import AuditHTTP

@Suite("The door that uploads wait at")
struct UploadDoorTests {
    /// A connection with a door, and what came through it.
    private struct Connection {
        let channel: EmbeddedChannel
        let address: String?

        init(_ gate: UploadGate, on loop: EmbeddedEventLoop, from address: String? = nil) throws {
            self.address = address
            let door = UploadDoor(gate, ClientAddress(header: "X-Forwarded-For"))
            channel = EmbeddedChannel(handlers: [ReadCounter(), door], loop: loop)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        /// The parts of an upload that one read of the system brings.
        func upload(_ text: String) throws {
            try channel.writeInbound(HTTPRequestPart.head(head(PartitionStretch.mediaType)))
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: text)))
        }

        func ask() throws { try channel.writeInbound(HTTPRequestPart.head(head("application/json"))) }

        func answer() throws {
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }

        /// What the route has of the request: "head" and the texts of the body.
        func passed() throws -> [String] {
            var passed: [String] = []
            while let part = try channel.readInbound(as: HTTPRequestPart.self) {
                switch part {
                case .head: passed.append("head")
                case .body(let bytes): passed.append(String(buffer: bytes))
                case .end: passed.append("end")
                }
            }
            return passed
        }

        /// How often the system was asked to read.
        func reads() throws -> Int { try channel.pipeline.syncOperations.handler(type: ReadCounter.self).count }

        private func head(_ type: String) -> HTTPRequest {
            var fields = HTTPFields()
            fields[.contentType] = type
            if let address, let name = HTTPField.Name("X-Forwarded-For") { fields[name] = address }
            return HTTPRequest(method: .post, scheme: "http", authority: "h", path: "/", headerFields: fields)
        }
    }

    /// Counts what is asked of the system, behind the door.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        private(set) var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    private let loop = EmbeddedEventLoop()

    private static func gate(places: Int, share: Int) -> UploadGate {
        var bounds = UploadGate.Bounds()
        (bounds.places, bounds.placesOfNetwork) = (places, share)
        return UploadGate(bounds)
    }

    @Test("uploads pass while there are places, and the next ones are held whole, in the order of arrival")
    func order() throws {
        let gate = Self.gate(places: 1, share: 1)
        let connections = try (0..<3).map { _ in try Connection(gate, on: loop) }
        for (number, connection) in connections.enumerated() { try connection.upload("body \(number)") }
        #expect(try connections.map { try $0.passed() } == [["head", "body 0"], [], []])
        #expect(gate.lineCount == 2)

        try connections[0].answer()
        loop.run()
        #expect(try connections.map { try $0.passed() } == [[], ["head", "body 1"], []])

        try connections[1].answer()
        loop.run()
        #expect(try connections.map { try $0.passed() } == [[], [], ["head", "body 2"]])
        #expect(gate.lineCount == 0)
    }

    @Test("one network has a share of the places, and others find one; its next upload passes when one of its own ends")
    func share() throws {
        let gate = Self.gate(places: 3, share: 2)
        let own = try ["2001:db8::1", "2001:db8::2", "2001:db8::3"].map { try Connection(gate, on: loop, from: $0) }
        let other = try Connection(gate, on: loop, from: "192.0.2.1")
        for connection in own { try connection.upload("body") }
        try other.upload("other")
        #expect(try own.map { try $0.passed() } == [["head", "body"], ["head", "body"], []])
        #expect(try other.passed() == ["head", "other"])

        try other.answer()
        loop.run()
        #expect(try own[2].passed().isEmpty)
        try own[0].answer()
        loop.run()
        #expect(try own[2].passed() == ["head", "body"])
    }

    @Test("nothing is read from a connection that is held; what was asked for meanwhile is read afterwards")
    func reading() throws {
        let gate = Self.gate(places: 1, share: 1)
        let (first, second) = (try Connection(gate, on: loop), try Connection(gate, on: loop))
        try first.upload("1")
        let before = try second.reads()
        try second.upload("2")
        second.channel.pipeline.read()
        second.channel.pipeline.read()
        #expect(try second.reads() == before)

        try first.answer()
        loop.run()
        #expect(try second.reads() == before + 1)
        second.channel.pipeline.read()
        #expect(try second.reads() == before + 2)
    }

    @Test("all other requests pass, also while every place is taken")
    func others() throws {
        let gate = Self.gate(places: 0, share: 0)
        let connection = try Connection(gate, on: loop)
        try connection.ask()
        #expect(try connection.passed() == ["head"])
        try connection.answer()
        #expect(gate.lineCount == 0)
    }

    @Test("an upload that waited too long passes without a place, and takes none away from others")
    func patience() throws {
        let gate = Self.gate(places: 1, share: 1)
        let connections = try (0..<3).map { _ in try Connection(gate, on: loop) }
        for connection in connections.prefix(2) { try connection.upload("body") }
        loop.advanceTime(by: UploadDoor.patience - .seconds(1))
        #expect(try connections[1].passed().isEmpty)
        loop.advanceTime(by: .seconds(1))
        #expect(try connections[1].passed() == ["head", "body"])

        // Its answer frees nothing: the only place is still taken.
        try connections[1].answer()
        try connections[2].upload("body")
        loop.run()
        #expect(try connections[2].passed().isEmpty)
    }

    @Test("a connection that ends gives back its place, or leaves the line", arguments: [false, true])
    func end(isWaiting: Bool) throws {
        let gate = Self.gate(places: 1, share: 1)
        let connections = try (0..<3).map { _ in try Connection(gate, on: loop) }
        for connection in connections { try connection.upload("body") }
        for connection in connections { _ = try connection.passed() }

        _ = try connections[isWaiting ? 1 : 0].channel.finish(acceptAlreadyClosed: true)
        loop.run()
        #expect(gate.lineCount == 1)
        if isWaiting {
            try connections[0].answer()
            loop.run()
        }
        #expect(try connections[isWaiting ? 2 : 1].passed() == ["head", "body"])
    }

    @Test("a place that comes when its connection has ended goes to the next one")
    func raceWithTheEnd() throws {
        let gate = Self.gate(places: 1, share: 1)
        let connections = try (0..<3).map { _ in try Connection(gate, on: loop) }
        for connection in connections { try connection.upload("body") }
        // The place is on its way to the second, as the loop has not run yet.
        try connections[0].answer()
        _ = try connections[1].channel.finish(acceptAlreadyClosed: true)
        loop.run()
        #expect(try connections[2].passed() == ["head", "body"])
    }

    @Test("the end of what a device sends comes after what is held of it")
    func inputClosed() throws {
        let gate = Self.gate(places: 1, share: 1)
        let (first, second) = (try Connection(gate, on: loop), try Connection(gate, on: loop))
        try second.channel.pipeline.syncOperations.addHandler(EndMarker())
        try first.upload("1")
        try second.upload("2")
        second.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(try second.passed().isEmpty)
        try first.answer()
        loop.run()
        #expect(try second.passed() == ["head", "2", "end"])
    }

    /// Shows the event among the parts.
    private final class EndMarker: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event as? ChannelEvent == .inputClosed else { return }
            context.fireChannelRead(wrapInboundOut(.end(nil)))
        }
    }

    @Test("a second upload in the same packet passes with the first, which alone has a place")
    func pipelined() throws {
        let gate = Self.gate(places: 1, share: 1)
        let (first, second) = (try Connection(gate, on: loop), try Connection(gate, on: loop))
        try first.upload("1")
        try first.upload("2")
        #expect(try first.passed() == ["head", "1", "head", "2"])
        try second.upload("3")
        try first.answer()
        loop.run()
        #expect(try second.passed() == ["head", "3"])
        try first.answer()
        #expect(gate.lineCount == 0)
    }
}

import Daybook
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A client of HTTP/1.1 with connections of its own, which can be cut and slowed down as a real network does.
///
/// Safe to call from any task. Each request has a connection to itself; connections are used again.
final class LoopbackClient: Sendable {
    /// What happens to a request on its way.
    enum Fault: Sendable, Hashable {
        /// The connection breaks after half of the body.
        case cutBody
        /// The connection breaks when the whole answer has come, and nobody reads it.
        case lostAnswer
        /// The body goes out in small pieces, with pauses of so many milliseconds.
        case slow(pauseMilliseconds: Int64)
    }

    /// How many bytes a slow link takes at a time.
    private static let pieceByteCount = 4096

    private let port: Int
    private let idle = Mutex<[any Channel]>([])

    /// Creates a client of a port of 127.0.0.1.
    init(port: Int) {
        self.port = port
    }

    /// Closes the connections that nobody uses.
    func close() async {
        let channels = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        for channel in channels {
            // One that the server has closed already is as closed as it can be.
            try? await channel.close()
        }
    }

    /// Sends a request and waits for the answer.
    ///
    /// - Throws: ``LoadError/connectionLost`` when the connection breaks, by a fault or by itself, and `CancellationError` when the
    ///   task is cancelled, which breaks it, too.
    func send(_ request: HTTPRequest, fault: Fault? = nil) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let channel = try await connection()
        do {
            let answer = channel.eventLoop.makePromise(of: HTTPResponse.self)
            let response = try await withTaskCancellationHandler {
                try await write(request, to: channel, fault: fault, answer)
                return try await answer.futureResult.get()
            } onCancel: {
                channel.close(promise: nil)
            }
            if fault == .lostAnswer { throw LoadError.connectionLost }
            idle.withLock { $0.append(channel) }
            return response
        } catch {
            // Whatever state the connection is in, nobody uses it again.
            try? await channel.close()
            try Task.checkCancellation()
            throw error
        }
    }

    private func connection() async throws -> any Channel {
        while let channel = idle.withLock({ $0.popLast() }) {
            if channel.isActive { return channel }
        }
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(AnswerCollector())
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
    }

    private func write(
        _ request: HTTPRequest,
        to channel: any Channel,
        fault: Fault?,
        _ answer: EventLoopPromise<HTTPResponse>
    ) async throws {
        var headers = HTTPHeaders(request.headers.map { ($0.key, $0.value) })
        headers.replaceOrAdd(name: "host", value: "127.0.0.1")
        headers.replaceOrAdd(name: "content-length", value: "\(request.body.count)")
        let path = request.url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
        let head = HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: request.method.rawValue),
            uri: String(path),
            headers: headers
        )
        // The collector answers for every exchange, also for one that ends before it has begun.
        channel.eventLoop.execute {
            do {
                try channel.pipeline.syncOperations.handler(type: AnswerCollector.self).expect(answer)
            } catch {
                answer.fail(LoadError.connectionLost)
            }
        }
        let body = ByteBuffer(bytes: request.body)
        switch fault {
        case .cutBody:
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            let half = body.getSlice(at: 0, length: body.readableBytes / 2) ?? ByteBuffer()
            _ = try? await channel.writeAndFlush(HTTPClientRequestPart.body(.byteBuffer(half)))
            try? await channel.close()
        case .slow(let pause):
            channel.writeAndFlush(HTTPClientRequestPart.head(head), promise: nil)
            var rest = body
            while let piece = rest.readSlice(length: min(Self.pieceByteCount, rest.readableBytes)),
                piece.readableBytes > 0
            {
                try await channel.writeAndFlush(HTTPClientRequestPart.body(.byteBuffer(piece)))
                if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
            }
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        case .lostAnswer, nil:
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        }
    }
}

/// Puts the answer of one request at a time together.
private final class AnswerCollector: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private var expected: EventLoopPromise<HTTPResponse>?
    private var isClosed = false
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    /// Waits for an answer; on the event loop.
    func expect(_ promise: EventLoopPromise<HTTPResponse>) {
        if isClosed { return promise.fail(LoadError.connectionLost) }
        expected = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let buffer):
            body.append(contentsOf: buffer.readableBytesView)
        case .end:
            guard let head, let promise = expected else { return }
            expected = nil
            promise.succeed(
                HTTPResponse(
                    status: Int(head.status.code),
                    headers: Dictionary(head.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }),
                    body: body
                )
            )
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        expected?.fail(LoadError.connectionLost)
        expected = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

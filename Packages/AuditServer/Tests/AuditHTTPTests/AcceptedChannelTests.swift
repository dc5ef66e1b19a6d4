import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import AuditHTTP

@Suite("Connections that nobody takes")
struct AcceptedChannelTests {
    /// Accepts a connection as a server does that ends at that moment: what answers it is forgotten before it is open.
    private static func acceptAndForget(_ setup: some ServerChildChannel) throws {
        let channel = EmbeddedChannel()
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        _ = try setup.setup(channel: channel, logger: logger).map { _ in }.wait()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.close().wait()
        channel.embeddedEventLoop.run()
    }

    private static var plain: HTTP1Channel {
        HTTP1Channel { _, _, _ in }
    }

    @Test("a connection that is accepted while the server ends does not end the process")
    func forgotten() throws {
        try Self.acceptAndForget(AcceptedChannel(base: Self.plain))
    }

    @Test("without it the process ends, so that it can go when the library keeps connections itself")
    func plainly() async {
        await #expect(processExitsWith: .failure) { try Self.acceptAndForget(Self.plain) }
    }

    @Test("what answers a connection goes with it")
    func released() throws {
        weak var handler: IdleHandler?
        do {
            let added = IdleHandler()
            handler = added
            try Self.acceptAndForget(AcceptedChannel(base: FixedChannel(handler: added)))
        }
        #expect(handler == nil)
    }

    private final class IdleHandler: Sendable {}

    private struct FixedChannel: ServerChildChannel {
        struct Value: ServerChildChannelValue {
            let channel: any Channel
            let handler: IdleHandler
        }

        let handler: IdleHandler

        func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
            channel.eventLoop.makeSucceededFuture(Value(channel: channel, handler: handler))
        }

        func handle(value: Value, logger: Logger) async {}
    }
}

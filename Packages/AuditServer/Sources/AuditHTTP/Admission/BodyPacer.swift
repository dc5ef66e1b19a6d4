import NIOCore
import NIOHTTPTypes
import Synchronization

/// The connections whose client sends a body too slowly; their routes are told when they read on.
final class SlowBodies: Sendable {
    private let channels = Mutex<Set<ObjectIdentifier>>([])

    /// Notes a connection.
    func insert(_ channel: any Channel) {
        channels.withLock { _ = $0.insert(ObjectIdentifier(channel)) }
    }

    /// Forgets a connection.
    func remove(_ channel: any Channel) {
        channels.withLock { _ = $0.remove(ObjectIdentifier(channel)) }
    }

    /// Returns whether the body of a connection ended because it was too slow.
    func contains(_ channel: any Channel) -> Bool {
        channels.withLock { $0.contains(ObjectIdentifier(channel)) }
    }
}

/// Ends a body that comes more slowly than ``BodyPace`` allows, so that no place and no memory waits for it.
///
/// ```
///  connection ──▶ pacer ──▶ door ──▶ route
///                 │ too slow: the body ends here, nothing more is read, and the route says why
/// ```
/// A body that is there at once costs no timer.
final class BodyPacer: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let slow: SlowBodies
    /// nil between two requests.
    private var pace: BodyPace?
    private var check: Scheduled<Void>?
    private var isEnded = false

    /// Creates the pacer of one connection.
    init(_ slow: SlowBodies) {
        self.slow = slow
    }

    // MARK: - What arrives

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isEnded { return }
        switch unwrapInboundIn(data) {
        case .head: pace = BodyPace()
        case .body(let bytes):
            pace?.arrive(bytes.readableBytes, at: context.eventLoop.now)
            if let pace, pace.patience(at: context.eventLoop.now) < .zero { return end(context) }
        case .end: rest()
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if isEnded { return }
        if pace != nil {
            pace?.wait(at: context.eventLoop.now)
            if check == nil { look(context) }
        }
        context.read()
    }

    // MARK: - Time

    private func look(_ context: ChannelHandlerContext) {
        check = nil
        // Nobody is waited for: the next read looks again.
        guard let pace, pace.waitingSince != nil else { return }
        let patience = pace.patience(at: context.eventLoop.now)
        guard patience > .zero else { return end(context) }
        check = context.eventLoop.assumeIsolated().scheduleTask(in: patience) { self.look(context) }
    }

    private func end(_ context: ChannelHandlerContext) {
        rest()
        isEnded = true
        slow.insert(context.channel)
        context.fireChannelRead(wrapInboundOut(.end(nil)))
        context.fireChannelReadComplete()
    }

    private func rest() {
        pace = nil
        check?.cancel()
        check = nil
    }

    // MARK: - The end of the connection

    func channelInactive(context: ChannelHandlerContext) {
        rest()
        if isEnded { slow.remove(context.channel) }
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        rest()
        if isEnded { slow.remove(context.channel) }
    }
}

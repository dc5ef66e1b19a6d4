package import NIOCore
package import NIOHTTPTypes

/// Closes a connection that does not bring a whole request in time, so that nobody occupies the places of others with silence.
///
/// ```
///  opened, or answered ──▶ the clock runs ──▶ the request is whole: it stops until the answer is sent
///                                  └── too late: closed
/// ```
/// Time that passes between two bytes is not enough: one byte now and then would keep a connection for days.
package final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private let patience: TimeAmount
    private var end: Scheduled<Void>?

    /// Creates the deadline of one connection.
    package init(_ patience: TimeAmount) { self.patience = patience }

    /// Begins when the connection is there already.
    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    /// Begins with the connection.
    package func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    /// Stops with the end of a request.
    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { rest() }
        context.fireChannelRead(data)
    }

    /// Begins anew with the end of an answer.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { begin(context) }
        context.write(data, promise: promise)
    }

    /// Stops with the connection.
    package func channelInactive(context: ChannelHandlerContext) {
        rest()
        context.fireChannelInactive()
    }

    /// Stops.
    package func handlerRemoved(context: ChannelHandlerContext) { rest() }

    private func begin(_ context: ChannelHandlerContext) {
        rest()
        let channel = context.channel
        end = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }

    private func rest() {
        end?.cancel()
        end = nil
    }
}

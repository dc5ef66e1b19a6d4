package import HummingbirdCore
package import Logging
package import NIOCore

/// Keeps what answers a connection until the connection is closed, also when nobody takes it.
///
/// A server that ends hands over no connection more, and forgets those that it accepted at that moment. SwiftNIO takes a
/// writer that was forgotten before its end for a mistake of the program, and ends the process with "Deinited NIOAsyncWriter without
/// calling finish()" (apple/swift-nio#2813): whoever connected while `daybook serve` was stopped could make a crash of it. The closing
/// of a connection ends its writer, so that what is kept until then is never forgotten too early.
package struct AcceptedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base

    /// Wraps connections of any kind.
    package init(base: Base) { self.base = base }

    /// Sets a connection up, and keeps what answers it.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger)
            .map { value in
                channel.closeFuture.whenComplete { _ in withExtendedLifetime(value) {} }
                return value
            }
    }

    /// Answers a connection.
    package func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

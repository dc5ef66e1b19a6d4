import NIOCore

/// Lets a connection read a few kilobytes at a time.
///
/// Up to ten reads of a body wait in memory for a request that does not ask for them yet. By default a read grows to 64 KiB,
/// which with a thousand devices at once is some hundred megabytes of bodies that nobody has admitted.
final class SmallReads: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    /// How many bytes one read takes from the system.
    private static let byteCount = 4096

    func handlerAdded(context: ChannelHandlerContext) {
        // Fails only for a channel that is closed already.
        _ = context.channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.byteCount))
    }
}

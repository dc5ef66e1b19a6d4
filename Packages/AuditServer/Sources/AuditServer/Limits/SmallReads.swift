import NIOCore

/// Lets a connection read a kilobyte at a time, and more while a body is read that there is room for.
///
/// Up to ten reads of a body wait in memory for a request that does not ask for them yet. By default a read grows to 64 KiB,
/// which with a thousand devices at once is some hundred megabytes of bodies that nobody has admitted.
final class SmallReads: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    /// How many bytes one read takes from the system, as long as nobody has admitted more.
    private static let byteCount = 1024
    /// How many it takes of a body that is admitted.
    private static let admittedByteCount = 65_536
    /// From how many bytes on a body is worth it.
    private static let largeBody = 8192

    func handlerAdded(context: ChannelHandlerContext) {
        Self.set(Self.byteCount, on: context.channel)
    }

    /// Runs work that reads a body, in large parts if it is large.
    static func admitting<T>(_ byteCount: Int, from channel: any Channel, _ work: () async throws -> T) async throws
        -> T
    {
        guard byteCount > largeBody else { return try await work() }
        set(admittedByteCount, on: channel)
        defer { set(self.byteCount, on: channel) }
        return try await work()
    }

    private static func set(_ byteCount: Int, on channel: any Channel) {
        // Fails only for a channel that is closed already.
        _ = channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: byteCount))
    }
}

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
        // One read at a time: a connection keeps as many buffers as it may read at once, and the first ones for good.
        _ = context.channel.setOption(.maxMessagesPerRead, value: 1)
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
        _ = channel.setOption(.recvAllocator, value: NewBuffers(capacity: byteCount))
    }
}

/// Allocates a buffer for each read, which goes with whoever read it.
///
/// A connection would keep the buffers of an allocator that names the size of the next one, at the largest size that they ever had:
/// with a thousand devices some 90 MB, long after their bodies.
struct NewBuffers: RecvByteBufferAllocator {
    let capacity: Int

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { allocator.buffer(capacity: capacity) }

    /// Says that the next buffer may be larger, since otherwise the one before is used again.
    mutating func record(actualReadBytes: Int) -> Bool { true }
}

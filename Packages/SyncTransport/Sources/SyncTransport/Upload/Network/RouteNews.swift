#if canImport(Glibc)
// A source may be cancelled from any thread, which its type does not say on Linux.
@preconcurrency import Dispatch
import Glibc

/// What Linux reports of interfaces and addresses that come and go, through a netlink socket (rtnetlink(7)).
enum RouteNews {
    /// A `sockaddr_nl`, whose header Swift does not import.
    private struct Address {
        var family = UInt16(AF_NETLINK)
        var padding: UInt16 = 0
        /// The kernel chooses it.
        var port: UInt32 = 0
        /// News of links, and of addresses of both families.
        var groups: UInt32 = 0x1 | 0x10 | 0x100
    }

    /// Opens a socket that is readable whenever there is news; it needs no privilege.
    ///
    /// - Returns: nil where the system lets nobody listen, as in some sandboxes.
    static func open() -> Int32? {
        let socket = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { return nil }
        let bound = withUnsafeBytes(of: Address()) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(socket, $0.baseAddress, socklen_t(bytes.count)) }
        }
        guard bound == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Watches a socket for news of a network that was away and is back.
    ///
    /// - Parameters:
    ///   - socket: A socket that does not block; closed when the stream ends.
    ///   - isUsable: Looks whether the network can be used now; called on a queue of its own, at the start and at each news.
    /// - Returns: A stream with an element at each return.
    static func returns(_ socket: Int32, isUsable: @escaping @Sendable () -> Bool) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let usability = NetworkUsability()
            let queue = DispatchQueue(label: "daybook.network")
            let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
            source.setEventHandler {
                // What the news is does not matter: the interfaces themselves are looked at.
                let isOpen = drain(socket)
                if usability.isReturn(usable: isUsable()) { continuation.yield() }
                if !isOpen { continuation.finish() }
            }
            source.setCancelHandler { close(socket) }
            continuation.onTermination = { _ in source.cancel() }
            queue.async { _ = usability.isReturn(usable: isUsable()) }
            source.activate()
        }
    }

    /// Takes all that waits; false when nothing will ever come again.
    private static func drain(_ socket: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
            while true {
                let count = recv(socket, buffer.baseAddress, buffer.count, 0)
                if count > 0 { continue }
                if count == 0 { return false }
                // ENOBUFS says that news was lost, which is news.
                guard errno == EINTR || errno == ENOBUFS else { return errno == EAGAIN }
            }
        }
    }
}
#endif

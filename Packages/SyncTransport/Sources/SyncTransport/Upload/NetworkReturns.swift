#if canImport(Network)
import Dispatch
import Network
import Synchronization
#endif

/// Tells when the network can be used again.
enum NetworkReturns {
    /// Watches the system's network path; where there is none to watch, the stream ends at once.
    @Sendable
    static func system() -> AsyncStream<Void> {
        #if canImport(Network)
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let monitor = NWPathMonitor()
            let turn = Turn()
            monitor.pathUpdateHandler = { path in
                if turn.isReturn(usable: path.status == .satisfied) { continuation.yield() }
            }
            continuation.onTermination = { _ in monitor.cancel() }
            monitor.start(queue: DispatchQueue(label: "daybook.network"))
        }
        #else
        return AsyncStream { $0.finish() }
        #endif
    }

    #if canImport(Network)
    /// Whether the network could be used the last time that the system told.
    private final class Turn: Sendable {
        private let wasUsable = Mutex(true)

        /// Returns whether the network was away and is back; the first news of a network that works is no return.
        func isReturn(usable: Bool) -> Bool {
            wasUsable.withLock { wasUsable in
                defer { wasUsable = usable }
                return usable && !wasUsable
            }
        }
    }
    #endif
}

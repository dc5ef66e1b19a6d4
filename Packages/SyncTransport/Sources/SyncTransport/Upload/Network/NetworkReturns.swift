#if canImport(Network)
import Dispatch
import Network
#endif

/// Notifies when the network can be used again.
enum NetworkReturns {
    /// Watches the system's network; where there is none to watch, the stream ends at once.
    @Sendable
    static func system() -> AsyncStream<Void> {
        #if canImport(Network)
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let monitor = NWPathMonitor()
            let usability = NetworkUsability()
            monitor.pathUpdateHandler = { path in
                if usability.isReturn(usable: path.status == .satisfied) { continuation.yield() }
            }
            continuation.onTermination = { _ in monitor.cancel() }
            monitor.start(queue: DispatchQueue(label: "daybook.network"))
        }
        #elseif canImport(Glibc)
        guard let news = RouteNews.open() else { return AsyncStream { $0.finish() } }
        return RouteNews.returns(news) { NetworkInterfaces.areUsable() }
        #else
        return AsyncStream { $0.finish() }
        #endif
    }
}

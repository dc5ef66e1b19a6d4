import Synchronization

/// Whether the network could be used at the system's last notification.
final class NetworkUsability: Sendable {
    private let wasUsable = Mutex(true)

    /// Returns whether the network was away and is back; the first news of a network that works is no return.
    func isReturn(usable: Bool) -> Bool {
        wasUsable.withLock { wasUsable in
            defer { wasUsable = usable }
            return usable && !wasUsable
        }
    }
}

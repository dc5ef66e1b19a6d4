public import Synchronization

/// Says, at the cost of one atomic load, whether anybody wants to know what is read.
///
/// The store asks before it does any work for an observer; the recorder opens the gate for each active scope.
public final class ObservationGate: Sendable {
    /// Whether the observer wants to know each object of which a property is read, however the program got it.
    ///
    /// If not, it is notified of what queries, links and look-ups hand out while the gate is open.
    public let seesShownObjects: Bool

    @usableFromInline let openings = Atomic<Int>(0)
    @usableFromInline let total = Atomic<UInt64>(0)
    private let watchers = Mutex<[Watcher]>([])

    private struct Watcher {
        weak var object: (any ObservationGateWatcher)?
    }

    /// Creates a closed gate.
    ///
    /// - Parameter seesShownObjects: Whether objects that were got before the gate was opened are reported once they are shown.
    public init(seesShownObjects: Bool = false) {
        self.seesShownObjects = seesShownObjects
    }

    /// Whether at least one scope is active.
    @inlinable
    public var isOpen: Bool { openings.load(ordering: .relaxed) > 0 }

    /// How often the gate was opened so far.
    ///
    /// A store that reported a result once reports it again to whoever began to listen since.
    @inlinable
    public var openingCount: UInt64 { total.load(ordering: .relaxed) }

    /// Opens the gate once more.
    ///
    /// Reads that start afterwards on this thread are seen. If the gate ``seesShownObjects``, whoever watches it is notified.
    ///
    /// - Complexity: O(*n*) in the count of watchers.
    public func open() {
        total.add(1, ordering: .relaxed)
        openings.add(1, ordering: .releasing)
        guard seesShownObjects else { return }
        // Pairs with the fence of a store that begins to read without asking: it sees the opening, or is notified of it.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        for watcher in watchers.withLock({ $0.compactMap(\.object) }) { watcher.gateDidOpen() }
    }

    /// Takes one opening back.
    ///
    /// - Precondition: The gate was opened more often than closed.
    public func close() {
        let before = openings.subtract(1, ordering: .releasing).oldValue
        precondition(before > 0, "An observation gate was closed more often than it was opened.")
    }

    /// Notifies somebody of each opening from now on, as long as it exists; the gate does not keep it alive.
    public func watch(_ watcher: any ObservationGateWatcher) {
        watchers.withLock { watchers in
            watchers.removeAll { $0.object == nil }
            watchers.append(Watcher(object: watcher))
        }
    }
}

/// Is notified when somebody begins to listen, so that it can read without asking in between.
public protocol ObservationGateWatcher: AnyObject, Sendable {
    /// Called after the gate was opened, on the thread that opened it, before the call that opens it returns.
    ///
    /// Any thread may call it, several at once. It must return quickly.
    func gateDidOpen()
}

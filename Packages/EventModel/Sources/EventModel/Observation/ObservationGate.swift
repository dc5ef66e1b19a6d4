public import Synchronization

/// Says, at the cost of one atomic load, whether anybody wants to know what is read.
///
/// The store asks before it does any work for an observer; the recorder opens the gate for each active scope.
public final class ObservationGate: Sendable {
    @usableFromInline let openings = Atomic<Int>(0)
    @usableFromInline let total = Atomic<UInt64>(0)

    /// Creates a closed gate.
    public init() {}

    /// Whether at least one scope is active.
    @inlinable
    public var isOpen: Bool { openings.load(ordering: .relaxed) > 0 }

    /// How often the gate was opened so far.
    ///
    /// A store that told a result once tells it again to whoever began to listen since.
    @inlinable
    public var openingCount: UInt64 { total.load(ordering: .relaxed) }

    /// Opens the gate once more.
    ///
    /// Reads that start afterwards on this thread are seen.
    public func open() {
        total.add(1, ordering: .relaxed)
        openings.add(1, ordering: .releasing)
    }

    /// Takes one opening back.
    ///
    /// - Precondition: The gate was opened more often than closed.
    public func close() {
        let before = openings.subtract(1, ordering: .releasing).oldValue
        precondition(before > 0, "An observation gate was closed more often than it was opened.")
    }
}

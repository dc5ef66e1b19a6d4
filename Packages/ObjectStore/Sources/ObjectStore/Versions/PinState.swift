import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Whether a connection pins a version, and who works with it: its instance, or the sweep of idle versions.
///
/// The instance is the only one that begins and ends work at will; the sweep only gets a connection that pins a version
/// and rests. All changes are single atomic steps, so that an instance in use pays a few nanoseconds.
///
/// It outlives the connection, so that the sweep can look without holding one that is about to close.
final class PinState: Sendable {
    private static let pinned: UInt8 = 1
    /// Nothing was read since the sweep looked last.
    private static let resting: UInt8 = 2
    private static let busy: UInt8 = 4
    private static let swept: UInt8 = 8

    private let bits = Atomic<UInt8>(0)
    /// How many looks of the sweep the version outlives while nothing reads it.
    let patience = Atomic<Int>(IdleVersions.patience)

    init() {}

    /// Whether a version is pinned.
    @inline(__always)
    var isPinned: Bool { bits.load(ordering: .acquiring) & Self.pinned != 0 }

    /// Whether a version is pinned that the sweep leaves alone for now.
    @inline(__always)
    var isFresh: Bool { bits.load(ordering: .acquiring) & (Self.pinned | Self.resting | Self.swept) == Self.pinned }

    // MARK: The instance

    /// Begins to use the connection; waits for the end of a sweep.
    @inline(__always)
    func enter() {
        // Nearly always one of these two: a version in use, or none.
        let seen = bits.load(ordering: .relaxed) & Self.pinned
        if bits.compareExchange(expected: seen, desired: seen | Self.busy, ordering: .acquiring).exchanged { return }
        enterSlowly()
    }

    @inline(never)
    private func enterSlowly() {
        while true {
            let seen = bits.load(ordering: .relaxed)
            let desired = (seen & Self.pinned) | Self.busy
            if seen & Self.swept == 0,
                bits.compareExchange(expected: seen, desired: desired, ordering: .acquiring).exchanged
            {
                return
            }
            // A sweep ends a read transaction, which takes microseconds.
            sched_yield()
        }
    }

    /// Says whether a version is pinned; only between ``enter()`` and ``leave()``.
    func setPinned(_ isPinned: Bool) {
        bits.store(Self.busy | (isPinned ? Self.pinned : 0), ordering: .relaxed)
    }

    /// Ends the use of the connection.
    @inline(__always)
    func leave() {
        bits.store(bits.load(ordering: .relaxed) & Self.pinned, ordering: .releasing)
    }

    /// Says that the connection is gone.
    func end() { bits.store(0, ordering: .releasing) }

    // MARK: The sweep

    /// What the sweep finds.
    enum Finding {
        case unpinned, inUse, resting
    }

    /// Looks at the connection; from now on it rests until it is used again.
    func look() -> Finding {
        let seen = bits.load(ordering: .relaxed)
        if seen & Self.pinned == 0, seen & Self.busy == 0 { return .unpinned }
        if seen == Self.pinned | Self.resting { return .resting }
        _ = bits.compareExchange(expected: Self.pinned, desired: Self.pinned | Self.resting, ordering: .relaxed)
        return .inUse
    }

    /// Takes a connection that rests away from its instance.
    ///
    /// - Returns: Whether the sweep has it now and must call ``endSweep()``.
    func beginSweep() -> Bool {
        bits.compareExchange(
            expected: Self.pinned | Self.resting,
            desired: Self.swept,
            ordering: .acquiring
        )
        .exchanged
    }

    /// Gives the connection back without a version.
    func endSweep() { bits.store(0, ordering: .releasing) }
}

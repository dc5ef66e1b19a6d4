package import AuditModel
package import EventModel
import Synchronization

/// A sealed partition that follows one which is not stored.
package struct StoredGap: Sendable, Hashable {
    /// The partition that is there.
    package let follower: PartitionID
    /// Whose it is.
    package let owner: EventOwner
}

/// The gaps among the partitions that are stored, for everybody who asks.
///
/// All partitions are read to find them. However many ask, they are read by one task at a time, and not again before what was found
/// is ``freshSeconds`` old.
package final class StoredGaps: Sendable {
    /// How long what was found is told again, in seconds.
    package static let freshSeconds: UInt64 = 10

    private struct Finding {
        let gaps: [StoredGap]
        /// When the search began, in nanoseconds of the monotonic clock.
        let began: UInt64
    }

    private let chains: StoredChains
    private let clock: any EventClock
    private let searching = Turnstile()
    private let latest = Mutex<Finding?>(nil)

    /// Looks at the partitions of a store when somebody asks.
    package init(store: any EventReading, clock: any EventClock) {
        chains = StoredChains(store: store)
        self.clock = clock
    }

    /// Returns the partitions behind a gap that somebody may read, in the order of their listing.
    ///
    /// A gap is one whoever asks: a partition that is stored and that they may not read is not missing.
    ///
    /// - Throws: `unavailable` when the store fails, and `CancellationError` when the task is cancelled while it waits.
    /// - Complexity: O(*n*) in the partitions when they are read, else in the gaps.
    package func followers(_ access: EventAccess) async throws -> [PartitionID] {
        try await searching.passUnlessCancelled { try await current() }
            .filter { access.includes($0.follower, of: $0.owner) }
            .map(\.follower)
    }

    private func current() async throws -> [StoredGap] {
        let began = clock.now().monotonicNanoseconds
        if let latest = latest.withLock(\.self), began &- latest.began < Self.freshSeconds * 1_000_000_000 {
            return latest.gaps
        }
        let gaps = try await chains.gaps()
        latest.withLock { $0 = Finding(gaps: gaps, began: began) }
        return gaps
    }
}

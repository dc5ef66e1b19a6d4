package import AuditModel
package import EventModel
import Synchronization

/// Knows which sessions have not ended, so that most requests cost no look into the database.
///
/// What ends on this server is known at once. Where several servers share a database, each learns within ``age`` what ended
/// on another one.
package final class SessionChecks: Sendable {
    /// How long a session is taken for one that has not ended before it is looked up again, in nanoseconds: 15 seconds.
    package static let age: UInt64 = 15_000_000_000
    /// How many sessions are known at once.
    package static let capacity = 50_000

    private struct Known {
        let session: UserSession
        let looked: UInt64
    }

    private struct State {
        var known: [String: Known] = [:]  // TEXT: ids that this server made, in hexadecimal digits.
        var swept: UInt64 = 0
        /// How often sessions ended here: what was looked up before the last time is not kept.
        var endings: UInt64 = 0
    }

    private let store: any SessionStore
    private let clock: any EventClock
    private let state = Mutex(State())

    /// Creates checks that know of no session.
    package init(store: any SessionStore, clock: any EventClock) {
        self.store = store
        self.clock = clock
    }

    /// Returns the session of a token that is used, or nil when it has ended.
    ///
    /// - Throws: `unavailable` when the storage fails.
    /// - Complexity: O(1); looks into the database once in ``age`` and when a token of a newer generation comes.
    package func session(of stamp: SessionStamp) async throws -> UserSession? {
        let now = clock.now().monotonicNanoseconds
        let (known, endings) = state.withLock { ($0.known[stamp.session], $0.endings) }
        if let known, known.session.generation >= stamp.generation, now < known.looked &+ Self.age {
            return known.session
        }
        guard var session = try await store.session(stamp.session) else {
            forget([stamp.session])
            return nil
        }
        if session.confirm(stamp.generation) { try await store.confirm(stamp) }
        state.withLock { state in
            guard state.endings == endings else { return }
            if state.known.count >= Self.capacity { Self.sweep(&state, now: now) }
            guard state.known.count < Self.capacity else { return }
            state.known[session.id] = Known(session: session, looked: now)
        }
        return session
    }

    /// Forgets sessions that ended.
    package func forget(_ ids: some Sequence<String>) {
        let ids = Set(ids)
        guard !ids.isEmpty else { return }
        state.withLock { state in
            state.endings += 1
            for id in ids { state.known[id] = nil }
        }
    }

    /// Forgets all sessions of a user.
    ///
    /// - Complexity: O(*n*) in the sessions that are known.
    package func forgetAll(of user: EventOwner) {
        state.withLock { state in
            state.endings += 1
            state.known = state.known.filter { $0.value.session.owner != user }
        }
    }

    /// Forgets what would be looked up again anyway, once in ``age`` at most: looking at all takes a while.
    private static func sweep(_ state: inout State, now: UInt64) {
        guard now >= state.swept &+ age || state.swept == 0 else { return }
        state.swept = now
        state.known = state.known.filter { now < $0.value.looked &+ age }
    }
}

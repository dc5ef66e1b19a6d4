package import AuditModel
package import EventModel
import Synchronization

/// What users and apps have used of their quotas, and which of them used one up.
///
/// Kept in memory: a server that starts again begins with full quotas, and servers that share a database count each for itself.
package final class QuotaBook: Sendable {
    /// Somebody who used a quota up.
    package struct Overdraft: Sendable, Hashable {
        package let kind: Refusal
        /// Whose it is; the user is empty where it is the app's, and the app where it is that of all that are not set up.
        package let owner: EventOwner
    }

    /// How many overdrafts wait to be told at once; the first ones say enough.
    package static let maximumWaiting = 1000
    /// How long the same overdraft is told no more, in nanoseconds: a day.
    private static let dayNanoseconds: UInt64 = 86_400_000_000_000

    private struct State {
        var buckets: [Refusal: TokenBuckets<EventOwner>]
        var waiting: [Overdraft] = []
        var told: [Overdraft: UInt64] = [:]
    }

    /// The apps that are set up.
    private let apps: Set<String>  // TEXT: apps, which are ASCII.
    let clock: any EventClock
    private let metrics: any ServerCounting
    private let state: Mutex<State>

    /// Creates a book in which nothing is used.
    package init(
        _ quotas: ServerQuotas,
        apps: Set<String>,  // TEXT: as above.
        clock: any EventClock,
        metrics: any ServerCounting
    ) {
        self.apps = apps
        self.clock = clock
        self.metrics = metrics
        func full(_ amount: Int, _ seconds: Int = 86_400) -> TokenBuckets<EventOwner> {
            // One comes in a period at least, so that whoever waits is told an end.
            TokenBuckets(burst: amount, amount: max(1, amount), period: seconds)
        }
        state = Mutex(
            State(
                buckets: [
                    .userBytes: full(quotas.userBytesPerDay), .appBytes: full(quotas.appBytesPerDay),
                    .userPartitions: full(quotas.userPartitionsPerDay),
                    .appPartitions: full(quotas.appPartitionsPerDay),
                    .newUsers: full(quotas.newUsersPerHour, 3600),
                ]
            )
        )
    }

    /// Checks that a user and the app have something left, before anything of an upload is read.
    ///
    /// - Throws: `AuditServerError.refused(_:retryAfterSeconds:)`.
    package func checkUpload(of owner: EventOwner) throws(AuditServerError) {
        try check([(.userBytes, owner), (.appBytes, app(owner.app))])
    }

    /// Checks that a user and the app may begin another partition.
    ///
    /// - Throws: `AuditServerError.refused(_:retryAfterSeconds:)`.
    package func checkPartition(of owner: EventOwner) throws(AuditServerError) {
        try check([(.userPartitions, owner), (.appPartitions, app(owner.app))])
    }

    /// Counts what was stored; what was under way may overdraw a quota, and is paid back before anything else is taken.
    package func didUpload(_ byteCount: Int, beginsPartition: Bool, of owner: EventOwner) {
        let now = clock.now().monotonicNanoseconds
        let app = app(owner.app)
        state.withLock { state in
            state.buckets[.userBytes]?.use(byteCount, of: owner, now: now)
            state.buckets[.appBytes]?.use(byteCount, of: app, now: now)
            guard beginsPartition else { return }
            state.buckets[.userPartitions]?.use(1, of: owner, now: now)
            state.buckets[.appPartitions]?.use(1, of: app, now: now)
        }
    }

    /// Counts a new user of an app.
    ///
    /// - Throws: `AuditServerError.refused(_:retryAfterSeconds:)`.
    package func countNewUser(of id: String) throws(AuditServerError) {
        let now = clock.now().monotonicNanoseconds
        let app = app(id)
        let wait = state.withLock { $0.buckets[.newUsers]?.take(app, now: now) }
        if let wait { throw refusal(.newUsers, app, wait, now) }
    }

    /// Notes that Development Mode makes no more columns for an app.
    package func didRefuseColumn(of id: String) {
        metrics.didRefuse(.developmentColumns)
        note(Overdraft(kind: .developmentColumns, owner: app(id)), clock.now().monotonicNanoseconds)
    }

    /// Takes those of whom nobody was told yet.
    package func takeOverdrafts() -> [Overdraft] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// The key of an app; of all that are not set up one.
    private func app(_ id: String) -> EventOwner {
        EventOwner(app: apps.contains(id) ? id : "", user: "")
    }

    private func check(_ quotas: [(Refusal, EventOwner)]) throws(AuditServerError) {
        let now = clock.now().monotonicNanoseconds
        for (kind, owner) in quotas {
            let wait = state.withLock { $0.buckets[kind]?.wait(of: owner, now: now) }
            if let wait { throw refusal(kind, owner, wait, now) }
        }
    }

    private func refusal(
        _ kind: Refusal,
        _ owner: EventOwner,
        _ seconds: Int,
        _ now: UInt64
    ) -> AuditServerError {
        note(Overdraft(kind: kind, owner: owner), now)
        return .refused(kind, retryAfterSeconds: seconds)
    }

    private func note(_ overdraft: Overdraft, _ now: UInt64) {
        state.withLock { state in
            if let told = state.told[overdraft], now < told &+ Self.dayNanoseconds { return }
            guard state.waiting.count < Self.maximumWaiting else { return }
            if state.told.count >= Self.maximumWaiting {
                state.told = state.told.filter { now < $0.value &+ Self.dayNanoseconds }
                guard state.told.count < Self.maximumWaiting else { return }
            }
            state.told[overdraft] = now
            state.waiting.append(overdraft)
        }
    }
}

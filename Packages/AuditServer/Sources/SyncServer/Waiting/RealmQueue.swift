import ChangeModel
public import EventModel
import Synchronization

/// Lets uploads into a store: of each realm one transaction at a time, with all that wait for it.
///
/// ```
///  upload 1 ──▶ transaction 1: 1
///  upload 2 ──▶ │ waits
///  upload 3 ──▶ │ waits ──▶ transaction 2: 2, 3
/// ```
/// Realms do not wait for each other, but for the one writer that a database may have. Of one file one upload may be
/// under way, users take turns, and a transaction has an end: so nobody keeps others from a realm by sending much.
///
/// The task of an upload does the work of those that wait with it; there is no task of the queue's own.
public final class RealmQueue: Sendable {
    /// How much may wait, and how much is stored at once.
    public struct Limits: Sendable, Hashable {
        /// How many uploads may wait for one realm: 64.
        public let waiting: Int
        /// How many uploads share a transaction: 32.
        public let groupUploads: Int
        /// After how many bytes of uploads a transaction takes no more of them: 4 MiB.
        public let groupBytes: Int
        /// When somebody who was turned away may come back, in seconds: 1.
        public let retryAfterSeconds: Int

        /// Creates limits; what is not given has the value that its property names.
        public init(waiting: Int = 64, groupUploads: Int = 32, groupBytes: Int = 4 << 20, retryAfterSeconds: Int = 1) {
            self.waiting = waiting
            self.groupUploads = groupUploads
            self.groupBytes = groupBytes
            self.retryAfterSeconds = retryAfterSeconds
        }
    }

    private typealias Outcome = Result<TakenChanges, SyncServerError>

    /// What the task of an upload wakes up for.
    private enum Turn {
        /// Somebody stored its upload.
        case isOver(Outcome)
        /// It stores these uploads, of which its own is the first.
        case stores([Entry])
    }

    private struct Entry {
        let upload: ChangeUpload
        let continuation: CheckedContinuation<Turn, Never>
    }

    private let store: any ChangeStore
    private let clock: any EventClock
    private let limits: Limits
    private let committed: @Sendable (RealmName) -> Void
    /// Tells a test that an upload has to wait.
    private let waits: @Sendable () -> Void
    /// The realms of which something is being stored.
    private let lines = Mutex<[RealmName: RealmLine<Entry>]>([:])

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - store: Where uploads go.
    ///   - clock: The server's clock.
    ///   - limits: How much may wait.
    ///   - committed: Is told of a realm when something new of it is durable, before those who sent it are answered.
    public convenience init(
        store: any ChangeStore,
        clock: any EventClock,
        limits: Limits = Limits(),
        committed: @escaping @Sendable (RealmName) -> Void
    ) {
        self.init(store: store, clock: clock, limits: limits, committed: committed, waits: {})
    }

    /// Creates a queue that tells a test of each upload that has to wait.
    package init(
        store: any ChangeStore,
        clock: any EventClock,
        limits: Limits,
        committed: @escaping @Sendable (RealmName) -> Void,
        waits: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.clock = clock
        self.limits = limits
        self.committed = committed
        self.waits = waits
    }

    /// Takes an upload and returns when it is durable.
    ///
    /// - Throws: ``SyncServerError`` as the store says, and `busy` when too many wait or another upload of the file is
    ///   under way; `CancellationError` when the task was cancelled before the call. An upload that waits already is
    ///   stored all the same.
    public func take(_ upload: ChangeUpload, in realm: RealmName) async throws -> TakenChanges {
        try Task.checkCancellation()
        let turn = await withCheckedContinuation { continuation in
            enter(Entry(upload: upload, continuation: continuation), realm)
        }
        switch turn {
        case .isOver(let outcome): return try outcome.get()
        case .stores(let group): return try await store(group, in: realm).get()
        }
    }

    private func enter(_ entry: Entry, _ realm: RealmName) {
        let entrance = lines.withLock { lines in
            lines[realm, default: RealmLine(limits)]
                .enter(
                    entry,
                    of: entry.upload.file,
                    entry.upload.user.string,
                    bytes: entry.upload.batch.bytes.count
                )
        }
        switch entrance {
        case .waits: waits()
        case .isStored: entry.continuation.resume(returning: .stores([entry]))
        case .isRefused: refuse(entry)
        case .displaces(let other):
            refuse(other)
            waits()
        }
    }

    private func refuse(_ entry: Entry) {
        let busy = SyncServerError.busy(retryAfterSeconds: limits.retryAfterSeconds)
        entry.continuation.resume(returning: .isOver(.failure(busy)))
    }

    /// Stores a group, answers it, and hands those who wait to one of them.
    ///
    /// - Returns: What came of the first one.
    private func store(_ group: [Entry], in realm: RealmName) async -> Outcome {
        let outcomes = await store.take(group.map(\.upload), in: realm, received: clock.now().wall)
        guard let own = outcomes.first, outcomes.count == group.count else {
            preconditionFailure("A store answers every upload.")
        }
        let hasNews = outcomes.contains { outcome in if case .success = outcome { true } else { false } }
        if hasNews { committed(realm) }
        let next = lines.withLock { lines in
            let next = lines[realm]?.next(after: group.map(\.upload.file)) ?? []
            if next.isEmpty { lines[realm] = nil }
            return next
        }
        next.first?.continuation.resume(returning: .stores(next))
        for (entry, outcome) in zip(group, outcomes).dropFirst() {
            entry.continuation.resume(returning: .isOver(outcome))
        }
        return own
    }
}

package import AuditModel
package import EventModel
import EventProofs
package import Logging
import Synchronization

/// Keeps the ``ReviewBook`` of a server up to date, and writes entries into the auditors' trail.
///
/// The trail is the only truth. The book is read from it once, through the search index, and follows the events that the
/// index learns of: at once those of this server, and those of others as soon as they are entered.
package final class ReviewDesk: Sendable {
    private struct State {
        var book = ReviewBook()
        var isLoaded = false
        /// Whether everything that is stored was known at some time, and so all that had been raised before.
        var hasCaughtUp = false
    }

    /// What of the checks is in their file.
    struct Kept {
        /// How often something had been found.
        let changes: UInt64
        /// When it was written, by the monotonic clock.
        let nanoseconds: UInt64
    }

    /// How many entries are read at once.
    private static let page = 500

    package let events: any EventReading
    package let log: any SealLog
    package let index: any SearchEngine
    package let trail: AuditTrail
    package let clock: any EventClock
    package let settings: AlertSettings
    package let metrics: any ServerCounting
    let logger: Logger
    /// When the server started.
    package let started: EventInstant
    private let state = Mutex(State())
    private let watch: Mutex<AlertWatch>
    private let logWatch = Mutex(LogWatch())
    /// How far the verification is.
    let check: Mutex<StoreCheck>
    /// How far the log is compared with what is there.
    let holdings = Mutex(HoldingCheck())
    /// What is wrong with what is stored.
    package let findings = FindingBook()
    /// What tells of the published log that it is not the one of this database; nil when nothing does.
    let publishedAlert = Mutex<Alert?>(nil)
    /// Where the checks keep how far they are; nil where a restart begins them anew.
    let checkFile: CheckFile?
    let keeping = Mutex<Kept?>(nil)
    /// The public keys that this server signs receipts with, and did.
    let keys: [[UInt8]]
    /// What is missing among the partitions that are stored.
    package let gaps: StoredGaps
    private let loading = Turnstile()
    /// Lets one task at a time look along the log and what is stored.
    package let watching = Turnstile()

    package init(
        events: any EventReading,
        log: any SealLog,
        index: any SearchEngine,
        trail: AuditTrail,
        keys: [[UInt8]],
        clock: any EventClock,
        settings: AlertSettings,
        metrics: any ServerCounting,
        logger: Logger,
        checkFile: CheckFile? = nil
    ) {
        self.events = events
        self.log = log
        self.index = index
        self.trail = trail
        self.clock = clock
        self.settings = settings
        self.metrics = metrics
        self.logger = logger
        started = clock.now().wall
        watch = Mutex(AlertWatch(settings))
        gaps = StoredGaps(store: events, clock: clock)
        check = Mutex(StoreCheck(signedBy: keys))
        self.keys = keys
        self.checkFile = checkFile
        restoreChecks()
    }

    /// The book as it is now.
    package var book: ReviewBook { state.withLock { $0.book } }

    /// Reads something of the book without copying it.
    package func read<T>(_ body: (ReviewBook) -> T) -> T { state.withLock { body($0.book) } }

    /// Whether everything that is stored was known at some time.
    package var hasCaughtUp: Bool { state.withLock { $0.hasCaughtUp } }

    /// Does something with what the rules about events know.
    package func withWatch<T>(_ body: (inout AlertWatch) -> T) -> T { watch.withLock { body(&$0) } }

    /// Does something with what is known of the log.
    package func withLogWatch<T>(_ body: (inout LogWatch) -> T) -> T { logWatch.withLock { body(&$0) } }

    /// Writes an entry, and returns when it is durable and in the book.
    ///
    /// - Throws: `unavailable` when the storage fails.
    @discardableResult
    package func write(
        _ entry: ReviewEntry,
        about subject: String?,
        because reason: String? = nil,
        by actor: TrailActor?
    ) async throws -> EntryPlace {
        let place = try await trail.record(entry, about: subject, because: reason, by: actor)
        apply(entry, at: place)
        return place
    }

    private func apply(_ entry: ReviewEntry, at place: EntryPlace) {
        state.withLock { state in
            state.book.apply(entry, at: place)
            state.book.trim()
        }
    }

    /// Enters what is new in the search index, and so in the book.
    ///
    /// - Returns: Whether everything that is stored is known.
    /// - Throws: `unavailable` when the store or the index fails.
    package func catchUp(maximumEvents: Int) async throws -> Bool {
        try await loadIfNeeded()
        let isCurrent = try await index.refresh(from: events, maximumEvents: maximumEvents)
        if isCurrent { state.withLock { $0.hasCaughtUp = true } }
        return isCurrent
    }

    /// Reads the entries that the index knows, once.
    private func loadIfNeeded() async throws {
        try await loading.pass {
            guard !state.withLock({ $0.isLoaded }) else { return }
            for activity in ReviewEntry.Activity.allCases { try await load(activity) }
            state.withLock { state in
                state.book.trim()
                state.isLoaded = true
            }
        }
    }

    private func load(_ activity: ReviewEntry.Activity) async throws {
        let filter = EventFilter(app: TrailEvent.app, activity: activity.rawValue)
        var range = SearchRange(isNewestFirst: false, limit: Self.page)
        repeat {
            let page = try await index.search(filter, range, in: events, clock: clock)
            // What was changed behind the server's back is no entry; the verification tells of it.
            for hit in page.hits where !hit.isChanged { enter(hit.stored) }
            range.after = page.next
        } while range.after != nil
    }

    private func enter(_ stored: StoredEvent) {
        guard stored.owner?.app == TrailEvent.app, let event = stored.event, let entry = AuditTrail.entry(in: event)
        else { return }
        let address = EventAddress(partition: stored.partition, sequence: stored.sequence)
        let place = EntryPlace(time: event.timestamp, id: event.id, address: address)
        state.withLock { $0.book.apply(entry, at: place) }
    }
}

extension ReviewDesk: ArrivalObserver {
    package func willEnter(_ events: [StoredEvent]) async throws {
        try await loadIfNeeded()
        for stored in events where stored.owner?.app == TrailEvent.app {
            if stored.event.map({ MerkleHash.leaf($0.encoded) }) == stored.leaf { enter(stored) }
        }
        try await watch(events)
    }
}

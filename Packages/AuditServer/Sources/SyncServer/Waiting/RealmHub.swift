public import EventModel
import Synchronization

/// What a reader of a hub waits for.
public protocol HubPage: Sendable {
    /// Whether there is nothing in it, so that the reader waits on.
    var isEmpty: Bool { get }
}

/// Lets readers of realms wait until there is something new, and wakes them.
///
/// ```
///  reader ──▶ enters ──▶ reads: nothing new ──▶ waits ──▶ reads again
///                                                 ▲
///  upload ──▶ durable ──▶ announce ───────────────┘
/// ```
/// A reader enters before it reads, so that nothing falls between its reading and its waiting. It costs a continuation
/// and some hundred bytes; nothing is encoded for it.
public final class RealmHub: Sendable {
    /// How many may wait, and for how long.
    public struct Limits: Sendable, Hashable {
        /// How many readers may wait in all: 10,000.
        public let readers: Int
        /// How many readers of one user may wait: 7,500, so that there is always a place for others.
        ///
        /// Devices that share an API key are one user.
        public let readersOfUser: Int
        /// How many readers of one file may wait: 2; one more takes the place of the oldest, which gets the page that there is.
        ///
        /// A program that ended, or lost its connection, leaves a reader behind that nobody hears any more.
        public let readersOfFile: Int
        /// For how many seconds a reader may wait at most: 50.
        public let seconds: Int
        /// When somebody who was turned away may come back, in seconds: 5.
        public let retryAfterSeconds: Int

        /// Creates limits; what is not given has the value that its property names.
        public init(
            readers: Int = 10_000,
            readersOfUser: Int = 7_500,
            readersOfFile: Int = 2,
            seconds: Int = 50,
            retryAfterSeconds: Int = 5
        ) {
            self.readers = readers
            self.readersOfUser = readersOfUser
            self.readersOfFile = readersOfFile
            self.seconds = seconds
            self.retryAfterSeconds = retryAfterSeconds
        }
    }

    /// Who reads: a file that a user names.
    ///
    /// Nobody has a place of a file that another user named.
    public struct Reader: Sendable, Hashable {
        /// The user of the token.
        public let user: ExactText
        /// The number of the file, as the user says.
        public let file: UInt32

        /// Names a reader.
        public init(user: ExactText, file: UInt32) {
            self.user = user
            self.file = file
        }
    }

    private let timer: any EventTimer
    private let limits: Limits
    /// Tells a test that a reader has to wait.
    private let waits: @Sendable () -> Void
    private let state = Mutex(RealmReaders())

    /// Creates a hub.
    ///
    /// - Parameters:
    ///   - timer: What wakes readers of whose realms nothing is heard.
    ///   - limits: How many may wait.
    public convenience init(timer: any EventTimer, limits: Limits = Limits()) {
        self.init(timer: timer, limits: limits, waits: {})
    }

    /// Creates a hub that tells a test of each reader that has to wait.
    package init(timer: any EventTimer, limits: Limits, waits: @escaping @Sendable () -> Void) {
        self.timer = timer
        self.limits = limits
        self.waits = waits
    }

    /// How many readers are here: reading, or waiting for something new.
    public var readerCount: Int { state.withLock { $0.count } }

    /// Reads a page, and waits for one where it is empty.
    ///
    /// - Parameters:
    ///   - realm: The realm.
    ///   - reader: Who reads.
    ///   - seconds: How long to wait at most; more than the limit counts as the limit.
    ///   - read: Reads a page; it is called again after each announcement.
    /// - Returns: The first page with entries, or an empty one when the time is over.
    /// - Throws: ``SyncServerError/busy(retryAfterSeconds:)`` when too many wait, `CancellationError` when the task is
    ///   cancelled, and what `read` throws. The place is free then.
    public func page<Page: HubPage>(
        of realm: RealmName,
        for reader: Reader,
        seconds: Int,
        _ read: () async throws -> Page
    ) async throws -> Page {
        let number = try enter(realm, reader, min(max(seconds, 0), limits.seconds))
        defer { state.withLock { $0.leave(number) } }
        while true {
            let page = try await read()
            guard page.isEmpty else { return page }
            switch await wake(of: number) {
            case .news: continue
            case .timeIsOver: return page
            case .cancelled: throw CancellationError()
            }
        }
    }

    /// Wakes the readers of a realm, of which something new is durable.
    public func announce(_ realm: RealmName) {
        for continuation in state.withLock({ $0.announce(realm) }) { continuation.resume(returning: .news) }
    }

    /// Lets nobody wait any more, as when the server ends: whoever waits gets the page that there is, and so does who comes.
    public func end() {
        for continuation in state.withLock({ $0.end() }) { continuation.resume(returning: .timeIsOver) }
    }

    private func enter(_ realm: RealmName, _ reader: Reader, _ seconds: Int) throws(SyncServerError) -> UInt64 {
        let (entered, beginsTicking) = try state.withLock { state throws(SyncServerError) in
            guard let entered = state.enter(realm, reader, seconds: seconds, limits) else {
                throw .busy(retryAfterSeconds: limits.retryAfterSeconds)
            }
            return (entered, state.beginTicking())
        }
        entered.former?.resume(returning: .timeIsOver)
        if beginsTicking { scheduleTick() }
        return entered.number
    }

    private func wake(of number: UInt64) async -> RealmReaders.Wake {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wake = state.withLock { $0.wait(number, continuation) }
                if let wake { continuation.resume(returning: wake) } else { waits() }
            }
        } onCancel: {
            state.withLock { $0.cancel(number) }?.resume(returning: .cancelled)
        }
    }

    /// One tick a second wakes whoever waited long enough, so that a reader who leaves early leaves no timer behind.
    private func scheduleTick() {
        timer.schedule(afterNanoseconds: 1_000_000_000) { [weak self] in
            guard let self else { return }
            let (over, goesOn) = state.withLock { $0.tick() }
            for continuation in over { continuation.resume(returning: .timeIsOver) }
            if goesOn { scheduleTick() }
        }
    }
}

import AuditServerTesting
import EventModel
import EventModelTesting
import Synchronization
import Testing

@testable import SyncServer

@Suite("Readers that wait for a realm")
struct RealmHubTests {
    private static let second: UInt64 = 1_000_000_000
    private static let empty = EntryPage(entries: [], head: 0)
    private static let page = EntryPage(entries: [StoredEntry(number: 1, bytes: [1])], head: 1)

    private let timer = ManualTimer()
    private let waiting = Signal()

    private func hub(_ limits: RealmHub.Limits = RealmHub.Limits()) -> RealmHub {
        let waiting = waiting
        return RealmHub(timer: timer, limits: limits, waits: { waiting.happens() })
    }

    @Test("a page with entries comes at once")
    func atOnce() async throws {
        let hub = hub()

        let page = try await hub.page(of: .sample(), for: .sample, seconds: 50) { Self.page }

        #expect(page == Self.page)
        #expect(hub.readerCount == 0)
    }

    @Test("who waits is woken by an announcement and reads again")
    func waking() async throws {
        let hub = hub()
        let pages = Mutex([Self.empty, Self.page])
        async let page = hub.page(of: .sample(), for: .sample, seconds: 50) { pages.withLock { $0.removeFirst() } }
        await waiting.waits()

        hub.announce(.sample())

        #expect(try await page == Self.page)
        #expect(hub.readerCount == 0)
    }

    @Test("what is announced while somebody reads is not missed")
    func betweenReadingAndWaiting() async throws {
        let hub = hub()
        let reads = Mutex(0)

        let page = try await hub.page(of: .sample(), for: .sample, seconds: 50) {
            let isFirst = reads.withLock { reads in
                reads += 1
                return reads == 1
            }
            guard isFirst else { return Self.page }
            hub.announce(.sample())
            return Self.empty
        }

        #expect(page == Self.page)
        #expect(reads.withLock { $0 } == 2)
    }

    @Test("an announcement wakes the readers of its realm alone")
    func otherRealm() async throws {
        let hub = hub()
        let reads = Mutex(0)
        async let page = hub.page(of: .sample("s_b"), for: .sample, seconds: 1) {
            reads.withLock { $0 += 1 }
            return Self.empty
        }
        await waiting.waits()

        hub.announce(.sample("s_a"))
        timer.advance(nanoseconds: Self.second)

        #expect(try await page == Self.empty)
        #expect(reads.withLock { $0 } == 1)
    }

    @Test(
        "nobody waits longer than it asked for, nor longer than anybody may",
        arguments: [(3, 3), (90, 5), (0, 0), (-1, 0)]
    )
    func time(asked: Int, waited: Int) async throws {
        let hub = hub(RealmHub.Limits(seconds: 5))
        async let page = hub.page(of: .sample(), for: .sample, seconds: asked) { Self.empty }
        if waited > 0 {
            await waiting.waits()
            timer.advance(nanoseconds: UInt64(waited - 1) * Self.second)
            #expect(hub.readerCount == 1)
            timer.advance(nanoseconds: Self.second)
        }

        #expect(try await page == Self.empty)
        #expect(hub.readerCount == 0)
    }

    @Test("no timer runs when nobody waits")
    func noTimer() async throws {
        let hub = hub()
        _ = try await hub.page(of: .sample(), for: .sample, seconds: 50) { Self.page }

        timer.advance(nanoseconds: Self.second)

        #expect(timer.waitingCount == 0)
    }

    @Test("a reader whose task is cancelled leaves at once and frees its place")
    func cancellation() async throws {
        let hub = hub(RealmHub.Limits(readers: 1))
        let reader = Task { try await hub.page(of: .sample(), for: .sample, seconds: 50) { Self.empty } }
        await waiting.waits()

        reader.cancel()

        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(hub.readerCount == 0)
        #expect(try await hub.page(of: .sample(), for: .sample, seconds: 50) { Self.page } == Self.page)
    }

    @Test("an error of the reading ends it and frees the place")
    func failure() async throws {
        let hub = hub()

        await #expect(throws: SyncServerError.historyChanged) {
            try await hub.page(of: .sample(), for: .sample, seconds: 50) { () -> EntryPage in
                throw SyncServerError.historyChanged
            }
        }
        #expect(hub.readerCount == 0)
    }

    @Test("one reader more of a file takes the place of the oldest, which gets the page that there is")
    func newest() async throws {
        let hub = hub(RealmHub.Limits(readers: 5, readersOfFile: 2))
        let ended = Mutex<[Int]>([])
        let read: @Sendable (Int) async throws -> Void = { number in
            _ = try await hub.page(of: .sample(), for: .sample, seconds: 50) { Self.empty }
            ended.withLock { $0.append(number) }
        }
        let first = Task { try await read(1) }
        await waiting.waits()
        let second = Task { try await read(2) }
        await waiting.waits()
        let other = Task { try await hub.page(of: .sample(), for: .sample(2), seconds: 50) { Self.empty } }
        await waiting.waits()

        let third = Task { try await read(3) }
        try await first.value
        await waiting.waits()
        #expect(ended.withLock { $0 } == [1])
        #expect(hub.readerCount == 3)
        // The place of the first was given back once: a fourth takes that of the second.
        let fourth = Task { try await read(4) }
        try await second.value
        await waiting.waits()

        #expect(ended.withLock { $0 } == [1, 2])
        hub.end()
        _ = try await (third.value, fourth.value, other.value)
        #expect(hub.readerCount == 0)
    }

    @Test("more readers than may wait are refused in all")
    func bounds() async throws {
        let hub = hub(RealmHub.Limits(readers: 3, readersOfFile: 2))
        let busy = SyncServerError.busy(retryAfterSeconds: 5)
        await withThrowingTaskGroup(of: EntryPage.self) { group in
            for _ in 1...2 {
                group.addTask { try await hub.page(of: .sample(), for: .sample, seconds: 50) { Self.empty } }
            }
            await waiting.waits(for: 2)
            group.addTask { try await hub.page(of: .sample("s_b"), for: .sample, seconds: 50) { Self.empty } }
            await waiting.waits()
            await #expect(throws: busy) {
                try await hub.page(of: .sample(), for: .sample(2), seconds: 50) { Self.page }
            }
            group.cancelAll()
        }
        #expect(hub.readerCount == 0)
    }

    @Test("nobody takes the places of a file that another user has, nor all places")
    func placesOfUsers() async throws {
        let hub = hub(RealmHub.Limits(readers: 4, readersOfUser: 3, readersOfFile: 2))
        let busy = SyncServerError.busy(retryAfterSeconds: 5)
        let other = RealmHub.Reader(user: "bb", file: 1)
        await withThrowingTaskGroup(of: EntryPage.self) { group in
            for file in [1, 1, 7] as [UInt32] {
                group.addTask { try await hub.page(of: .sample(), for: .sample(file), seconds: 50) { Self.empty } }
            }
            await waiting.waits(for: 3)
            await #expect(throws: busy) {
                try await hub.page(of: .sample(), for: .sample(8), seconds: 50) { Self.page }
            }
            await #expect(throws: Never.self) {
                try await hub.page(of: .sample(), for: other, seconds: 50) { Self.page }
            }
            group.cancelAll()
        }
        #expect(hub.readerCount == 0)
    }

    @Test("when it ends, who waits gets the page that there is, and nobody waits any more")
    func end() async throws {
        let hub = hub()
        async let page = hub.page(of: .sample(), for: .sample, seconds: 50) { Self.empty }
        await waiting.waits()

        hub.end()

        #expect(try await page == Self.empty)
        #expect(try await hub.page(of: .sample(), for: .sample, seconds: 50) { Self.empty } == Self.empty)
        #expect(hub.readerCount == 0)
    }

    @Test("an announcement wakes all of many readers")
    func many() async throws {
        let hub = hub()
        let isThere = Switch()
        let pages = try await withThrowingTaskGroup(of: EntryPage.self) { group in
            for file in UInt32(1)...200 {
                group.addTask {
                    try await hub.page(of: .sample(), for: .sample(file), seconds: 50) {
                        isThere.isOn ? Self.page : Self.empty
                    }
                }
            }
            await waiting.waits(for: 200)
            isThere.turnOn()
            hub.announce(.sample())
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(pages == Array(repeating: Self.page, count: 200))
        #expect(hub.readerCount == 0)
    }
}

extension RealmHub.Reader {
    /// The first file of a user.
    fileprivate static let sample = sample(1)

    /// A file of the same user.
    fileprivate static func sample(_ file: UInt32) -> RealmHub.Reader { RealmHub.Reader(user: "aa", file: file) }
}

import AuditServerTesting
import EventModel
import EventModelTesting
import Logging
import Synchronization
import Testing

@testable import AuditAccounts
@testable import AuditHTTP
@testable import AuditKeeping
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

@Suite("What a server erases by itself")
struct KeepingServiceTests {
    private static let day: Int64 = 86_400_000_000

    /// A store whose erasures cannot be read a number of times.
    private final class FaultyStore: ForwardingEventStore {
        let inner: any AuditStore
        private let faults: Mutex<Int>

        init(_ inner: any AuditStore, faults: Int) {
            self.inner = inner
            self.faults = Mutex(faults)
        }

        func erasures(after number: Int64, limit: Int) async throws -> [ErasureRecord] {
            let isFaulty = faults.withLock { faults in
                faults -= 1
                return faults >= 0
            }
            if isFaulty { throw AuditServerError.unavailable(reason: "a test says so") }
            return try await inner.erasures(after: number, limit: limit)
        }
    }

    /// Runs the service for some pauses, and returns how long they were and what is left after each.
    ///
    /// At each pause a day passes; the events were received a day and a half before thirty days are over.
    private static func run(_ store: any AuditStore, pauses: Int) async throws -> (rests: [Duration], left: [Int]) {
        var device = SampleDevice()
        for number in 1...3 { device.record(device.event("Rounds \(number)")) }
        _ = try await store.accept(device.upload(1...3))
        let clock = ManualClock(
            start: EventInstant(microseconds: SampleDevice.received.microseconds + 28 * day + day / 2)
        )
        let index = try SearchIndex()
        let keeper = EventKeeper(
            store: store,
            index: index,
            trail: AuditTrail(
                store: store,
                index: index,
                key: SampleDevice.serverKey,
                clock: clock,
                ids: SequentialIds()
            ),
            rules: ["ward-app": try RetentionRule(days: 30)],
            retentionShare: 0.05,
            clock: clock
        )
        let seen = Mutex<(rests: [Duration], left: [Int])>(([], []))
        let accounts = InMemoryAccountStore()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let service = KeepingService(keeper: keeper, sessions: accounts, logger: logger) { rest in
            let page = try await store.events(EventFilter(app: "ward-app"), after: nil, limit: 9, maximumBytes: .max)
            let isOver = seen.withLock { seen in
                seen.rests.append(rest)
                seen.left.append(page.events.count(where: { $0.event != nil }))
                return seen.rests.count == pauses
            }
            if isOver { throw CancellationError() }
            clock.advance(microseconds: day)
        }
        try await service.run()
        return seen.withLock { ($0.rests, $0.left) }
    }

    @Test("expired events are looked for a minute after the start and every hour, and go when their days are over")
    func expiry() async throws {
        let (rests, left) = try await Self.run(InMemoryEventStore(), pauses: 4)
        #expect(rests == [.seconds(60), .seconds(3600), .seconds(3600), .seconds(3600)])
        #expect(left == [3, 3, 0, 0])
    }

    @Test(
        "an erasure that was cut off is finished at the start, or as soon as the store answers again",
        arguments: [(0, [2, 2, 0]), (1, [3, 2, 0]), (2, [3, 3, 0])] as [(faults: Int, left: [Int])]
    )
    func resumption(faults: Int, left: [Int]) async throws {
        let inner = InMemoryEventStore()
        let act = LegalHold.Act(by: "a", at: SampleDevice.received, reason: "r")
        _ = try await inner.begin(
            ErasureOrder(kind: .request, begun: act, filter: KeepingFilter(activity: "Rounds 2"))
        )
        #expect(try await Self.run(FaultyStore(inner, faults: faults), pauses: 3).left == left)
        #expect(try await inner.erasures(after: 0, limit: 9).map { $0.result?.events } == [1, 2])
    }

    @Test("sessions whose time is over go, but not by a clock that is doubted")
    func sessions() async throws {
        let clock = ManualClock()
        let store = InMemoryEventStore()
        let index = try SearchIndex()
        let keeper = EventKeeper(
            store: store,
            index: index,
            trail: AuditTrail(
                store: store,
                index: index,
                key: SampleDevice.serverKey,
                clock: clock,
                ids: SequentialIds()
            ),
            rules: [:],
            retentionShare: 0.05,
            clock: clock
        )
        let accounts = InMemoryAccountStore()
        let owner = EventOwner(app: "a", user: "1")
        let start = clock.now().wall
        let session = UserSession(id: "000000000000000000000001", owner: owner, provider: "x", at: start, from: "y")
        _ = try await accounts.begin(session, provenBy: nil, maximum: 9)
        let left = Mutex<[Bool]>([])
        let service = KeepingService(
            keeper: keeper,
            sessions: accounts,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _ in
            let isThere = try await accounts.session(session.id) != nil
            let looks = left.withLock { left in
                left.append(isThere)
                return left.count
            }
            switch looks {
            case 1: break
            // Ten years ahead, and then right again.
            case 2: clock.setWall(EventInstant(microseconds: start.microseconds + 3650 * Self.day))
            case 3: clock.setWall(start)
            case 4: clock.advance(microseconds: 60 * Self.day)
            default: throw CancellationError()
            }
        }

        try await service.run()

        #expect(left.withLock(\.self) == [true, true, true, true, false])
    }
}

import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import Testing

@testable import AuditAccounts
@testable import AuditHTTP
@testable import AuditKeeping
@testable import AuditModel
@testable import SQLiteStore
@testable import SyncServer

/// Ten entries of each realm, one a day; their logs are kept for five.
@Suite("Logs of realms that are kept for a time")
struct RealmLogKeepingTests {
    private static let day: Int64 = 86_400_000_000
    private static let start = SampleDevice.received.microseconds

    private let server: TestServer
    private var realms: any ChangeStore { server.realms }

    init() async throws {
        let clock = ManualClock(start: EventInstant(microseconds: Self.start + 10 * Self.day))
        // What the clock is compared with.
        let events = InMemoryEventStore()
        var device = SampleDevice()
        device.record(device.event("Rounds"))
        _ = try await events.accept(device.upload(1...1))
        server = try await TestServer(
            store: events,
            configuration: ServerConfiguration(
                apps: ["ward-app": AppSettings(realmHistoryDays: 5), "other-app": AppSettings()]
            ),
            clock: clock
        )
    }

    private func fill(_ realm: RealmName, entries: Int = 10, apart: Int64 = Self.day) async throws {
        var file = try await SampleRealmFile(boundTo: realm, in: realms)
        for index in 0..<entries {
            let upload = try file.upload([[ObjectAddress.sample(Int64(index)).create()]], base: index)
            let received = EventInstant(microseconds: Self.start + Int64(index) * apart)
            _ = try await realms.take([upload], in: realm, received: received).first?.get()
        }
    }

    private func floors(_ values: ExactText..., app: ExactText = "ward-app") async throws -> [Int?] {
        var floors: [Int?] = []
        for value in values { floors.append(try await realms.status(of: .sample(value, app: app))?.floor) }
        return floors
    }

    private func trail() async throws -> [String] {
        try await server.store
            .events(EventFilter(app: TrailEvent.app), after: nil, limit: 100, maximumBytes: 1_000_000)
            .events.compactMap(\.event).map { "\($0.activity) \($0.dataText ?? "")" }
    }

    @Test("what is older than the days goes from all realms of the app, and the trail says so before and after")
    func shortening() async throws {
        for value in ["s_a", "s_b"] as [ExactText] { try await fill(.sample(value)) }
        try await fill(.sample("s_a", app: "other-app"))
        let keeper = try ServiceParts(of: server.service).keeper

        #expect(try await keeper.shortenLogs(by: .server))

        #expect(try await floors("s_a", "s_b") == [5, 5])
        #expect(try await floors("s_a", app: "other-app") == [0])
        let trail = try await trail()
        #expect(trail.count == 2)
        #expect(trail.first?.contains("shorten logs") == true && trail.first?.contains("for 5 days") == true)
        #expect(trail.last?.contains("10 entries of 2 realms") == true)

        #expect(try await keeper.shortenLogs(by: .server))
        #expect(try await self.trail().count == 2)
    }

    @Test(
        "a hold that may mean the app keeps its logs, also one that is placed meanwhile; one for another app does not"
    )
    func holds() async throws {
        try await fill(.sample("s_a"))
        let keeper = try ServiceParts(of: server.service).keeper
        func hold(_ filter: KeepingFilter) async throws -> LegalHold {
            try await keeper.placeHold("Case", on: filter, because: "asked", by: .server)
        }
        _ = try await hold(KeepingFilter(app: "other-app"))
        let all = try await hold(KeepingFilter(person: "nurse7"))

        #expect(try await keeper.shortenLogs(by: .server))
        #expect(try await floors("s_a") == [0])

        let ward = try await hold(KeepingFilter(app: "ward-app", objectClass: "Patient"))
        _ = try await keeper.liftHold(all.number, because: "settled", by: .server)
        #expect(try await keeper.shortenLogs(by: .server))
        #expect(try await floors("s_a") == [0])

        _ = try await keeper.liftHold(ward.number, because: "settled", by: .server)
        #expect(try await keeper.shortenLogs(by: .server))
        #expect(try await floors("s_a") == [5])
    }

    @Test("what may not go any more stays, also in the middle of a run, as where a hold is placed meanwhile")
    func meanwhile() async throws {
        for value in ["s_a", "s_b"] as [ExactText] { try await fill(.sample(value)) }
        let logs = SharedRealms(store: realms, clock: server.clock)
        var asked = 0

        let gone = try await logs.shorten(of: "ward-app", before: EventInstant(microseconds: .max), limit: 100) {
            asked += 1
            return asked == 1
        }

        #expect(gone.entries == 10 && gone.realms == 1 && !gone.isDone)
        #expect(try await floors("s_a", "s_b") == [10, 0])
    }

    @Test("nothing goes by a clock that is doubted")
    func doubt() async throws {
        try await fill(.sample("s_a"))
        let keeper = try ServiceParts(of: server.service).keeper
        server.clock.setWall(EventInstant(microseconds: Self.start + 200 * Self.day))
        let administrator = TrailActor(name: "a", address: "", tokenID: nil, role: nil)

        #expect(try await keeper.shortenLogs(by: .server))

        #expect(try await floors("s_a") == [0])
        #expect(keeper.takeConcerns().count == 1)
        await #expect(throws: AuditServerError.self) { try await keeper.shortenLogs(by: administrator) }
    }

    @Test("a run removes so many, and says that it is not done")
    func bounded() async throws {
        for value in ["s_a", "s_b"] as [ExactText] { try await fill(.sample(value), entries: 4) }
        let logs = SharedRealms(store: realms, clock: server.clock)
        let end = EventInstant(microseconds: .max)

        let some = try await logs.shorten(of: "ward-app", before: end, limit: 6) { true }
        #expect(some.entries == 6 && some.realms == 2 && !some.isDone)
        #expect(try await floors("s_a", "s_b") == [4, 2])

        let rest = try await logs.shorten(of: "ward-app", before: end, limit: 6) { true }
        #expect(rest.entries == 2 && rest.realms == 1 && rest.isDone)
        #expect(try await !logs.hasEntries(of: "ward-app", before: end))
    }

    @Test("a day takes a part, however few days are said, and an alert says that more waits")
    func share() async throws {
        try await fill(.sample("s_a"), entries: 1300, apart: 1)
        let keeper = try ServiceParts(of: server.service).keeper

        #expect(try await keeper.shortenLogs(by: .server))
        #expect(try await floors("s_a") == [1000])
        #expect(keeper.takeConcerns().map(\.id).count == 1)
        let trail = try await trail().count

        #expect(try await keeper.shortenLogs(by: .server))
        #expect(try await floors("s_a") == [1000])
        #expect(keeper.takeConcerns().count == 1)
        #expect(try await self.trail().count == trail)

        server.clock.advance(microseconds: Self.day + 1)
        #expect(try await keeper.shortenLogs(by: .server))
        #expect(try await floors("s_a") == [1300])
        #expect(keeper.takeConcerns().isEmpty)
    }

    @Test("an administrator has it done now, and everybody who reads how long events are kept sees the days")
    func route() async throws {
        try await fill(.sample("s_a"))
        let (admin, auditor) = (try await server.headers(.administrator), try await server.headers(.auditor))

        try await server.run { client in
            let lines: [RetentionLine] = try await client.get("/api/v1/retention?count=yes", as: auditor).decoded()
            #expect(lines.map(\.app) == ["ward-app"])
            #expect(lines.map(\.realmHistoryDays) == [5])
            #expect(lines.map(\.days) == [nil])
            #expect(try await client.post("/api/v1/retention", "", as: auditor).status == .forbidden)
            #expect(try await floors("s_a") == [0])
            #expect(try await client.post("/api/v1/retention", "", as: admin).status == .ok)
        }

        #expect(try await floors("s_a") == [5])
    }

    @Test("the server shortens them every hour, and again at once while there is more")
    func service() async throws {
        try await fill(.sample("s_a"))
        let keeper = try ServiceParts(of: server.service).keeper
        let (clock, realms) = (server.clock, realms)
        let seen = Mutex<[(rest: Duration, floor: Int?)]>([])
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let service = KeepingService(keeper: keeper, sessions: server.accounts, logger: logger) { rest in
            let floor = try await realms.status(of: .sample("s_a"))?.floor
            let count = seen.withLock { seen in
                seen.append((rest, floor))
                return seen.count
            }
            if count == 3 { throw CancellationError() }
            clock.advance(microseconds: Self.day)
        }

        try await service.run()

        #expect(seen.withLock { $0.map(\.rest) } == [.seconds(60), .seconds(3600), .seconds(3600)])
        #expect(seen.withLock { $0.map(\.floor) } == [0, 6, 7])
    }
}

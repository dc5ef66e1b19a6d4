import EventModel
import EventModelTesting
import Testing

@testable import AuditAdmission
@testable import AuditModel

@Suite("The room that bodies arrive in")
struct BodyRoomTests {
    private static let slow = EventOwner(app: "ward-app", user: "aa")
    private static let other = EventOwner(app: "ward-app", user: "bb")

    /// A body under way that a test lets arrive and end.
    private struct Arriving {
        let orders: AsyncStream<Int>.Continuation
        let task: Task<Void, any Error>

        /// Starts a body, which charges what is ordered.
        static func start(_ room: BodyRoom, of owner: EventOwner) async -> (Arriving, AsyncStream<Int>.Iterator) {
            let (orders, order) = AsyncStream.makeStream(of: Int.self)
            let (charges, charged) = AsyncStream.makeStream(of: Int.self)
            let task = Task {
                defer { charged.finish() }
                try await room.pass(of: owner) { body in
                    charged.yield(0)
                    for await bytes in orders {
                        try await body.charge(bytes)
                        charged.yield(bytes)
                    }
                }
            }
            var iterator = charges.makeAsyncIterator()
            _ = await iterator.next()
            return (Arriving(orders: order, task: task), iterator)
        }
    }

    private static func room(_ timer: any EventTimer = ManualTimer()) -> BodyRoom {
        BodyRoom(capacity: 100, share: 75, waitNanoseconds: 1000, timer: timer)
    }

    @Test("a body that announced much and sends little takes little, so that others pass")
    func slowBody() async throws {
        let room = Self.room()
        var (slow, charges) = await Arriving.start(room, of: Self.slow)
        slow.orders.yield(1)
        _ = await charges.next()

        #expect(room.used == 1)
        try await room.pass(of: Self.other) { body in try await body.charge(75) }
        #expect(room.used == 1)
        slow.orders.finish()
        try await slow.task.value
        #expect(room.used == 0)
    }

    @Test("one user has a share, and room is left for others")
    func share() async throws {
        let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
        let timer = TellingTimer(scheduled: scheduled)
        let room = Self.room(timer)
        var (first, firstCharges) = await Arriving.start(room, of: Self.slow)
        var (second, secondCharges) = await Arriving.start(room, of: Self.slow)
        let (third, _) = await Arriving.start(room, of: Self.slow)
        first.orders.yield(70)
        _ = await firstCharges.next()
        // The second is the one that may go on beyond the room, and the third waits.
        second.orders.yield(10)
        _ = await secondCharges.next()
        var waiting = waits.makeAsyncIterator()
        await waiting.next()
        third.orders.yield(10)
        await waiting.next()

        try await room.pass(of: Self.other) { body in try await body.charge(20) }
        #expect(room.waitingCount == 1)
        timer.manual.advance(nanoseconds: 1000)
        await #expect(throws: AuditServerError.refused(.userShare, retryAfterSeconds: 5)) { try await third.task.value }
        for body in [first, second] { body.orders.finish() }
        try await first.task.value
        try await second.task.value
        #expect(room.used == 0)
        _ = (firstCharges, secondCharges)
    }

    @Test("bodies that fill the room together never wait for each other for ever")
    func noDeadlock() async throws {
        let room = Self.room()
        let owners = (0..<8).map { EventOwner(app: "ward-app", user: "\($0)") }

        try await withThrowingTaskGroup(of: Void.self) { group in
            for owner in owners {
                group.addTask {
                    try await room.pass(of: owner) { body in
                        for _ in 0..<30 {
                            try await body.charge(2)
                            await Task.yield()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(room.used == 0)
        #expect(room.waitingCount == 0)
    }

    @Test("whoever waits for room too long is told to come again, and an earlier wait does not end a later one")
    func timeout() async throws {
        let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
        let timer = TellingTimer(scheduled: scheduled)
        let room = Self.room(timer)
        var waiting = waits.makeAsyncIterator()
        var (full, fullCharges) = await Arriving.start(room, of: Self.slow)
        full.orders.yield(75)
        _ = await fullCharges.next()
        var (privileged, privilegedCharges) = await Arriving.start(room, of: Self.other)
        privileged.orders.yield(50)
        await waiting.next()
        _ = await privilegedCharges.next()
        let late = Task { try await room.pass(of: EventOwner(app: "a", user: "c")) { try await $0.charge(50) } }
        await waiting.next()
        timer.manual.advance(nanoseconds: 1000)

        await #expect(throws: AuditServerError.refused(.fullRoom, retryAfterSeconds: 5)) { try await late.value }
        privileged.orders.yield(50)
        _ = await privilegedCharges.next()
        #expect(room.used == 175)
        for body in [full, privileged] { body.orders.finish() }
        try await full.task.value
        try await privileged.task.value
        _ = (fullCharges, privilegedCharges)
    }

    @Test("a cancelled body leaves the line and gives its room back")
    func cancellation() async throws {
        let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
        let room = Self.room(TellingTimer(scheduled: scheduled))
        var waiting = waits.makeAsyncIterator()
        var (full, fullCharges) = await Arriving.start(room, of: Self.slow)
        full.orders.yield(75)
        _ = await fullCharges.next()
        let (privileged, _) = await Arriving.start(room, of: Self.other)
        privileged.orders.yield(50)
        await waiting.next()
        let (waiter, _) = await Arriving.start(room, of: EventOwner(app: "a", user: "c"))
        waiter.orders.yield(50)
        await waiting.next()

        waiter.task.cancel()

        await #expect(throws: CancellationError.self) { try await waiter.task.value }
        #expect(room.waitingCount == 0)
        for body in [full, privileged] { body.orders.finish() }
        try await full.task.value
        try await privileged.task.value
        #expect(room.used == 0)
    }
}

import EventModel
import EventModelTesting
import Testing

@testable import AuditAdmission
@testable import AuditModel

@Suite("The gate of uploads")
struct UploadGateTests {
    private static let slow = EventOwner(app: "ward-app", user: "aa")
    private static let other = EventOwner(app: "ward-app", user: "bb")

    /// A body under way that a test lets arrive and end.
    private struct Arriving {
        let orders: AsyncStream<Int>.Continuation
        let task: Task<Void, any Error>

        /// Starts a body, which charges what is ordered.
        static func start(_ gate: UploadGate, of owner: EventOwner) async -> (Arriving, AsyncStream<Int>.Iterator) {
            let (orders, order) = AsyncStream.makeStream(of: Int.self)
            let (charges, charged) = AsyncStream.makeStream(of: Int.self)
            let task = Task {
                defer { charged.finish() }
                try await gate.upload(of: owner) { body in
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

    private static func gate(_ timer: any EventTimer = ManualTimer()) -> UploadGate {
        var bounds = UploadGate.Bounds()
        (bounds.bytes, bounds.bytesOfUser, bounds.waitNanoseconds) = (100, 75, 1000)
        return UploadGate(bounds, timer: timer)
    }

    @Test("a body that announced much and sends little takes little, so that others pass")
    func slowBody() async throws {
        let gate = Self.gate()
        var (slow, charges) = await Arriving.start(gate, of: Self.slow)
        slow.orders.yield(1)
        _ = await charges.next()

        #expect(gate.usedBytes == 1)
        try await gate.upload(of: Self.other) { body in try await body.charge(75) }
        #expect(gate.usedBytes == 1)
        slow.orders.finish()
        try await slow.task.value
        #expect(gate.usedBytes == 0)
    }

    @Test("one user has a share, and room is left for others")
    func share() async throws {
        let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
        let timer = TellingTimer(scheduled: scheduled)
        let gate = Self.gate(timer)
        var (first, firstCharges) = await Arriving.start(gate, of: Self.slow)
        var (second, secondCharges) = await Arriving.start(gate, of: Self.slow)
        let (third, _) = await Arriving.start(gate, of: Self.slow)
        first.orders.yield(70)
        _ = await firstCharges.next()
        // The second is the one that may go on beyond the room, and the third waits.
        second.orders.yield(10)
        _ = await secondCharges.next()
        var waiting = waits.makeAsyncIterator()
        await waiting.next()
        third.orders.yield(10)
        await waiting.next()

        try await gate.upload(of: Self.other) { body in try await body.charge(20) }
        #expect(gate.waitingCount == 1)
        timer.manual.advance(nanoseconds: 1000)
        await #expect(throws: AuditServerError.refused(.userShare, retryAfterSeconds: 5)) { try await third.task.value }
        for body in [first, second] { body.orders.finish() }
        try await first.task.value
        try await second.task.value
        #expect(gate.usedBytes == 0)
        _ = (firstCharges, secondCharges)
    }

    @Test("bodies that fill the room together never wait for each other for ever")
    func noDeadlock() async throws {
        let gate = Self.gate()
        let owners = (0..<8).map { EventOwner(app: "ward-app", user: "\($0)") }

        try await withThrowingTaskGroup(of: Void.self) { group in
            for owner in owners {
                group.addTask {
                    try await gate.upload(of: owner) { body in
                        for _ in 0..<30 {
                            try await body.charge(2)
                            await Task.yield()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(gate.usedBytes == 0)
        #expect(gate.waitingCount == 0)
    }

    @Test("whoever waits for room too long is told to come again, and an earlier wait does not end a later one")
    func timeout() async throws {
        let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
        let timer = TellingTimer(scheduled: scheduled)
        let gate = Self.gate(timer)
        var waiting = waits.makeAsyncIterator()
        var (full, fullCharges) = await Arriving.start(gate, of: Self.slow)
        full.orders.yield(75)
        _ = await fullCharges.next()
        var (privileged, privilegedCharges) = await Arriving.start(gate, of: Self.other)
        privileged.orders.yield(50)
        await waiting.next()
        _ = await privilegedCharges.next()
        let late = Task { try await gate.upload(of: EventOwner(app: "a", user: "c")) { try await $0.charge(50) } }
        await waiting.next()
        timer.manual.advance(nanoseconds: 1000)

        await #expect(throws: AuditServerError.refused(.fullRoom, retryAfterSeconds: 5)) { try await late.value }
        privileged.orders.yield(50)
        _ = await privilegedCharges.next()
        #expect(gate.usedBytes == 175)
        for body in [full, privileged] { body.orders.finish() }
        try await full.task.value
        try await privileged.task.value
        _ = (fullCharges, privilegedCharges)
    }

    @Test("a cancelled body leaves the line and gives its room back")
    func cancellation() async throws {
        let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
        let gate = Self.gate(TellingTimer(scheduled: scheduled))
        var waiting = waits.makeAsyncIterator()
        var (full, fullCharges) = await Arriving.start(gate, of: Self.slow)
        full.orders.yield(75)
        _ = await fullCharges.next()
        let (privileged, _) = await Arriving.start(gate, of: Self.other)
        privileged.orders.yield(50)
        await waiting.next()
        let (waiter, _) = await Arriving.start(gate, of: EventOwner(app: "a", user: "c"))
        waiter.orders.yield(50)
        await waiting.next()

        waiter.task.cancel()

        await #expect(throws: CancellationError.self) { try await waiter.task.value }
        #expect(gate.waitingCount == 0)
        for body in [full, privileged] { body.orders.finish() }
        try await full.task.value
        try await privileged.task.value
        #expect(gate.usedBytes == 0)
    }

    @Test("a failure gives room back, and what is larger than the room passes when nobody else is in it")
    func oversize() async throws {
        let gate = Self.gate()

        await #expect(throws: AuditServerError.notFound) {
            try await gate.upload(of: Self.slow) { upload in
                try await upload.charge(1000)
                throw AuditServerError.notFound
            }
        }

        #expect(gate.usedBytes == 0)
        #expect(
            try await gate.upload(of: Self.slow) { upload in
                try await upload.charge(75)
                return gate.usedBytes
            } == 75
        )
    }

    @Test("places go to whoever waits the longest among the networks that have less than their share")
    func places() {
        var line = PlaceLine(places: 2, share: 1)
        let (own, other, third) = (ExactText("a"), ExactText("b"), ExactText("c"))

        // The second of the first network waits although there is a place: its network has its share.
        let numbers = [own, own, other, third, third].map { line.enter(from: $0) {} }
        let next = [other, own].map { line.leave($0)?.number }
        let givenUp = [2, 2, 0].map { line.giveUp($0) }
        let nobody = [own, third].map { line.leave($0)?.number }

        #expect(numbers == [nil, 0, nil, 1, 2])
        #expect(next == [1, 0])
        #expect(givenUp == [true, false, false], "the last one has a place")
        #expect(nobody == [nil, nil])
        #expect(line.count == 0)
    }
}

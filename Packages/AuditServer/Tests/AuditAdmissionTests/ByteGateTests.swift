import EventModel
import EventModelTesting
import Testing

@testable import AuditAdmission
@testable import AuditModel

@Suite("Byte gates")
struct ByteGateTests {
    /// A gate of 100 bytes with something of 60 bytes inside.
    private struct Occupied {
        let gate: ByteGate
        let timer: TellingTimer
        var waits: AsyncStream<Void>.Iterator
        let letGo: AsyncStream<Void>.Continuation
        let holder: Task<Void, any Error>

        init() async throws {
            let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
            let (ends, letGo) = AsyncStream.makeStream(of: Void.self)
            let (starts, started) = AsyncStream.makeStream(of: Void.self)
            let timer = TellingTimer(scheduled: scheduled)
            let gate = ByteGate(capacity: 100, waitNanoseconds: 1_000, timer: timer)
            self.gate = gate
            self.timer = timer
            self.waits = waits.makeAsyncIterator()
            self.letGo = letGo
            holder = Task {
                try await gate.pass(bytes: 60) {
                    started.yield()
                    for await _ in ends {}
                }
            }
            var start = starts.makeAsyncIterator()
            await start.next()
        }
    }

    @Test("work that fits runs at once, also beside other work")
    func room() async throws {
        let occupied = try await Occupied()

        let result = try await occupied.gate.pass(bytes: 40) { "beside" }

        #expect(result == "beside")
        occupied.letGo.finish()
        try await occupied.holder.value
    }

    @Test("work that does not fit waits, and what fits behind it does not overtake it")
    func order() async throws {
        var occupied = try await Occupied()
        let gate = occupied.gate
        let (entries, entered) = AsyncStream.makeStream(of: String.self)
        let large = Task { try await gate.pass(bytes: 100) { _ = entered.yield("large") } }
        await occupied.waits.next()
        let small = Task { try await gate.pass(bytes: 1) { _ = entered.yield("small") } }
        await occupied.waits.next()
        #expect(gate.waitingCount == 2)

        occupied.letGo.finish()
        try await large.value
        try await small.value
        entered.finish()

        var order: [String] = []
        for await name in entries { order.append(name) }
        #expect(order == ["large", "small"])
        #expect(gate.waitingCount == 0)
    }

    @Test("whoever waits too long is told to come again, and those behind are let in")
    func timeout() async throws {
        var occupied = try await Occupied()
        let gate = occupied.gate
        let large = Task { try await gate.pass(bytes: 50) {} }
        await occupied.waits.next()
        occupied.timer.manual.advance(nanoseconds: 999)
        let small = Task { try await gate.pass(bytes: 1) {} }
        await occupied.waits.next()

        occupied.timer.manual.advance(nanoseconds: 1)

        await #expect(throws: AuditServerError.unavailable(reason: "too much is being uploaded at once")) {
            try await large.value
        }
        try await small.value
        occupied.letGo.finish()
        try await occupied.holder.value
    }

    @Test("a cancelled task leaves the line, and its room is not taken")
    func cancellation() async throws {
        var occupied = try await Occupied()
        let gate = occupied.gate
        let waiter = Task { try await gate.pass(bytes: 100) {} }
        await occupied.waits.next()

        waiter.cancel()

        await #expect(throws: CancellationError.self) { try await waiter.value }
        #expect(gate.waitingCount == 0)
        occupied.letGo.finish()
        try await occupied.holder.value
        try await gate.pass(bytes: 100) {}
    }

    @Test("what is larger than the gate passes alone, and a failure gives its room back")
    func oversize() async throws {
        let gate = ByteGate(capacity: 100, waitNanoseconds: 1_000, timer: ManualTimer())

        await #expect(throws: AuditServerError.notFound) {
            try await gate.pass(bytes: 1000) { throw AuditServerError.notFound }
        }

        #expect(try await gate.pass(bytes: 100) { 1 } == 1)
    }
}

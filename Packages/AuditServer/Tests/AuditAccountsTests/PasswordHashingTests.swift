import AuditServerTesting
import Dispatch
import Synchronization
import Testing

@testable import AuditAccounts
@testable import AuditModel

@Suite("How many passwords are hashed at once")
struct PasswordHashingTests {
    /// Holds work up until it is let go, and says in which order it starts.
    private final class Held: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let count = Mutex(0)
        private let start: AsyncStream<String>.Continuation
        let starts: AsyncStream<String>

        init() {
            (starts, start) = AsyncStream.makeStream(of: String.self)
        }

        var ran: Int { count.withLock(\.self) }

        func work(_ name: String) {
            start.yield(name)
            gate.wait()
            count.withLock { $0 += 1 }
        }

        func letGo(_ count: Int) { for _ in 0..<count { gate.signal() } }
    }

    @Test("two run at once, the next wait, and a sign-in from another place goes before the many that wait from one")
    func fairness() async throws {
        let hashing = PasswordHashing(cost: PasswordHash.Cost(logarithm: 10))
        let held = Held()
        let flood = PasswordHashing.maximumWaiting + 20

        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            let (entered, enter) = AsyncStream.makeStream(of: Void.self)
            func add(_ name: String, from place: String) {
                group.addTask {
                    enter.yield()
                    do {
                        try await hashing.run(from: place) { held.work(name) }
                        return false
                    } catch AuditServerError.tooManyRequests {
                        return true
                    }
                }
            }
            for number in 0..<flood { add("flood \(number)", from: "10.0.0.1") }
            var arrivals = entered.makeAsyncIterator()
            for _ in 0..<flood { _ = await arrivals.next() }
            // Those who do not fit are refused at once, before any work is done.
            var refused = 0
            for _ in 0..<(flood - PasswordHashing.maximumWaiting - PasswordHashing.maximumRunning) {
                if try await group.next() == true { refused += 1 }
            }
            #expect(hashing.waitingCount == PasswordHashing.maximumWaiting)
            add("nurse", from: "10.0.0.2")
            // One of the flood goes for the nurse.
            if try await group.next() == true { refused += 1 }
            var starts = held.starts.makeAsyncIterator()
            for _ in 1...2 { #expect(await starts.next()?.hasPrefix("flood") == true) }
            // When the two that run are done, the next two are one of each place.
            held.letGo(2)
            let next = [await starts.next(), await starts.next()]
            #expect(next.contains("nurse"))
            held.letGo(flood)
            for try await wasRefused in group where wasRefused { refused += 1 }
            return refused
        }

        #expect(refused == 19)
        #expect(held.ran == flood + 1 - 19)
        #expect(hashing.waitingCount == 0)
    }
}

import Synchronization
import Testing

@testable import EventPartitions

@Suite("GroupCommit")
struct GroupCommitTests {
    @Test("a call alone is served at once, by itself")
    func alone() {
        let queue = GroupCommit<Int, String>()

        let outcome = queue.submit(7) { requests in requests.map { "served \($0)" } }

        #expect(outcome == "served 7")
    }

    @Test("every call gets its own outcome, and no two leaders work at once")
    func sharing() async throws {
        let queue = GroupCommit<Int, Int>()
        let counts = LeaderCounts()

        let outcomes = try await withThrowingTaskGroup(of: [Int: Int].self) { tasks in
            for thread in 0..<16 {
                tasks.addTask {
                    try await onThread {
                        var outcomes: [Int: Int] = [:]
                        for number in thread * 100..<thread * 100 + 100 {
                            outcomes[number] = queue.submit(number) { requests in
                                counts.begin()
                                defer { counts.end() }
                                return requests.map { $0 * 2 }
                            }
                        }
                        return outcomes
                    }
                }
            }
            return try await tasks.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }

        #expect(outcomes.count == 1600)
        #expect(outcomes.allSatisfy { $0.value == $0.key * 2 })
        #expect(counts.greatest == 1)
    }
}

/// Counts the leaders that work at the same time.
private final class LeaderCounts: Sendable {
    private let state = Mutex((now: 0, greatest: 0))

    var greatest: Int { state.withLock { $0.greatest } }

    func begin() {
        state.withLock { state in
            state.now += 1
            state.greatest = max(state.greatest, state.now)
        }
    }

    func end() {
        state.withLock { $0.now -= 1 }
    }
}

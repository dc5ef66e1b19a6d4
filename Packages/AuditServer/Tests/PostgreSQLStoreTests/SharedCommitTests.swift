import Dispatch
import EventModel
import EventModelTesting
import Synchronization
import Testing

@testable import PostgreSQLStore

@Suite("Commits that requests share", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct SharedCommitTests {
    private struct Refused: Error {}

    /// A line of numbers whose first commit is under way until somebody lets it go; an answer is the group that it came with.
    private struct Busy {
        let line: SharedCommit<Int, [Int]>
        let timer: TellingTimer
        let waits: AsyncStream<Void>
        let letGo = DispatchSemaphore(value: 0)
        let first: Task<[Int], any Error>

        init(maximumWaiting: Int = 10, groupCount: Int = 10, groupBytes: Int = 100) async throws {
            let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
            let (starts, started) = AsyncStream.makeStream(of: Void.self)
            let timer = TellingTimer(scheduled: scheduled)
            let line = SharedCommit<Int, [Int]>(
                ConnectionLane(address: try await PostgreSQLServer.shared().address(), name: "test"),
                limits: .init(
                    maximumWaiting: maximumWaiting,
                    waitNanoseconds: 1_000_000_000,
                    groupCount: groupCount,
                    groupBytes: groupBytes
                ),
                timer: timer,
                size: { $0 },
                commit: { [letGo] group, _ in
                    if group == [1] {
                        started.yield()
                        letGo.wait()
                    }
                    if group.contains(66) { throw Refused() }
                    return group.map { _ in group }
                }
            )
            self.line = line
            self.timer = timer
            self.waits = waits
            first = Task { try await line.run(1) }
            var start = starts.makeAsyncIterator()
            await start.next()
        }

        /// Puts numbers in the line, one after the other.
        func add(_ numbers: [Int]) async -> [Task<[Int], any Error>] {
            var wait = waits.makeAsyncIterator()
            var tasks: [Task<[Int], any Error>] = []
            for number in numbers {
                tasks.append(Task { [line] in try await line.run(number) })
                await wait.next()
            }
            return tasks
        }
    }

    @Test("what comes while a commit is under way is done together in the next, in the order in which it came")
    func sharing() async throws {
        let busy = try await Busy()
        let others = await busy.add([2, 3, 4])
        #expect(busy.line.waitingCount == 3)

        busy.letGo.signal()

        #expect(try await busy.first.value == [1])
        for other in others { #expect(try await other.value == [2, 3, 4]) }
        #expect(try await busy.line.run(5) == [5])
        busy.timer.manual.advance(nanoseconds: 2_000_000_000)
        #expect(try await busy.line.run(6) == [6])
    }

    @Test(
        "a group has at most so many requests and so many bytes, and one that is larger is alone",
        arguments: [(2, 100, [[2, 3], [4, 5]]), (10, 7, [[2, 3], [4], [5]]), (10, 1, [[2], [3], [4], [5]])]
    )
    func bounds(count: Int, bytes: Int, groups: [[Int]]) async throws {
        let busy = try await Busy(groupCount: count, groupBytes: bytes)
        let others = await busy.add([2, 3, 4, 5])

        busy.letGo.signal()

        var found: [[Int]] = []
        for other in others { found.append(try await other.value) }
        #expect(found == groups.flatMap { group in group.map { _ in group } })
    }

    @Test("what fails a commit fails its group, and the next goes on")
    func failing() async throws {
        let busy = try await Busy(groupCount: 2)
        let others = await busy.add([2, 66, 3])

        busy.letGo.signal()

        for other in others.prefix(2) { await #expect(throws: Refused.self) { try await other.value } }
        #expect(try await others[2].value == [3])
    }

    @Test("a request that finds the line full is refused at once, and one that waited for too long leaves it")
    func fullLine() async throws {
        let busy = try await Busy(maximumWaiting: 1)
        let other = await busy.add([2])
        await #expect(throws: PostgreSQLFailure.overloaded) { try await busy.line.run(3) }

        busy.timer.manual.advance(nanoseconds: 1_000_000_000)

        await #expect(throws: PostgreSQLFailure.overloaded) { try await other[0].value }
        #expect(busy.line.waitingCount == 0)
        busy.letGo.signal()
        #expect(try await busy.first.value == [1])
    }

    @Test("whoever is cancelled keeps the place in the line and is answered")
    func cancelling() async throws {
        let busy = try await Busy()
        let others = await busy.add([2, 3])

        busy.first.cancel()
        others[0].cancel()
        busy.letGo.signal()

        #expect(try await busy.first.value == [1])
        #expect(try await others[0].value == [2, 3])
    }

    @Test("a group is tried again when its connection was lost before the commit")
    func lostConnection() async throws {
        let tries = Mutex(0)
        let line = SharedCommit<Int, Int32>(
            ConnectionLane(address: try await PostgreSQLServer.shared().address(), name: "test"),
            limits: .init(maximumWaiting: 1, waitNanoseconds: 1, groupCount: 1, groupBytes: 1),
            timer: ManualTimer()
        ) { group, connection in
            let count = tries.withLock { tries in
                tries += 1
                return tries
            }
            if count == 1 { try connection.run("SELECT pg_terminate_backend(pg_backend_pid())") }
            try connection.run("SELECT")
            return group.map { _ in Int32(count) }
        }

        #expect(try await line.run(1) == 2)
    }
}

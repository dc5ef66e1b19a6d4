import Dispatch
import EventModel
import EventModelTesting
import Testing

@testable import PostgreSQLStore

@Suite("Connections", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct ConnectionPoolTests {
    /// A pool of one connection, which somebody has.
    private struct Occupied {
        let pool: ConnectionPool
        let timer: TellingTimer
        var waits: AsyncStream<Void>.Iterator
        let letGo = DispatchSemaphore(value: 0)
        let holder: Task<Void, any Error>

        init(maximumWaiting: Int) async throws {
            let (waits, scheduled) = AsyncStream.makeStream(of: Void.self)
            let (starts, started) = AsyncStream.makeStream(of: Void.self)
            let timer = TellingTimer(scheduled: scheduled)
            let pool = ConnectionPool(
                address: try await PostgreSQLServer.shared().address(),
                name: "test",
                count: 1,
                maximumWaiting: maximumWaiting,
                waitNanoseconds: 1_000_000_000,
                timer: timer
            )
            self.pool = pool
            self.timer = timer
            self.waits = waits.makeAsyncIterator()
            holder = Task { [letGo] in
                try await pool.run { _ in
                    started.yield()
                    letGo.wait()
                }
            }
            var start = starts.makeAsyncIterator()
            await start.next()
        }
    }

    @Test("a request waits for a connection and gets it")
    func waiting() async throws {
        var occupied = try await Occupied(maximumWaiting: 2)
        let pool = occupied.pool
        let second = Task { try await pool.run { _ in "second" } }
        await occupied.waits.next()

        occupied.letGo.signal()

        #expect(try await second.value == "second")
        try await occupied.holder.value
        occupied.timer.manual.advance(nanoseconds: 2_000_000_000)
        #expect(try await pool.run { _ in "third" } == "third")
    }

    @Test("a request that finds the line full is refused at once")
    func fullLine() async throws {
        var occupied = try await Occupied(maximumWaiting: 1)
        let pool = occupied.pool
        let second = Task { try await pool.run { _ in "second" } }
        await occupied.waits.next()

        await #expect(throws: PostgreSQLFailure.overloaded) { try await pool.run { _ in "third" } }

        occupied.letGo.signal()
        #expect(try await second.value == "second")
    }

    @Test("a request that waited for too long is refused, and the line has room again")
    func longWait() async throws {
        var occupied = try await Occupied(maximumWaiting: 1)
        let pool = occupied.pool
        let second = Task { try await pool.run { _ in "second" } }
        await occupied.waits.next()

        occupied.timer.manual.advance(nanoseconds: 1_000_000_000)

        await #expect(throws: PostgreSQLFailure.overloaded) { try await second.value }
        #expect(pool.waitingCount == 0)
        occupied.letGo.signal()
        try await occupied.holder.value
    }

    @Test("a request that is cancelled while it waits leaves the line, and one with a connection goes on")
    func cancelling() async throws {
        var occupied = try await Occupied(maximumWaiting: 1)
        let pool = occupied.pool
        let second = Task { try await pool.run { _ in "second" } }
        await occupied.waits.next()

        second.cancel()
        occupied.holder.cancel()

        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(pool.waitingCount == 0)
        occupied.letGo.signal()
        try await occupied.holder.value
    }

    @Test("a session does not take over what the server says by default")
    func sessionSettings() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let database = try #require(address.split(separator: "=").last)
        for setting in [
            "synchronous_commit = off", "statement_timeout = 1000", "client_min_messages = error",
            "lock_timeout = 1000",
            "default_transaction_isolation = 'serializable'", "default_transaction_read_only = on",
        ] {
            try await server.sql("ALTER DATABASE \(database) SET \(setting)")
        }

        let found = try await server.texts(
            """
            SELECT concat_ws(' ', current_setting('synchronous_commit'), current_setting('statement_timeout'),
                current_setting('client_min_messages'), current_setting('lock_timeout'),
                current_setting('transaction_isolation'), current_setting('default_transaction_read_only'),
                current_setting('client_encoding'))
            """,
            at: address
        )

        #expect(found == ["on 0 warning 0 read committed off UTF8"])
    }
}

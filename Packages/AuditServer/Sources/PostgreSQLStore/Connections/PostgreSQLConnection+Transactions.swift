import CPostgreSQL

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension PostgreSQLConnection {
    /// Runs a transaction whose commit is the word that devices delete by, and returns once standbys have it, too.
    ///
    /// The body must write at least one row: PostgreSQL waits for nobody when nothing was written.
    ///
    /// - Parameters:
    ///   - milliseconds: How long each statement may wait for others, and the commit for the standbys; nil waits as long as it
    ///     takes. What was committed when that is over stays, so that only what may be there without anybody's word is bounded.
    ///   - body: Returns nil to take everything back.
    /// - Returns: What the body returned.
    /// - Throws: What the body throws, after everything was taken back; ``PostgreSQLFailure/notReplicated`` when the wait
    ///   for the standbys was cancelled or too long, and ``PostgreSQLFailure/outcomeUnknown`` when the connection broke in it.
    func acknowledged<T>(within milliseconds: Int? = nil, _ body: () throws -> T?) throws -> T? {
        try run(milliseconds.map { "BEGIN; SET LOCAL statement_timeout = \($0)" } ?? "BEGIN")
        return try finishing(within: milliseconds, body)
    }

    /// Runs a transaction whose commit waits for no standby: for what may be lost in a failover, and nothing else.
    func committedHere(_ body: () throws -> Void) throws {
        _ = try committed("local") { try body() }
    }

    /// Runs a transaction whose commit waits for nothing, because whoever is told of it waits for a later one.
    ///
    /// The log of PostgreSQL is one sequence: a commit that is on a disk, or at a standby, has all before it there.
    ///
    /// - Parameter body: Returns nil to take everything back.
    /// - Returns: What the body returned.
    /// - Throws: What the body throws, after everything was taken back, and ``PostgreSQLFailure``.
    func committedAhead<T>(_ body: () throws -> T?) throws -> T? {
        try committed("off", body)
    }

    private func committed<T>(_ level: String, _ body: () throws -> T?) throws -> T? {
        try run("BEGIN; SET LOCAL synchronous_commit = \(level)")
        return try finishing(within: nil, body)
    }

    /// Runs the body of the transaction that is open, and commits or takes everything back.
    private func finishing<T>(within milliseconds: Int?, _ body: () throws -> T?) throws -> T? {
        let value: T?
        do {
            value = try body()
        } catch {
            rollBack()
            throw error
        }
        guard let value else {
            rollBack()
            return nil
        }
        try commit(within: milliseconds)
        return value
    }

    /// Runs a transaction that only reads, and sees one moment of the database.
    func reading<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        defer { rollBack() }
        return try body()
    }

    /// Commits, and calls it success only if nothing speaks against it.
    private func commit(within milliseconds: Int? = nil) throws(PostgreSQLFailure) {
        notices.forget()
        let result = milliseconds.map { commitImpatiently(within: $0) } ?? PQexec(handle, "COMMIT")
        defer { PQclear(result) }
        let isCommitted =
            PQstatus(handle) == CONNECTION_OK && PQresultStatus(result) == PGRES_COMMAND_OK
            && PQcmdStatus(result).map { String(cString: $0) } == "COMMIT"
        guard isCommitted else {
            giveUp()
            throw .outcomeUnknown
        }
        // A commit warns for one reason: the wait for the standbys was cancelled after it was final here.
        guard notices.warningCount == 0 else {
            giveUp()
            throw .notReplicated
        }
    }

    /// Sends the commit, and has the server give up waiting for the standbys when that takes too long.
    ///
    /// No timeout of PostgreSQL does that: it turns them off before the wait. The answer comes in any case.
    private func commitImpatiently(within milliseconds: Int) -> OpaquePointer? {
        guard PQsendQuery(handle, "COMMIT") == 1 else { return nil }
        var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        var isPatient = true
        while PQisBusy(handle) == 1 {
            let count = poll(&socket, 1, isPatient ? Int32(clamping: milliseconds) : -1)
            if count == 0 {
                isPatient = false
                cancel()
            } else if count < 0 ? errno != EINTR : PQconsumeInput(handle) == 0 {
                break
            }
        }
        // Nothing comes any more on a connection that broke, and what came last is the answer.
        var answer: OpaquePointer?
        while let next = PQgetResult(handle) {
            PQclear(answer)
            answer = next
        }
        // The cancellation may come late, and has to meet nobody else's statement.
        if !isPatient { giveUp() }
        return answer
    }

    /// Asks the server to cancel what it does; where that fails it goes on.
    private func cancel() {
        guard let request = PQgetCancel(handle) else { return }
        defer { PQfreeCancel(request) }
        var reason = [CChar](repeating: 0, count: 256)
        _ = PQcancel(request, &reason, Int32(reason.count))
    }

    private func rollBack() {
        let result = PQexec(handle, "ROLLBACK")
        defer { PQclear(result) }
        // Whatever is wrong, PostgreSQL takes back what a closed connection began.
        if PQresultStatus(result) != PGRES_COMMAND_OK { giveUp() }
    }
}

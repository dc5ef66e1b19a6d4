import CPostgreSQL

extension PostgreSQLConnection {
    /// Runs a transaction whose commit is the word that devices delete by, and returns once standbys have it, too.
    ///
    /// The body must write at least one row: PostgreSQL waits for nobody when nothing was written.
    ///
    /// - Parameter body: Returns nil to take everything back.
    /// - Returns: What the body returned.
    /// - Throws: What the body throws, after everything was taken back; ``PostgreSQLFailure/notReplicated`` when the wait
    ///   for the standbys was cancelled, and ``PostgreSQLFailure/outcomeUnknown`` when the connection broke in it.
    func acknowledged<T>(_ body: () throws -> T?) throws -> T? {
        try run("BEGIN")
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
        try commit()
        return value
    }

    /// Runs a transaction whose commit waits for no standby: for what may be lost in a failover, and nothing else.
    func committedHere(_ body: () throws -> Void) throws {
        try run("BEGIN; SET LOCAL synchronous_commit = local")
        do {
            try body()
        } catch {
            rollBack()
            throw error
        }
        try commit()
    }

    /// Runs a transaction that only reads, and sees one moment of the database.
    func reading<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        defer { rollBack() }
        return try body()
    }

    /// Commits, and calls it success only if nothing speaks against it.
    private func commit() throws(PostgreSQLFailure) {
        notices.forget()
        let result = PQexec(handle, "COMMIT")
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

    private func rollBack() {
        let result = PQexec(handle, "ROLLBACK")
        defer { PQclear(result) }
        // Whatever is wrong, PostgreSQL takes back what a closed connection began.
        if PQresultStatus(result) != PGRES_COMMAND_OK { giveUp() }
    }
}

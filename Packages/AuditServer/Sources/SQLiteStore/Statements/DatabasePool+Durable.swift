import AuditModel
import GRDB

extension DatabasePool {
    /// For how long somebody who opens a database waits for others: 5 seconds.
    ///
    /// Whoever closes one last empties the log and lets nobody in meanwhile, as a server does that ends while a command begins to read.
    static let patience = Database.BusyMode.timeout(5)

    /// Opens a database of the server that keeps what devices cannot send again, or makes one.
    ///
    /// What a transaction wrote is durable when it has ended, nobody else may read the file, and what is deleted is
    /// overwritten, also where it lay in a page. Large pages and a log that is emptied every 32 MB take fewer calls and
    /// syncs for large rows, and cost little for small ones.
    ///
    /// - Parameters:
    ///   - path: The file; its folder exists.
    ///   - label: What the database is called where work is inspected.
    ///   - writerCacheKibibytes: How much of the file the connection that writes may have in memory; SQLite's own 2,000 by default.
    ///   - prepare: Brings the tables to what the program expects.
    /// - Returns: The pool.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be opened or is no database of ours.
    static func durable(
        path: String,
        label: String,
        writerCacheKibibytes: Int = 2000,
        _ prepare: (DatabasePool) throws -> Void
    ) throws(AuditServerError) -> DatabasePool {
        var configuration = Configuration()
        configuration.label = label
        configuration.busyMode = patience
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA page_size = 8192; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON; \
                    PRAGMA wal_autocheckpoint = 4096;
                    """
            )
        }
        do {
            // Made before SQLite opens it, so that the log beside it gets the same permissions.
            try PrivateFile.createIfMissing(path)
            // SYNC: set behind it.
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.syncEachCommit(path: path)
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA cache_size = -\(writerCacheKibibytes)") }
            try prepare(pool)
            return pool
        } catch let error as AuditServerError {
            throw error
        } catch {
            throw .inaccessible(path: path, reason: SQLiteFailure.reason(error))
        }
    }

    /// Lets each commit reach the disk before it returns.
    ///
    /// GRDB sets `synchronous` to NORMAL when it turns the log on, behind all that a configuration prepares: a commit would then be
    /// in the log and not on the disk when it is acknowledged, and a power cut would take what devices have deleted by then. It is
    /// asked back, so that no version of GRDB undoes it unseen.
    private func syncEachCommit(path: String) throws {
        let level = try writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(database, sql: "PRAGMA synchronous")
        }
        guard level == 2 else {
            throw AuditServerError.inaccessible(path: path, reason: "its commits cannot be made durable")
        }
    }
}

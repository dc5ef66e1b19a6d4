import AuditModel
import GRDB

extension DatabasePool {
    /// Opens a database of the server that keeps what devices cannot send again, or makes one.
    ///
    /// What a transaction wrote is durable when it has ended, nobody else may read the file, and what is deleted is
    /// overwritten, also where it lay in a page. Large pages and a log that is emptied every 32 MB take fewer calls and
    /// syncs for large rows, and cost little for small ones.
    ///
    /// - Parameters:
    ///   - path: The file; its folder exists.
    ///   - label: What the database is called where work is inspected.
    ///   - prepare: Brings the tables to what the program expects.
    /// - Returns: The pool.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be opened or is no database of ours.
    static func durable(
        path: String,
        label: String,
        _ prepare: (DatabasePool) throws -> Void
    ) throws(AuditServerError) -> DatabasePool {
        var configuration = Configuration()
        configuration.label = label
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA page_size = 8192; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; \
                    PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 4096;
                    """
            )
        }
        do {
            // Made before SQLite opens it, so that the log beside it gets the same permissions.
            try PrivateFile.createIfMissing(path)
            let pool = try DatabasePool(path: path, configuration: configuration)
            try prepare(pool)
            return pool
        } catch let error as AuditServerError {
            throw error
        } catch {
            throw .inaccessible(path: path, reason: SQLiteFailure.reason(error))
        }
    }
}

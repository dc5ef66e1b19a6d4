import AuditModel
import GRDB

/// Says what failed in the server's words; SQLite's own sentence may quote values.
enum SQLiteFailure {
    /// Gives errors of the database a name of ours.
    static func naming<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as DatabaseError {
            throw AuditServerError.unavailable(reason: reason(error))
        }
    }

    /// The reason behind an error.
    static func reason(_ error: any Error) -> String {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_FULL: "the disk is full"
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH: "the database cannot be opened for writing"
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: "the database is damaged"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "another process uses the database"
        case .some(let code): "the database answered with SQLite code \(code.rawValue)"
        case nil: "the database cannot be used"
        }
    }
}

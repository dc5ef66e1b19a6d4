package import AuditModel
import GRDB

/// Copies of databases, also while a server writes to them.
package enum SQLiteCopy {
    /// Copies a database as it is at one moment, with everything that was acknowledged before.
    ///
    /// - Parameters:
    ///   - path: The database.
    ///   - target: The new file, which only its owner can read.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be read or written.
    package static func make(of path: String, at target: String) throws(AuditServerError) {
        try naming(path) {
            try PrivateFile.createIfMissing(target)
            var configuration = Configuration()
            configuration.readonly = true
            // A server that writes meanwhile is waited for, a moment at most: its writes never block readers.
            configuration.busyMode = .timeout(10)
            let source = try DatabaseQueue(path: path, configuration: configuration)
            let copy = try DatabaseQueue(path: target)
            // All pages in one step, so that no write of the server comes in between and starts the copy again.
            try source.backup(to: copy)
            try copy.close()
            try source.close()
        }
    }

    /// Moves the keys of payloads out of a copy, into a file of their own.
    ///
    /// - Returns: The file; nil for a database of a version that had no keys.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be read or written.
    package static func splitKeys(of copy: String) throws(AuditServerError) -> String? {
        try naming(copy) { try SQLiteKeyFile.split(copy) } ? SQLiteKeyFile.path(of: copy) : nil
    }

    /// Gives the realms of a copy other histories, so that devices notice when a server is restored from it.
    ///
    /// With the same history a device that has more than the copy could go on behind entries that are other ones.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the file cannot be written.
    package static func beginHistories(in copy: String) throws(AuditServerError) {
        try naming(copy) {
            let database = try DatabaseQueue(path: copy)
            try database.write { try $0.execute(sql: "UPDATE SyncRealm SET history = randomblob(16)") }
            try database.close()
        }
    }

    private static func naming<T>(_ path: String, _ body: () throws -> T) throws(AuditServerError) -> T {
        do {
            return try body()
        } catch let error as AuditServerError {
            throw error
        } catch {
            throw .inaccessible(path: path, reason: SQLiteFailure.reason(error))
        }
    }
}

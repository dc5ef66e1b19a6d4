import Foundation
import GRDB
import GRDBSQLite
import ObjectQueries

/// One connection to a realm file, opened by GRDB and used on one thread at a time.
///
/// GRDB opens, configures and closes it; statements are stepped directly on its handle.
final class Connection {
    let fileURL: URL
    let handle: OpaquePointer
    private let owner: DatabaseQueue
    /// Says that the file is in use; nil for connections that live no longer than an instance or an opening.
    var user: FileUser?

    /// Opens the file.
    ///
    /// Only a file that nobody else sees yet may be without a log.
    ///
    /// - Throws: ``Realm/Error`` with the code that fits what SQLite reports.
    init(fileURL: URL, isReadOnly: Bool, isDurable: Bool, hasLog: Bool = true) throws(Realm.Error) {
        var configuration = GRDB.Configuration()
        configuration.readonly = isReadOnly
        configuration.foreignKeysEnabled = false
        // One writer at a time, also across processes: a writer waits for the other instead of failing.
        configuration.busyMode = .timeout(TimeInterval(Self.patience) / 1000)
        configuration.prepareDatabase { database in
            if !isReadOnly { try database.execute(sql: "PRAGMA journal_mode = \(hasLog ? "WAL" : "OFF")") }
            // A log that grew long while a version was pinned gets short again.
            try database.execute(sql: "PRAGMA journal_size_limit = \(IdleVersions.longLog)")
            // 16 MiB, taken as needed: the default of 2 MiB makes every other look-up read from the file.
            try database.execute(sql: "PRAGMA cache_size = -16384")
            try database.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "OFF")")
            for function in QueryFunctions.registrations { database.add(function: function) }
        }
        do {
            owner = try DatabaseQueue(path: fileURL.path, configuration: configuration)
            guard let handle = owner.unsafeReentrantWriteHandle else {
                throw Realm.Error(.fail, "GRDB opened the realm without a connection.", fileURL: fileURL)
            }
            self.handle = handle
        } catch let error as Realm.Error {
            throw error
        } catch let error as DatabaseError {
            throw Realm.Error(sqlite: error.extendedResultCode.rawValue, error.message ?? "", fileURL: fileURL)
        } catch {
            throw Realm.Error(.fileAccess, "The realm could not be opened: \(error).", fileURL: fileURL)
        }
        self.fileURL = fileURL
        // Nobody observes transactions through GRDB, so its callbacks would only cost time.
        sqlite3_commit_hook(handle, nil, nil)
        sqlite3_rollback_hook(handle, nil, nil)
    }

    /// Runs statements that return no rows.
    func execute(_ sql: String) throws(Realm.Error) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    func prepare(_ sql: String) throws(Realm.Error) -> Statement {
        try Statement(sql, on: self)
    }

    /// How long a statement waits for another process, in milliseconds.
    private static let patience: Int32 = 60_000

    /// Runs statements that fail at once while another process has the file locked.
    func withoutWaiting(_ body: () throws(Realm.Error) -> Void) throws(Realm.Error) {
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, Self.patience) }
        try body()
    }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// The key of the row that was inserted last.
    var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The error behind a result code.
    func failure(_ code: Int32) -> Realm.Error {
        Realm.Error(sqlite: sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)), fileURL: fileURL)
    }
}

extension DatabaseQueue {
    /// The raw handle, to be used under the store's own confinement.
    fileprivate var unsafeReentrantWriteHandle: OpaquePointer? {
        unsafeReentrantWrite { $0.sqliteConnection }
    }
}

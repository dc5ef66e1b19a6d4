import CSQLite
import Foundation
import ObjectQueries
import PageEncryption

/// One connection to a realm file, used on one thread at a time.
///
/// SQLite is called directly. A library around it would bring a queue, hooks and an authorizer of its own, all of which the store
/// would have to go around: statements are stepped by the thread of their instance, and what each transaction changed is in the
/// change log. Opening a file takes a quarter less time without, for some forty lines more.
final class Connection {
    let fileURL: URL
    let handle: OpaquePointer
    /// What the file is encrypted with; nil when it is not.
    let key: FileKey?
    /// Whether commits wait for the disk, unless ``setWaitsForDisk(_:)`` says otherwise.
    private let isDurable: Bool
    /// Says that the file is in use; nil for connections that live no longer than an instance or an opening.
    var user: FileUser?
    /// Takes the columns of statements that pack them.
    let packer = ColumnPacker()

    /// Opens the file.
    ///
    /// Only a file that nobody else sees yet may be without a log.
    ///
    /// - Throws: ``Realm/Error`` with the code that fits what SQLite reports.
    init(
        fileURL: URL,
        key: FileKey?,
        isReadOnly: Bool,
        isDurable: Bool,
        hasLog: Bool = true
    ) throws(Realm.Error) {
        self.fileURL = fileURL
        self.key = key
        self.isDurable = isDurable
        var opened: OpaquePointer?
        // No lock for each call: whoever shares a connection between threads has one around several calls. A path is no address; what
        // a copy is written to may be one.
        let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = Self.open(fileURL.path, key, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, &opened)
        guard let handle = opened else {
            throw Realm.Error(sqlite: code, "There is no memory for a connection.", fileURL: fileURL)
        }
        self.handle = handle
        // From here on `deinit` closes the connection, which SQLite makes even when it cannot open the file.
        guard code == SQLITE_OK else { throw failure(code) }
        sqlite3_extended_result_codes(handle, 1)
        // One writer at a time, also across processes: a writer waits for the other instead of failing.
        sqlite3_busy_timeout(handle, Self.patience)
        csqlite_refuse_quoted_texts(handle)
        if !isReadOnly { try execute("PRAGMA journal_mode = \(hasLog ? "WAL" : "OFF")") }
        // A log that grew long while a version was pinned gets short again. The cache has 16 MiB, taken as needed: the
        // default of 2 MiB makes every other look-up read from the file.
        try execute(
            """
            PRAGMA journal_size_limit = \(IdleVersions.longLog); PRAGMA cache_size = -16384; \
            PRAGMA synchronous = \(isDurable ? "FULL" : "OFF")
            """
        )
        try QueryFunctions.register(on: self)
        let registered = packer.register(handle)
        guard registered == SQLITE_OK else { throw failure(registered) }
    }

    private static func open(
        _ path: String,
        _ key: FileKey?,
        _ flags: Int32,
        _ handle: inout OpaquePointer?
    ) -> Int32 {
        if let key { return SealedFiles.open(path, key, flags, &handle) }
        return sqlite3_open_v2(path, &handle, flags, nil)
    }

    deinit {
        // Statements that are not finalized yet keep what they need until they are.
        sqlite3_close_v2(handle)
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

    /// Says whether the commits of the next transactions wait for the disk; nothing happens where none does.
    ///
    /// - Throws: A `Realm.Error` inside of a transaction.
    func setWaitsForDisk(_ waits: Bool) throws(Realm.Error) {
        guard isDurable else { return }
        try execute("PRAGMA synchronous = \(waits ? "FULL" : "NORMAL")")
    }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// A number that another one follows with each commit to the file, as soon as a transaction sees it, whoever made it; nil when SQLite
    /// does not say.
    ///
    /// A commit of this connection adds one; how many others have come in between cannot be told from it.
    var contentState: UInt32? {
        var state: UInt32 = 0
        let code = sqlite3_file_control(handle, nil, SQLITE_FCNTL_DATA_VERSION, &state)
        return code == SQLITE_OK ? state : nil
    }

    /// The key of the row that was inserted last.
    var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The error behind a result code.
    func failure(_ code: Int32) -> Realm.Error {
        Realm.Error(sqlite: sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)), fileURL: fileURL)
    }
}

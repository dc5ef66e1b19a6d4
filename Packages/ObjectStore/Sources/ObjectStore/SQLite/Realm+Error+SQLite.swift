import CSQLite
import Foundation

extension Realm.Error {
    /// Translates a result code of SQLite into a sentence that names the remedy.
    ///
    /// - Parameters:
    ///   - sqliteCode: The extended result code, which the error keeps.
    ///   - report: What SQLite says about it, for the details.
    ///   - fileURL: The realm file.
    init(sqlite sqliteCode: Int32, _ report: String, fileURL: URL) {
        let (code, sentence) = Self.explanation(of: sqliteCode, fileURL.path)
        self.init(
            code,
            sentence,
            fileURL: fileURL,
            details: ["SQLite error \(sqliteCode): \(report)"],
            sqliteCode: sqliteCode
        )
    }

    private static func explanation(of sqliteCode: Int32, _ path: String) -> (Code, String) {
        switch sqliteCode & 0xFF {
        case SQLITE_FULL:
            let sentence = """
                The disk that holds the realm '\(path)' is full: nothing of this transaction was kept; free some space \
                and try again.
                """
            return (.outOfDiskSpace, sentence)
        case SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY:
            let sentence = """
                The realm '\(path)' cannot be written, because the system does not allow it to this process: nothing \
                was changed; check the permissions of the file and its folder, or open the realm read-only.
                """
            return (.filePermissionDenied, sentence)
        case SQLITE_NOTADB, SQLITE_CORRUPT:
            return (.invalidDatabase, damage(path))
        case SQLITE_CANTOPEN:
            let sentence = """
                The realm '\(path)' cannot be opened; check that its folder exists and that this process may use it.
                """
            return (.fileAccess, sentence)
        case SQLITE_IOERR:
            let sentence = """
                The disk that holds the realm '\(path)' failed: nothing of this transaction was kept; check the disk \
                and try again.
                """
            return (.fileOperationFailed, sentence)
        case SQLITE_BUSY:
            let sentence = """
                Another process kept the realm '\(path)' locked for too long: nothing was changed; try again when it \
                is done.
                """
            return (.fail, sentence)
        default:
            return (.fail, "The realm '\(path)' cannot be used: SQLite reports error \(sqliteCode).")
        }
    }

    /// Whether another connection has the file locked.
    var isBusy: Bool { sqliteCode.map { $0 & 0xFF } == SQLITE_BUSY }

    /// Whether SQLite does not understand a statement, such as for want of a column.
    var isStatementError: Bool { sqliteCode == SQLITE_ERROR }

    private static func damage(_ path: String) -> String {
        """
        The file '\(path)' is damaged or is not a realm: nothing was changed; put back a whole copy, or delete it with \
        'Realm.deleteFiles(for:)' and begin anew.
        """
    }

    /// Tells that a file is open with another key, or with none.
    static func openWithOtherKey(_ path: String) -> Realm.Error {
        Realm.Error(
            .alreadyOpen,
            "The realm '\(path)' is already open, but not with the same 'encryptionKey'.",
            fileURL: URL(fileURLWithPath: path)
        )
    }

    /// Tells what a check of the whole file found.
    static func damaged(_ fileURL: URL, _ findings: [String]) -> Realm.Error {
        Realm.Error(.invalidDatabase, damage(fileURL.path), fileURL: fileURL, details: findings)
    }

    /// Whether a unique index, or the row key, refused a row.
    var isUniqueViolation: Bool { sqliteCode.map(SQLiteCode.uniqueViolations.contains) ?? false }
}

/// The extended result codes that the store tells apart; the importer does not see their macros.
private enum SQLiteCode {
    /// An index, the primary key and the row number.
    static let uniqueViolations = [SQLITE_CONSTRAINT | 8 << 8, SQLITE_CONSTRAINT | 6 << 8, SQLITE_CONSTRAINT | 10 << 8]
}

import CSQLite
import Foundation
import PageEncryption

/// A sealed database in a folder of its own.
final class SealedFolder {
    /// What SQLite refused.
    struct Failure: Error {
        let code: Int32
        let report: String
    }

    let folder: URL
    let key: FileKey
    var file: URL { folder.appendingPathComponent("a file%20.db") }
    var log: URL { folder.appendingPathComponent("a file%20.db-wal") }
    var shared: URL { folder.appendingPathComponent("a file%20.db-shm") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sealed-\(UUID().uuidString)")
        key = Self.key(1)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A key that a number stands for.
    static func key(_ number: UInt8) -> FileKey {
        guard let key = FileKey(Data((0..<64).map { $0 &* 37 &+ number })) else { fatalError("64 bytes are a key.") }
        return key
    }

    /// A connection that keeps a log.
    func connection(_ other: FileKey? = nil) throws -> SealedConnection {
        let connection = try SealedConnection(file, other ?? key)
        try connection.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        return connection
    }

    /// The same file and log in another folder, as another process would find them after this one was killed.
    func copied() throws -> SealedFolder {
        let copy = try SealedFolder()
        for name in [file.lastPathComponent, log.lastPathComponent] {
            let source = folder.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: source.path) else { continue }
            try FileManager.default.copyItem(at: source, to: copy.folder.appendingPathComponent(name))
        }
        return copy
    }

    /// The files in which a text lies in the clear.
    func findings(of text: String) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try names.filter { name in
            try Data(contentsOf: folder.appendingPathComponent(name)).range(of: Data(text.utf8)) != nil
        }
    }
}

/// A connection to a sealed database.
final class SealedConnection {
    private var handle: OpaquePointer?

    init(_ file: URL, _ key: FileKey) throws {
        let code = SealedFiles.open(file.path, key, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &handle)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    deinit { sqlite3_close_v2(handle) }

    private func failure(_ code: Int32) -> SealedFolder.Failure {
        SealedFolder.Failure(code: code, report: String(cString: sqlite3_errmsg(handle)))
    }

    func run(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// The first column of each row.
    func texts(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK else { throw failure(code) }
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW else {
                guard code == SQLITE_DONE else { throw failure(code) }
                return texts
            }
            texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "nil")
        }
    }
}

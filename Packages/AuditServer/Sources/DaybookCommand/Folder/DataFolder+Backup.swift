public import AuditModel
import SQLiteStore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension DataFolder {
    /// What a copy of the folder holds.
    public struct Backup: Sendable, Hashable {
        /// The names of the files, in the order in which they were copied.
        public let files: [String]
        /// Whether the events are among them; they are not when they are in another database.
        public var hasEvents: Bool { files.contains("events.sqlite") }
    }

    /// Copies the databases and keys into a new folder, also while a server runs on this one.
    ///
    /// Each database is copied as it is at one moment, with everything that was acknowledged before. The copy appears under
    /// its name when it is complete. The auditor's and administrator's tokens are not copied; a server makes new ones.
    ///
    /// - Parameter destination: The new folder, which only its owner can read.
    /// - Returns: What was copied.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the destination exists, or a file cannot be read or written.
    public func backUp(to destination: String) throws(AuditServerError) -> Backup {
        guard access(destination, F_OK) != 0 else {
            throw .inaccessible(path: destination, reason: "there is something already")
        }
        let unfinished = PrivateFile.unfinished(destination)
        try PrivateFile.makeFolder(unfinished)
        var files: [String] = []
        for path in [databasePath, accountsPath, realmsPath] where access(path, F_OK) == 0 {
            try SQLiteCopy.make(of: path, at: "\(unfinished)/\(Self.name(of: path))")
            files.append(Self.name(of: path))
            if path == realmsPath { try SQLiteCopy.beginHistories(in: "\(unfinished)/\(Self.name(of: path))") }
            if path == databasePath {
                let keys = try SQLiteCopy.splitKeys(of: "\(unfinished)/\(Self.name(of: path))")
                if let keys { files.append(Self.name(of: keys)) }
            }
        }
        for path in [tokenKeyPath, earlierTokenKeyPath, signingKeyPath, keyHistoryPath] {
            guard let bytes = try PrivateFile.read(path) else { continue }
            try PrivateFile.write(bytes, to: "\(unfinished)/\(Self.name(of: path))")
            files.append(Self.name(of: path))
        }
        try PrivateFile.rename(folder: unfinished, to: destination)
        return Backup(files: files)
    }

    /// Copies the database of accounts, as it is at one moment.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be read or written.
    public func copyAccounts(to target: String) throws(AuditServerError) {
        try SQLiteCopy.make(of: accountsPath, at: target)
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

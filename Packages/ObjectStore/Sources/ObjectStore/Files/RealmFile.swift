import Foundation
import OriginalFiles
import PageEncryption

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Where realm files are, and what can be said about one before SQLite touches it.
enum RealmFile {
    /// Marks a SQLite file as ours: the letters `DAYB`.
    static let applicationID: UInt32 = 0x4441_5942

    /// The file of the default configuration: `default.realm` in the folder for the program's own data.
    static var defaultURL: URL {
        #if os(iOS) || os(visionOS)
        let folder = URL.documentsDirectory
        #elseif canImport(Darwin)
        let folder = URL.applicationSupportDirectory
        #else
        let environment = ProcessInfo.processInfo.environment
        let data =
            environment["XDG_DATA_HOME"].map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true).appendingPathComponent(".local/share")
        let folder = data.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
        #endif
        return folder.appendingPathComponent("default.realm")
    }

    /// The path that names the same file however it is reached.
    static func canonicalPath(_ url: URL) -> String {
        let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
        return folder.appendingPathComponent(url.lastPathComponent).resolvingSymlinksInPath().standardizedFileURL.path
    }

    /// The file and its companions, all that SQLite keeps for it.
    static func companions(_ path: String) -> [String] { [path, "\(path)-wal", "\(path)-shm", "\(path)-journal"] }

    /// Whether SQLite would have to change the file in order to keep a log beside it, as for a file that was copied.
    static func lacksLog(_ path: String, _ key: FileKey?) throws(Realm.Error) -> Bool {
        let url = URL(fileURLWithPath: path)
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw failure(errno, url) }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: SealedFileState.byteCount)
        let count = pread(descriptor, &start, start.count, 0)
        guard count >= 100 else { return false }
        guard let header = try header(Array(start.prefix(count)), key, hasLog: true, url) else { return false }
        return header[18..<20] != [2, 2]
    }

    /// Makes sure that the file can be one of ours, without changing it; creates an empty one if allowed.
    ///
    /// - Throws: ``Realm/Error`` with `.fileNotFound`, `.filePermissionDenied`, `.fileAccess` or `.invalidDatabase`.
    static func prepare(_ path: String, _ key: FileKey?, isReadOnly: Bool) throws(Realm.Error) {
        let url = URL(fileURLWithPath: path)
        if !isReadOnly { try makeFolder(of: url) }
        // Only the owner may read what users saw; SQLite gives its companions the same mode.
        // Without O_NONBLOCK, opening a pipe would wait for somebody to write to it.
        let descriptor =
            isReadOnly ? open(path, O_RDONLY | O_NONBLOCK) : open(path, O_RDWR | O_CREAT | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw failure(errno, url) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno, url) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Realm.Error(.fileAccess, "The realm '\(path)' cannot be opened: it is not a file.", fileURL: url)
        }
        var start = [UInt8](repeating: 0, count: SealedFileState.byteCount)
        let count = pread(descriptor, &start, start.count, 0)
        guard count >= 0 else { throw failure(errno, url) }
        if count == 0 {
            guard !isReadOnly else {
                throw Realm.Error(.invalidDatabase, "The realm file is empty and is opened read-only.", fileURL: url)
            }
            return
        }
        let hasLog = hasLog(path)
        guard let header = try header(Array(start.prefix(count)), key, hasLog: hasLog, url) else { return }
        try checkHeader(header, hasLog: hasLog, size: status.st_size, url)
    }

    /// Creates the folder of a file unless there is one.
    static func makeFolder(of url: URL) throws(Realm.Error) {
        let folder = url.deletingLastPathComponent()
        do {
            // LIVE: a realm's folder is a folder of this machine.
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw Realm.Error(
                .fileAccess,
                "The folder '\(folder.path)' of the realm cannot be created.",
                fileURL: url
            )
        }
    }

    private static func checkHeader(
        _ header: [UInt8],
        hasLog: Bool,
        size: off_t,
        _ url: URL
    ) throws(Realm.Error) {
        func invalid(_ reason: String) -> Realm.Error {
            Realm.Error(.invalidDatabase, "The file '\(url.path)' \(reason).", fileURL: url)
        }
        guard !OriginalFile.isOriginal(header: header) else {
            throw .original(url.path, remedy: "Import it with 'Realm.importOriginal(from:into:)'.")
        }
        guard header.starts(with: Array("SQLite format 3\0".utf8)) else { throw invalid("is not a realm") }
        guard header.count == 100 else { throw invalid("is a realm that was cut off within its header") }
        func number(_ position: Int, _ bytes: Int) -> UInt64 {
            header[position..<(position + bytes)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        // A realm whose creation was interrupted has no tables yet and may have no id.
        let id = number(68, 4)
        guard id == applicationID || (id == 0 && number(28, 4) <= 1) else {
            throw invalid("is a SQLite database, but not a realm of this library")
        }
        // The four formats that SQLite has for its schema; a file that was never written to has none yet.
        guard number(44, 4) <= 4 else { throw invalid("is damaged, or was written by a newer SQLite") }
        let pageSize = number(16, 2) == 1 ? 65_536 : number(16, 2)
        // While a log exists the file may be behind it; otherwise all pages must be there.
        guard hasLog || UInt64(size) >= pageSize * number(28, 4) else {
            throw invalid("was cut off: pages are missing")
        }
    }

    /// Translates `errno`.
    static func failure(_ number: Int32, _ url: URL) -> Realm.Error {
        let reason = String(cString: strerror(number))
        let code: Realm.Error.Code =
            switch number {
            case ENOENT: .fileNotFound
            case EACCES, EPERM, EROFS: .filePermissionDenied
            case ENOSPC: .outOfDiskSpace
            default: .fileAccess
            }
        return Realm.Error(code, "The file '\(url.path)' cannot be opened: \(reason).", fileURL: url)
    }
}

import CSQLite
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The file system in which SQLite finds files that have a key.
///
/// It lies over SQLite's own, and seals what is written. It refuses to open what it would have to write in the clear: temporary files and
/// databases, and journals of statements and of several files. Connections keep these in memory with `PRAGMA temp_store = MEMORY`.
///
/// ```swift
/// var handle: OpaquePointer?
/// let code = SealedFiles.open(path, key, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &handle)
/// ```
package enum SealedFiles {
    /// What SQLite calls the file system.
    package static let name = "daybook-sealed"

    private static let parameter = "daybook-key"
    /// The keys of files that are being opened, by a number that SQLite is given for them.
    private static let keys = Mutex<(last: UInt64, waiting: [UInt64: FileKey])>((0, [:]))

    /// Opens a database, and gives a new one room for what sealing adds.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - key: Its key.
    ///   - flags: Those of `sqlite3_open_v2`.
    ///   - handle: Is set to the connection, which the caller closes also when this fails.
    /// - Returns: A code of SQLite; a wrong key is found by reading only.
    package static func open(_ path: String, _ key: FileKey, _ flags: Int32, _ handle: inout OpaquePointer?) -> Int32 {
        let code = withAddress(of: path, key) { address in
            sqlite3_open_v2(address, &handle, flags | SQLITE_OPEN_URI, nil)
        }
        guard code == SQLITE_OK else { return code }
        return prepare(handle)
    }

    /// Calls with an address of a file that SQLite understands while the body runs, also as what it attaches or copies to.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    package static func withAddress<Value, Failure: Error>(
        of path: String,
        _ key: FileKey,
        _ body: (String) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        _ = isRegistered
        let number = keys.withLock { keys in
            keys.last += 1
            keys.waiting[keys.last] = key
            return keys.last
        }
        defer { keys.withLock { $0.waiting[number] = nil } }
        return try body("file:\(escaped(path))?vfs=\(name)&\(parameter)=\(number)")
    }

    /// An address of a file without a key that SQLite understands, whatever the connection's own file has.
    ///
    /// - Returns: The address.
    package static func plainAddress(of path: String) -> String {
        let system = base.flatMap { $0.pointee.zName }.map { String(cString: $0) } ?? ""
        return "file:\(escaped(path))?vfs=\(system)"
    }

    /// Lets a connection leave room in the pages of files that it makes or copies to, as sealing them needs.
    ///
    /// - Returns: A code of SQLite.
    package static func leaveRoom(_ handle: OpaquePointer?) -> Int32 {
        var count = Int32(SealedPage.reservedCount)
        return sqlite3_file_control(handle, nil, SQLITE_FCNTL_RESERVE_BYTES, &count)
    }

    /// Prepares a connection for a file that may be new, and keeps what is temporary in memory.
    private static func prepare(_ handle: OpaquePointer?) -> Int32 {
        let code = leaveRoom(handle)
        guard code == SQLITE_OK else { return code }
        return sqlite3_exec(handle, "PRAGMA page_size = \(SealedPage.count); PRAGMA temp_store = MEMORY", nil, nil, nil)
    }

    /// What an address may not have as it is.
    private static func escaped(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }

    // MARK: The calls of the file system

    /// SQLite's own file system.
    // SAFETY: SQLite has it for the life of the process.
    nonisolated(unsafe) private static let base: UnsafeMutablePointer<sqlite3_vfs>? = sqlite3_vfs_find(nil)

    /// Whether SQLite knows this file system, which it learns once.
    private static let isRegistered: Bool = {
        guard let base else { return false }
        var system = sqlite3_vfs()
        // The first version that knows times in whole numbers; later ones let others replace calls of the system.
        system.iVersion = min(2, base.pointee.iVersion)
        system.szOsFile = base.pointee.szOsFile + Int32(SealedFileMethods.overhead)
        system.mxPathname = base.pointee.mxPathname
        guard let text = strdup(name) else { return false }
        system.zName = UnsafePointer(text)
        addFiles(&system)
        addSystem(&system)
        let place = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        place.initialize(to: system)
        return sqlite3_vfs_register(place, 0) == SQLITE_OK
    }()

    private static func addFiles(_ system: inout sqlite3_vfs) {
        system.xOpen = { _, name, file, flags, outFlags in
            guard let file else { return SQLITE_MISUSE }
            file.pointee.pMethods = nil
            return SealedFiles.openFile(name, file, flags, outFlags)
        }
        system.xDelete = { _, name, syncs in
            guard let base = SealedFiles.base else { return SQLITE_MISUSE }
            return base.pointee.xDelete(base, name, syncs)
        }
        system.xAccess = { _, name, flags, answer in
            guard let base = SealedFiles.base else { return SQLITE_MISUSE }
            return base.pointee.xAccess(base, name, flags, answer)
        }
        system.xFullPathname = { _, name, count, place in
            guard let base = SealedFiles.base else { return SQLITE_MISUSE }
            return base.pointee.xFullPathname(base, name, count, place)
        }
    }

    private static func addSystem(_ system: inout sqlite3_vfs) {
        system.xRandomness = { _, count, place in
            guard let base = SealedFiles.base else { return 0 }
            return base.pointee.xRandomness(base, count, place)
        }
        system.xSleep = { _, microseconds in
            guard let base = SealedFiles.base else { return 0 }
            return base.pointee.xSleep(base, microseconds)
        }
        system.xCurrentTime = { _, time in
            guard let base = SealedFiles.base else { return SQLITE_MISUSE }
            return base.pointee.xCurrentTime(base, time)
        }
        system.xCurrentTimeInt64 = { _, time in
            guard let base = SealedFiles.base else { return SQLITE_MISUSE }
            return base.pointee.xCurrentTimeInt64(base, time)
        }
        system.xGetLastError = { _, count, place in
            guard let base = SealedFiles.base else { return 0 }
            return base.pointee.xGetLastError(base, count, place)
        }
    }

    private static func openFile(
        _ name: UnsafePointer<CChar>?,
        _ file: UnsafeMutablePointer<sqlite3_file>,
        _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let base, let name, let make = maker(name, flags) else { return SQLITE_CANTOPEN }
        let below = SealedFileMethods.stored(file)
        below.pointee.pMethods = nil
        let code = base.pointee.xOpen(base, name, below, flags, outFlags)
        guard code == SQLITE_OK else {
            if below.pointee.pMethods != nil { _ = StoredFile(handle: below).methods.xClose(below) }
            return code
        }
        SealedFileMethods.install(make(StoredFile(handle: below)), in: file)
        return SQLITE_OK
    }

    /// Makes the object that seals a file; nil for files that would be in the clear.
    private static func maker(_ name: UnsafePointer<CChar>, _ flags: Int32) -> ((StoredFile) -> any SealedFile)? {
        if flags & SQLITE_OPEN_MAIN_DB != 0 {
            let number = UInt64(bitPattern: sqlite3_uri_int64(name, parameter, 0))
            guard let key = keys.withLock({ $0.waiting[number] }) else { return nil }
            return { MainFile($0, key) }
        }
        guard flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0,
            let file = sqlite3_database_file_object(name), file.pointee.pMethods != nil,
            let main = SealedFileMethods.object(file) as? MainFile
        else { return nil }
        return flags & SQLITE_OPEN_WAL != 0 ? { LogFile($0, of: main) } : { JournalFile($0, of: main) }
    }
}

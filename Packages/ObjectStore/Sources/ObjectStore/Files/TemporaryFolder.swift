import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Makes folders that nobody else has.
enum TemporaryFolder {
    /// Creates a folder in the system's temporary directory that only this user may enter.
    static func make() throws(Realm.Error) -> URL {
        // LIVE: in-memory realms need the system's own temporary directory.
        let pattern = FileManager.default.temporaryDirectory.appendingPathComponent("realm-XXXXXX")
        var path = Array(pattern.path.utf8CString)
        guard mkdtemp(&path) != nil else { throw RealmFile.failure(errno, pattern) }
        let bytes = path.dropLast().map { UInt8(bitPattern: $0) }
        return URL(fileURLWithPath: String(decoding: bytes, as: UTF8.self), isDirectory: true)
    }
}

import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The file that keeps who is logged in, mode 0600, replaced as a whole.
///
/// One process at a time should change the accounts of an app: the last one that writes wins.
final class AccountFile: Sendable {
    let path: String
    /// Orders the writes, so that an older list never replaces a newer one.
    private let writing = Mutex<Void>(())

    init(path: String) {
        self.path = path
    }

    /// Reads the accounts.
    ///
    /// - Returns: nil when there is no file.
    /// - Throws: ``SyncTransportError/accountsUnreadable(reason:)``; a damaged file was renamed to `….damaged`.
    func load() throws(SyncTransportError) -> Accounts? {
        let bytes: [UInt8]
        switch Self.read(path) {
        case .success(let read): bytes = read
        case .failure(let failure) where failure.number == ENOENT: return nil
        case .failure(let failure): throw .accountsUnreadable(reason: failure.text)
        }
        do {
            return try JSONDecoder().decode(Accounts.self, from: Data(bytes))
        } catch {
            guard rename(path, "\(path).damaged") == 0 else {
                throw .accountsUnreadable(reason: "the file is damaged and cannot be renamed, \(SystemFailure().text)")
            }
            throw .accountsUnreadable(reason: "the file is damaged")
        }
    }

    /// Writes what the closure returns, and returns when it is on the disk.
    ///
    /// - Throws: ``SyncTransportError/accountsNotSaved(reason:)``; the former file is whole then.
    func save(_ accounts: () -> Accounts) throws(SyncTransportError) {
        do {
            try writing.withLock { _ in
                try Self.replace(path, with: Array(JSONEncoder().encode(accounts())))
            }
        } catch let failure as SystemFailure {
            throw .accountsNotSaved(reason: failure.text)
        } catch {
            throw .accountsNotSaved(reason: "they cannot be written as JSON")
        }
    }

    private static func read(_ path: String) -> Result<[UInt8], SystemFailure> {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return .failure(SystemFailure()) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = chunk.withUnsafeMutableBytes { unsafe in
                #if canImport(Darwin)
                Darwin.read(file, unsafe.baseAddress, unsafe.count)
                #elseif canImport(Glibc)
                Glibc.read(file, unsafe.baseAddress, unsafe.count)
                #else
                Musl.read(file, unsafe.baseAddress, unsafe.count)
                #endif
            }
            guard count >= 0 else {
                if errno == EINTR { continue }
                return .failure(SystemFailure())
            }
            if count == 0 { return .success(bytes) }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    private static func replace(_ path: String, with bytes: [UInt8]) throws(SystemFailure) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try createFolder(folder)
        let new = "\(path).new"
        // Left over by a process that died; the name is ours alone.
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemFailure() }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw SystemFailure()
            }
            written += count
        }
        guard fsync(file) == 0, rename(new, path) == 0 else { throw SystemFailure() }
        let directory = open(folder, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw SystemFailure() }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw SystemFailure() }
    }

    private static func createFolder(_ path: String) throws(SystemFailure) {
        guard !path.isEmpty, mkdir(path, 0o700) != 0 else { return }
        switch errno {
        case EEXIST:
            return
        case ENOENT:
            try createFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemFailure() }
        default:
            throw SystemFailure()
        }
    }
}

/// The failure of a system call, by its number.
private struct SystemFailure: Error {
    let number = errno

    var text: String { String(cString: strerror(number)) }
}

import Foundation
import PageEncryption

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Puts a compacted copy of a file in its place, under another key if wanted.
///
/// The file must have no other user. The copy is made beside it, whole and durable, and takes its name in one step of the file system;
/// a power cut leaves the old file or the new one. What is left of a copy that was not finished is deleted by the next opening.
struct FileReplacement {
    let path: String
    /// What the new file is encrypted with; nil when it is not.
    let key: FileKey?
    /// What changes names of files and waits for the disk.
    var calls = ReplacementCalls.system

    /// Where the copy is made: under a name that no program gives a file of its own, since what is left there is deleted.
    static func path(of realm: String) -> String {
        let url = URL(fileURLWithPath: realm)
        return url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).daybook-rekey").path
    }

    private var url: URL { URL(fileURLWithPath: path) }
    private var copy: String { Self.path(of: path) }

    /// Deletes what is left of a copy that was not finished; for whoever has the file alone.
    static func clean(_ realm: String) {
        // What cannot be deleted now is deleted before the next copy, which says why not.
        for file in RealmFile.companions(path(of: realm)) { unlink(file) }
    }

    /// Writes the copy, and takes what the log has into the file itself.
    ///
    /// - Throws: ``Realm/Error`` when it cannot be written, such as for want of room; no copy is left then.
    func write(from connection: Connection) throws(Realm.Error) {
        do throws(Realm.Error) {
            try make()
            try connection.copy(to: copy, key)
            // From here on it has a log, as all files have that were opened for writing.
            _ = try Connection(fileURL: URL(fileURLWithPath: copy), key: key, isReadOnly: false, isDurable: true)
            try demand(calls.sync(copy))
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        } catch {
            Self.clean(path)
            throw error
        }
    }

    /// Lets the copy take the place of the file, whose connections must all be closed.
    ///
    /// - Throws: ``Realm/Error`` when the system refuses it; the file is as it was then.
    func finish() throws(Realm.Error) {
        do throws(Realm.Error) {
            // The log is empty. Where it could come back after a power cut, its frames do not fit the new file.
            for file in RealmFile.companions(path).dropFirst() {
                let code = calls.remove(file)
                try demand(code == ENOENT ? 0 : code)
            }
            let folder = url.deletingLastPathComponent().path
            try demand(calls.sync(folder))
            try demand(calls.move(copy, path))
            try demand(calls.sync(folder))
        } catch {
            Self.clean(path)
            throw error
        }
    }

    /// Makes an empty file that those may read who may read the old one.
    private func make() throws(Realm.Error) {
        Self.clean(path)
        var status = stat()
        guard stat(path, &status) == 0 else { throw RealmFile.failure(errno, url) }
        let descriptor = open(copy, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0o777)
        guard descriptor >= 0 else { throw RealmFile.failure(errno, url) }
        close(descriptor)
    }

    private func demand(_ code: Int32) throws(Realm.Error) {
        guard code == 0 else { throw RealmFile.failure(code, url) }
    }
}

extension Connection {
    /// Writes all contents to another file, which is empty, with a key of its own or none.
    fileprivate func copy(to path: String, _ key: FileKey?) throws(Realm.Error) {
        guard let key else { return try copy(to: SealedFiles.plainAddress(of: path)) }
        let code = SealedFiles.leaveRoom(handle)
        guard code == 0 else { throw failure(code) }
        try SealedFiles.withAddress(of: path, key) { (address) throws(Realm.Error) in try copy(to: address) }
    }

    private func copy(to address: String) throws(Realm.Error) {
        let statement = try prepare("VACUUM INTO ?1")
        defer { statement.reset() }
        statement.bind(1, address)
        while try statement.step() {}
    }
}

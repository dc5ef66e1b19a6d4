import Foundation

/// A file that gets its name when it is complete; only its owner may read it.
final class ExportFile {
    private let path: String
    private let unfinished: String
    private let handle: FileHandle
    private var isFinished = false

    /// Makes the file beside its later place.
    ///
    /// - Throws: ``CommandError/unwritable(path:reason:)`` when it cannot be made.
    init(_ path: String) throws(CommandError) {
        self.path = path
        unfinished = path + ".unfinished"
        unlink(unfinished)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit {
        if !isFinished { unlink(unfinished) }
    }

    /// Appends bytes.
    ///
    /// - Throws: ``CommandError/unwritable(path:reason:)`` when they cannot be written.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        do {
            try handle.write(contentsOf: Data(bytes))
        } catch {
            throw Self.failure(path)
        }
    }

    /// Gives the file its name, once its content is on the disk.
    ///
    /// - Throws: ``CommandError/unwritable(path:reason:)`` when that fails; an older file stays.
    func finish() throws(CommandError) {
        guard fsync(handle.fileDescriptor) == 0, rename(unfinished, path) == 0 else { throw Self.failure(path) }
        isFinished = true
    }

    private static func failure(_ path: String) -> CommandError {
        .unwritable(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
}

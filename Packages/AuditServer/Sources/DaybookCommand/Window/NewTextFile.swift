import AuditArchives
import AuditModel
import EventModel

/// A file of lines that has its name when it is whole; only its owner may read it.
final class NewTextFile {
    private let path: String
    private let unfinished: String
    private let file: any OpenFile
    private var waiting: [UInt8] = []
    private var size: UInt64 = 0
    private var isFinished = false

    /// Begins a file.
    ///
    /// - Throws: `CommandError.unwritable(path:reason:)` when there is one already, and `AuditServerError` when it cannot be made.
    init(_ path: String) throws {
        guard !PrivateFile.exists(path) else {
            throw CommandError.unwritable(path: path, reason: "there is something already")
        }
        self.path = path
        unfinished = PrivateFile.unfinished(path)
        try PrivateFile.removeIfPresent(unfinished)
        file = try PrivateFile.create(unfinished)
    }

    deinit {
        file.close()
        if isFinished { return }
        do {
            try PrivateFile.removeIfPresent(unfinished)
        } catch {
            StandardOutput.remark("\(error)")
        }
    }

    /// Appends a line, which ends with a line feed.
    func append(_ line: String) throws {
        waiting += line.utf8
        if waiting.count >= 1 << 20 { try flush() }
    }

    /// Gives the file its name, once it is on the disk.
    func finish() throws {
        try flush()
        try file.synchronize()
        try PrivateFile.rename(file: unfinished, to: path)
        isFinished = true
    }

    private func flush() throws {
        try file.writeAll(waiting, at: size)
        size += UInt64(waiting.count)
        waiting.removeAll(keepingCapacity: true)
    }
}

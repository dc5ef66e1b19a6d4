import AuditArchives
import AuditModel
import AuditVerifying
import Foundation

/// A folder that gets its name when it is complete; only its owner may read it.
final class UnfinishedFolder {
    /// Where the files are until then.
    let unfinished: String
    private let path: String
    private var isFinished = false

    /// Makes the folder beside its later place.
    ///
    /// - Throws: `CommandError.unwritable(path:reason:)` when something is there already, and `AuditServerError` when the
    ///   folder cannot be made.
    init(_ path: String) throws {
        self.path = path
        unfinished = PrivateFile.unfinished(path)
        guard access(path, F_OK) != 0 else {
            throw CommandError.unwritable(path: path, reason: "there is something already")
        }
        // LIVE: a folder of an earlier run that did not finish.
        if PrivateFile.isFolder(unfinished) { try FileManager.default.removeItem(atPath: unfinished) }
        try PrivateFile.makeFolder(unfinished)
    }

    deinit {
        if isFinished { return }
        do {
            // LIVE: the folder that this made.
            try FileManager.default.removeItem(atPath: unfinished)
        } catch {
            StandardOutput.remark("\(unfinished) cannot be removed.")
        }
    }

    /// Gives the folder its name, which is on the disk afterwards, as are those of its files.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when that fails.
    func finish() throws(AuditServerError) {
        try PrivateFile.rename(folder: unfinished, to: path)
        isFinished = true
    }

    /// Makes one file of the folder, which is on the disk under its name afterwards; the folder goes.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when that fails.
    func finish(zip path: String) throws(AuditServerError) {
        let file = "\(unfinished)/unfinished.zip"
        try ExportArchive.write(unfinished, to: file)
        try PrivateFile.rename(file: file, to: path)
    }
}

public import AuditModel
import EventModel
import Foundation

/// The folder of a server's exports: a folder for each, with what is known of it in `job.json`.
///
/// A relative of a data folder and as private: folders have mode 0700, files 0600.
public struct ExportFolder: Sendable {
    private static let jobName = "job.json"

    /// The folder.
    public let path: String

    /// Makes the folder if it is missing.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be made.
    public init(_ path: String) throws(AuditServerError) {
        self.path = path
        try PrivateFile.makeFolder(path)
    }

    /// The folder of the files of an export.
    package func files(of id: String) -> String { "\(path)/\(id)/files" }

    /// Makes the folder of an export.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be made.
    package func begin(_ job: ExportJob) throws {
        try PrivateFile.makeFolder(files(of: job.id))
        try write(job)
    }

    /// Writes down what is known of an export.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be written.
    package func write(_ job: ExportJob) throws {
        try PrivateFile.write(EventLine.lines([job]), to: "\(path)/\(job.id)/\(Self.jobName)")
    }

    /// Removes the files of an export that was not finished.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when they cannot be removed.
    package func empty(_ id: String) throws {
        try removeTree(files(of: id))
        try PrivateFile.makeFolder(files(of: id))
    }

    /// Removes an export.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be removed.
    package func remove(_ id: String) throws { try removeTree("\(path)/\(id)") }

    /// Reads what an earlier run of the server left; what was not finished then is interrupted now.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the folder cannot be read or cleaned.
    package func load() throws -> [ExportJob] {
        var jobs: [ExportJob] = []
        // LIVE: the folder of the server's data.
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
            // Whatever else lies here is not ours to touch.
            guard ObjectId.isText(name) else { continue }
            guard let bytes = try PrivateFile.read("\(path)/\(name)/\(Self.jobName)"), var job = Self.job(bytes) else {
                // The server ended while it made the folder.
                try remove(name)
                continue
            }
            if !job.isOver {
                job.state = .interrupted
                job.problem = "The server ended before the export was made; ask for it again."
                try empty(job.id)
                try write(job)
            }
            jobs.append(job)
        }
        return jobs
    }

    private static func job(_ bytes: [UInt8]) -> ExportJob? {
        do {
            return try JSONDecoder().decode(ExportJob.self, from: Data(bytes))
        } catch {
            // Another version wrote it, or nobody finished it; its events are where they were.
            return nil
        }
    }

    private func removeTree(_ path: String) throws {
        do {
            // LIVE: the folder of the server's data.
            try FileManager.default.removeItem(atPath: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return
        } catch {
            throw AuditServerError.inaccessible(path: path, reason: "it cannot be removed")
        }
    }
}

extension ObjectId {
    /// Returns whether a text is an id.
    package static func isText(_ text: String) -> Bool {
        text.utf8.count == 24 && text.utf8.allSatisfy { Hexadecimal.value($0) != nil }
    }
}

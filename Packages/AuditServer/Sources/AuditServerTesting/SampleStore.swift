import AuditModel
import Foundation

/// moto, a store of objects that others wrote, on loopback: with a bucket `our-log`, and a key that may do below `logs/ward` what a log needs.
///
/// `Tools/test` fetches it from PyPI, and names the Python that has it in `DAYBOOK_MOTO`.
public final class SampleStore: Sendable {
    /// Where it is.
    public let url: String
    /// The name of the key.
    public let accessKey: String
    /// The secret of the key.
    public let secret: String
    private let file: String

    private static let python = ProcessInfo.processInfo.environment["DAYBOOK_MOTO"]

    /// Whether it is there.
    public static let isThere = python != nil

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../Tools/lib/bucket/serve.py").standardizedFileURL.path

    /// Starts the store, which ends with the last reference, and with this process.
    ///
    /// - Parameter folder: An empty folder of its own.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it does not start, with what it said.
    public init(in folder: String) throws {
        let python = Self.python ?? "python3"
        let outcome = try SpawnedProgram.run([python, Self.script, folder], errorsIn: "\(folder)/errors")
        file = "\(folder)/store"
        let text = String(decoding: try PrivateFile.read(file) ?? [], as: UTF8.self)
        let lines = text.split(separator: "\n").map { String($0) }
        guard outcome.status == 0, lines.count == 3 else {
            throw AuditServerError.inaccessible(path: python, reason: outcome.errors)
        }
        (url, accessKey, secret) = (lines[0], lines[1], lines[2])
    }

    deinit {
        // It ends when its file is gone.
        try? PrivateFile.removeIfPresent(file)
    }
}

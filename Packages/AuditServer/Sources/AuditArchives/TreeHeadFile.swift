import AuditModel
package import EventProofs
import Foundation

/// The file in which an auditor keeps the head of a server's log until the next time.
package enum TreeHeadFile {
    /// Reads the head; nil when there is no file yet.
    ///
    /// - Throws: ``CommandError/unreadable(path:reason:)`` when it holds something else.
    package static func read(_ path: String) throws -> TreeHead? {
        guard let bytes = try PrivateFile.read(path) else { return nil }
        do {
            return try JSONDecoder().decode(TreeHead.self, from: Data(bytes))
        } catch {
            throw CommandError.unreadable(path: path, reason: "it does not hold the head of a log")
        }
    }

    /// Puts a head in the place of the one before.
    package static func write(_ head: TreeHead, to path: String) throws {
        try PrivateFile.write(EventLine.lines([head]), to: path)
    }
}

import Foundation

/// A folder for one test, removed with the last reference.
package final class TemporaryFolder: Sendable {
    /// The absolute path.
    package let path: String

    /// Makes the folder.
    ///
    /// - Throws: What the file manager throws.
    package init() throws {
        // LIVE: a test's folder is on the disk, where programs find it.
        let parent = FileManager.default.temporaryDirectory
        // LIVE: tests that run at once must not share a folder.
        path = parent.appendingPathComponent("audit-\(UUID().uuidString)").path
        // LIVE: as above.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // LIVE: as above.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder.
    package func file(_ name: String) -> String { "\(path)/\(name)" }
}

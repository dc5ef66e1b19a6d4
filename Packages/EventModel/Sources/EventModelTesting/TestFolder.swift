import EventModel
import Foundation

/// A folder of its own for one test, removed with the value.
public final class TestFolder: Sendable {
    /// The absolute path.
    public let path: String

    /// Names a folder that is not there: what is tested may make it.
    public init() {
        path = NSTemporaryDirectory() + "daybook-\(ObjectIdGenerator.system.next())"
    }

    /// Makes a folder.
    ///
    /// - Throws: `FileSystemError` when it cannot be made.
    public static func made() throws -> TestFolder {
        let folder = TestFolder()
        try POSIXFileSystem().makeDirectory(folder.path)
        return folder
    }

    /// The path of a file in the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    deinit {
        // A folder that stays behind is no reason to fail a test, nor is one that was never made.
        // LIVE: whoever names the folder wants it on the machine's own disk.
        try? FileManager.default.removeTestFolder(URL(fileURLWithPath: path))
    }
}

public import Foundation

extension FileManager {
    /// Removes the folder of a test, in which others may still make or remove files.
    ///
    /// A realm that a session has just let go of closes its log itself, perhaps between the listing of the folder and its removal: then a
    /// file has gone that was listed, or the folder is not empty.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: What the hundredth attempt met.
    public func removeTestFolder(_ folder: URL) throws {
        for _ in 1..<100 where fileExists(atPath: folder.path) {
            // LIVE: the folder is on the machine's own disk.
            if (try? removeItem(at: folder)) != nil { return }
        }
        // LIVE: the folder is on the machine's own disk.
        try removeItem(at: folder)
    }
}

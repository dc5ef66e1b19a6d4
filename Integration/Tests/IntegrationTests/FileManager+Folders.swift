import Foundation

extension FileManager {
    /// Removes the folder of a test, from which others may remove something meanwhile.
    ///
    /// A realm that a session has just let go of removes its log itself, perhaps between the listing of the folder and the removal.
    func removeFolder(_ folder: URL) throws {
        for _ in 0..<100 {
            do {
                return try removeItem(at: folder)
            } catch CocoaError.fileNoSuchFile {
                continue
            }
        }
        try removeItem(at: folder)
    }
}

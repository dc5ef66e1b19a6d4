import Foundation

/// A folder of one test's own, removed with the value.
final class TemporaryFolder {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "sync-transport-\(UUID().uuidString)"
    }

    deinit {
        // A test that created no file leaves no folder to remove.
        try? FileManager.default.removeItem(atPath: path)
    }
}

import EventModel
import Foundation

/// A folder of its own for one test, removed with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "daybook-\(ObjectIdGenerator.system.next())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // A folder that stays behind is no reason to fail a test.
        try? FileManager.default.removeItem(atPath: path)
    }
}

public import Foundation
import ObjectStore

extension RealmWindow {
    /// Whether a file is one of Realm, which ``importOriginal(from:into:encryptionKey:progress:)`` reads.
    public static func isOriginal(_ file: URL) -> Bool { Realm.isOriginalFile(at: file) }

    /// Makes a realm file of one of Realm, with all that it has.
    ///
    /// - Parameters:
    ///   - source: The old file, which is left as it is.
    ///   - file: The new one, which must not exist.
    ///   - encryptionKey: The key of the new file, 64 bytes; nil when it has none.
    ///   - progress: Is told now and then what is done and how far.
    /// - Returns: A line for each class, with its count and a sum that both files have.
    /// - Throws: The error of the store for a file that is damaged or cannot be brought, `CancellationError` when the task is cancelled; there
    ///   is no new file then.
    public static func importOriginal(
        from source: URL,
        into file: URL,
        encryptionKey: Data? = nil,
        progress: (_ step: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
    ) throws -> String {
        let configuration = Realm.Configuration(fileURL: file, encryptionKey: encryptionKey, objectTypes: [])
        return try withoutActuallyEscaping(progress) { progress in
            let report = try Realm.importOriginal(from: source, into: configuration) { now in
                progress(now.step == .copying ? "copied" : "compared", now.completedObjects, now.totalObjects)
                return true
            }
            return report.description
        }
    }
}

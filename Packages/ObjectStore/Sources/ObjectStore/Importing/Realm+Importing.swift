public import Foundation

extension Realm {
    /// Whether a file begins as those of the original do, which only an import can read.
    ///
    /// - Parameter url: The file.
    /// - Returns: False also for a file that is not there or cannot be read, and for an encrypted one, of which nobody can say it.
    public static func isOriginalFile(at url: URL) -> Bool { OriginalOpening.isOriginal(url.path) }

    /// Makes a realm of a file that Realm, the original of this library, wrote.
    ///
    /// Formats 20 to 24 are read, which Realm Swift wrote since version 10.0, unless they are encrypted: all classes with all objects, links,
    /// embedded objects and collections, primary keys, indexes and the version of the schema. The new file has its name only when it is whole
    /// and was compared with the old one, object by object; the old one is left as it is. No app may have it open meanwhile. Whether the
    /// program has the classes plays no part: what differs is in the report, and settled as ever when the realm is opened.
    ///
    /// ```swift
    /// let report = try Realm.importOriginal(from: old, into: Realm.Configuration(fileURL: new))
    /// print(report)
    /// ```
    ///
    /// To do it on the way when the realm is opened, see ``Configuration/importsOriginal``.
    ///
    /// - Parameters:
    ///   - url: The old file.
    ///   - configuration: Names the new file, which must not exist. Its classes are compared with those of the old file if it names any;
    ///     ``Configuration/keepsChanges`` decides whether the new file keeps its changes, ``Configuration/encryptionKey`` whether it is
    ///     encrypted.
    ///   - progress: Is told now and then how far the import is, on the calling thread; to return false ends it.
    /// - Returns: What the new file has of each class.
    /// - Throws: ``Error`` with `.fileExists`, `.invalidDatabase` for a file that is damaged or none of Realm, `.unsupportedFileFormatVersion`,
    ///   `.invalidInput` for a key that has not 64 bytes, or a class without a primary key in a file that is to keep its changes, or why a file cannot be
    ///   read or written. `CancellationError` when the progress handler returned false, or the task was cancelled. There is no new file then.
    /// - Complexity: O(*n*) in the count of objects and elements; memory depends on the largest object.
    @discardableResult
    public static func importOriginal(
        from url: URL,
        into configuration: Configuration,
        progress: ((ImportProgress) -> Bool)? = nil
    ) throws -> ImportReport {
        guard let target = configuration.fileURL else {
            throw Error(.invalidInput, "An import makes a file; the configuration names none.")
        }
        let path = RealmFile.canonicalPath(target)
        let original = try OriginalImport(url, encryptionKey: configuration.encryptionKey, progress)
        try RealmFile.makeFolder(of: URL(fileURLWithPath: path))
        do throws(Error) {
            try FileInTheMaking.make(at: path) { made throws(Error) in try original.fill(made, configuration) }
        } catch {
            if original.isCancelled { throw CancellationError() }
            throw error
        }
        guard let report = original.report else { throw Error(.fail, "The import has no result.", fileURL: target) }
        return report
    }
}

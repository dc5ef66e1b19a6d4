import Foundation

extension Realm {
    /// Whether the file of a configuration exists.
    public static func fileExists(for configuration: Configuration) -> Bool {
        // LIVE: a realm's file is a file of this machine.
        configuration.fileURL.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
    }

    /// Deletes the file of a configuration and what belongs to it.
    ///
    /// - Returns: Whether anything was deleted.
    /// - Throws: ``Error`` with `.alreadyOpen` while an instance exists in this process, or `.fileOperationFailed`.
    public static func deleteFiles(for configuration: Configuration) throws -> Bool {
        guard let url = configuration.fileURL else { return false }
        return try deleteFiles(at: RealmFile.canonicalPath(url))
    }

    static func deleteFiles(at path: String) throws(Realm.Error) -> Bool {
        let url = URL(fileURLWithPath: path)
        guard !FileCoordinator.isOpen(path: path) else {
            throw Error(.alreadyOpen, "The realm '\(path)' is open and cannot be deleted.", fileURL: url)
        }
        var isDeleted = false
        // LIVE: a realm's files are files of this machine.
        let files = FileManager.default
        for file in RealmFile.companions(path) where files.fileExists(atPath: file) {
            do {
                try files.removeItem(atPath: file)
            } catch {
                throw Error(.fileOperationFailed, "The file '\(file)' cannot be deleted.", fileURL: url)
            }
            isDeleted = true
        }
        return isDeleted
    }
}

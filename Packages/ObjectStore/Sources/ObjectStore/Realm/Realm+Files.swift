import EventModel
public import Foundation

extension Realm {
    /// Whether the file of a configuration exists.
    public static func fileExists(for configuration: Configuration) -> Bool {
        // LIVE: a realm's file is a file of this machine.
        configuration.fileURL.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
    }

    /// Deletes the file of a configuration and what belongs to it.
    ///
    /// - Returns: Whether anything was deleted.
    /// - Throws: ``Error`` with `.alreadyOpen` while an instance exists in this or another process, or
    ///   `.fileOperationFailed`.
    public static func deleteFiles(for configuration: Configuration) throws -> Bool {
        guard let url = configuration.fileURL else { return false }
        return try deleteFiles(at: RealmFile.canonicalPath(url))
    }

    static func deleteFiles(at path: String) throws(Realm.Error) -> Bool {
        let url = URL(fileURLWithPath: path)
        guard !FileCoordinator.isOpen(path: path) else {
            throw Error(.alreadyOpen, "The realm '\(path)' is open and cannot be deleted.", fileURL: url)
        }
        // LIVE: a realm's files are files of this machine.
        guard FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path) else { return false }
        guard let alone = try FileUse.alone(path, patience: FileUse.handoverPatience) else {
            throw Error(
                .alreadyOpen,
                "The realm '\(path)' is open in another process and cannot be deleted.",
                fileURL: url
            )
        }
        defer { withExtendedLifetime(alone) {} }
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
        FileReplacement.clean(path)
        try SyncLock.forget(path)
        try FileUse.forget(path)
        return isDeleted
    }

    // MARK: Copying

    /// Writes a compacted copy to a new file; inside a write it has the changes that are not committed yet.
    ///
    /// Outside of a write the copy is of the version that the instance reads. The new file appears only when it is
    /// whole, and can be used as a seed or in a folder that cannot be written.
    ///
    /// - Parameters:
    ///   - fileURL: Where the copy goes; the folder must exist, the file must not.
    ///   - encryptionKey: The key of the copy, whatever the realm has; nil for a copy that is not encrypted.
    /// - Throws: ``Error`` with `.fileExists`, `.invalidInput` when the key has not 64 bytes, or why the file cannot be written.
    /// - Complexity: O(*n*) in the count of objects, with flat memory.
    public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
        try writeCopy(toFile: fileURL, encryptionKey, core.configuration.changeClock) { _ in .same }
    }

    /// Writes a compacted copy to the file of a configuration, which keeps its changes or does not as the configuration says.
    ///
    /// This is how a file becomes one that keeps its changes: all objects of the copy wait for its server as created ones, also those of
    /// classes that the program does not declare. The other way round the copy has what this realm shows, and forgets what waits and what it
    /// knows of the server. Otherwise it is as ``writeCopy(toFile:encryptionKey:)`` has it.
    ///
    /// ```swift
    /// var configuration = Realm.Configuration(fileURL: url)
    /// configuration.keepsChanges = true
    /// try realm.writeCopy(configuration: configuration)
    /// ```
    ///
    /// - Parameter configuration: Names the file; its classes and the version of its schema play no part.
    /// - Throws: As that one; ``Error`` with `.invalidInput` also when the configuration names no file, or a class has no primary key and the
    ///   copy is to keep its changes.
    /// - Complexity: O(*n*) in the count of objects; the changes of a copy that begins to keep them are in memory.
    public func writeCopy(configuration: Configuration) throws {
        guard let url = configuration.fileURL else {
            throw Error(.invalidInput, "A copy can only be written to a file; the configuration names none.")
        }
        try writeCopy(toFile: url, configuration.encryptionKey, configuration.changeClock) { keepsChanges in
            guard keepsChanges != configuration.keepsChanges else { return .same }
            return keepsChanges ? .plain : .keepingChanges
        }
    }

    private func writeCopy(
        toFile fileURL: URL,
        _ encryptionKey: Data?,
        _ clock: any EventClock,
        as kind: (_ keepsChanges: Bool) -> FileCopy.Kind
    ) throws {
        core.checkThread()
        let key = try RealmFile.key(encryptionKey, fileURL: fileURL)
        core.beginReading()
        try core.store.use { () throws(Realm.Error) in
            let connection = core.store.connection
            let kind = kind(try SyncTables(connection).exist())
            if core.transaction.isOpen {
                guard kind != .same || core.store.touchedCells == nil else {
                    throw Error(
                        .invalidInput,
                        "A copy of a realm that keeps its changes is written outside of a write, which is no change before its end."
                    )
                }
                try core.store.keepNextKeys()
            }
            try FileCopy(source: connection, key: key, clock: clock)
                .write(to: RealmFile.canonicalPath(fileURL), as: kind)
        }
    }
}

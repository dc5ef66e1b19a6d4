public import Foundation

extension Realm {
    /// Opens a file, migrates it if needed and closes it; opening does the same by itself.
    ///
    /// - Throws: ``Error`` with `.alreadyOpen` when the realm is open on this executor; else what opening throws.
    public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
        if let url = configuration.fileURL, FileCoordinator.isOpen(path: RealmFile.canonicalPath(url)) {
            throw Error(
                .alreadyOpen,
                "The realm '\(url.path)' is open and cannot be migrated; close all of its instances first.",
                fileURL: url
            )
        }
        _ = try Realm(configuration: configuration)
    }

    /// Lists what opening a file would change in it, and what it would be refused for, without changing anything.
    ///
    /// - Returns: The differences between the classes of the file and those of the configuration; none when there is no
    ///   file yet.
    /// - Throws: ``Error``: the problems of the classes, or why the file cannot be read.
    public static func pendingSchemaChanges(
        for configuration: Configuration = .defaultConfiguration
    ) throws -> [SchemaChange] {
        let schema = try RealmSchema(configuration.objectTypes)
        guard let url = configuration.fileURL, fileExists(for: configuration) else { return [] }
        return try StoredSchema.reading(url, configuration.encryptionKey) { stored in
            guard try !stored.isNew() else { return [] }
            _ = try stored.schemaVersion()
            return SchemaComparison(try stored.classes(), indexed: try stored.indexedProperties(), schema).changes
        }
    }
}

/// Reads the version of the schema that a realm file has, without changing it.
///
/// - Parameters:
///   - fileURL: The realm file.
///   - encryptionKey: The key of an encrypted file; see ``Realm/Configuration/encryptionKey``.
/// - Returns: The version that ``Realm/Configuration/schemaVersion`` had when the file was made or migrated last.
/// - Throws: ``Realm/Error`` when there is no such file, or it is not a realm.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
    try StoredSchema.reading(fileURL, encryptionKey) { stored in
        guard try !stored.isNew() else {
            throw Realm.Error(.invalidDatabase, "The realm file has no tables.", fileURL: fileURL)
        }
        return try stored.schemaVersion()
    }
}

extension StoredSchema {
    /// Reads what a file says about itself.
    fileprivate static func reading<Result>(
        _ url: URL,
        _ encryptionKey: Data?,
        _ body: (StoredSchema) throws -> Result
    ) throws -> Result {
        let key = try RealmFile.key(encryptionKey, fileURL: url)
        let path = RealmFile.canonicalPath(url)
        let file = FileCoordinator.of(path: path)
        return try file.opening(isReadOnly: true) { _ in
            if !file.hasInstances {
                try RealmFile.prepare(path, key, isReadOnly: true)
            } else if file.key.key != key {
                throw Realm.Error.openWithOtherKey(path)
            }
            let connection = try Connection(
                fileURL: URL(fileURLWithPath: path),
                key: key,
                isReadOnly: true,
                isDurable: true
            )
            return try body(StoredSchema(connection))
        }
    }
}

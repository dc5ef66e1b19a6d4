import EventModel
import Foundation
import PageEncryption

/// Opens the file of a realm: finds out what it is, and brings it to the program's schema.
struct FileOpening {
    let file: FileCoordinator
    let configuration: Realm.Configuration
    let schema: RealmSchema

    /// Returns a connection to a file that has the schema.
    ///
    /// - Throws: ``Realm/Error``, or what the migration block throws; the file is unchanged then.
    func connect() throws -> Connection {
        if !file.isInMemory, !configuration.readOnly { try RealmFile.makeFolder(of: URL(fileURLWithPath: file.path)) }
        return try file.opening(isReadOnly: configuration.readOnly) { isAlone in
            try file.holdKey(of: configuration)
            if isAlone, !configuration.readOnly { FileReplacement.clean(file.path) }
            // To open and close the file while SQLite has it open would give up SQLite's locks.
            if !file.hasInstances { try prepare(isAlone: isAlone) }
            let connection = try connection(isReadOnly: configuration.readOnly)
            if configuration.verifiesFile { try connection.verify() }
            try apply(StoredSchema(connection), isAlone: isAlone)
            if isAlone, !file.isInMemory { try compact(connection) }
            connection.user = FileUser(file)
            return connection
        }
    }

    private func connection(isReadOnly: Bool) throws(Realm.Error) -> Connection {
        try Connection(
            fileURL: URL(fileURLWithPath: file.path),
            key: file.key.key,
            isReadOnly: isReadOnly,
            isDurable: !file.isInMemory
        )
    }

    /// Makes sure that there is a file that can be used, before anything is changed in it.
    private func prepare(isAlone: Bool) throws {
        let key = file.key.key
        if let seed = configuration.seedFilePath, !file.isInMemory {
            try Seed(url: seed, key: key).plant(at: file.path)
        }
        if !file.isInMemory {
            try OriginalOpening(path: file.path, configuration: configuration).settle(isAlone: isAlone)
        }
        try RealmFile.prepare(file.path, key, isReadOnly: configuration.readOnly)
        guard !configuration.readOnly, try RealmFile.lacksLog(file.path, key) else { return }
        let stored = StoredSchema(try connection(isReadOnly: true))
        _ = try Self.transaction("BEGIN", stored.connection) { try isUpToDate(stored) }
    }

    /// Makes the file as small as possible, if the configuration wants that.
    private func compact(_ connection: Connection) throws(Realm.Error) {
        guard let shouldCompact = configuration.shouldCompactOnLaunch else { return }
        let compaction = Compaction(connection: connection)
        let (total, used) = try compaction.sizes()
        guard shouldCompact(total, used) else { return }
        try compaction.run()
        Logger.log(
            .info,
            Category.Storage.all,
            "Compacted '\(file.name)', of whose \(total) bytes \(used) were in use."
        )
    }

    /// Brings the file to the schema in one transaction, which is one for writing only if there is something to do.
    private func apply(_ stored: StoredSchema, isAlone: Bool) throws {
        let isDone = try Self.transaction("BEGIN", stored.connection) { try isUpToDate(stored) }
        guard !isDone else { return }
        try Self.transaction("BEGIN IMMEDIATE", stored.connection) { try update(stored, isAlone: isAlone) }
    }

    private static func transaction<Result>(
        _ begin: String,
        _ connection: Connection,
        _ body: () throws -> Result
    ) throws -> Result {
        try connection.execute(begin)
        do {
            let result = try body()
            try connection.execute("COMMIT")
            return result
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }

    // MARK: Schema

    /// Whether the file has the schema; throws when it has another one that cannot be changed.
    private func isUpToDate(_ stored: StoredSchema) throws(Realm.Error) -> Bool {
        do throws(Realm.Error) {
            return try hasSchema(stored)
        } catch  where error.isStatementError {
            // The statements are ours and name columns of tables that are ours: those of a whole file are there.
            throw .damaged(stored.connection.fileURL, error.details)
        }
    }

    private func hasSchema(_ stored: StoredSchema) throws(Realm.Error) -> Bool {
        guard try !stored.isNew() else {
            guard !configuration.readOnly else {
                throw Realm.Error(.invalidDatabase, "The realm file has no tables.", fileURL: stored.connection.fileURL)
            }
            return false
        }
        if try SyncTables(stored.connection).exist() {
            try requireSyncable()
            return try isGrown(stored)
        }
        try requireNoChangesWanted(stored)
        let (version, comparison) = try compare(stored)
        if configuration.readOnly {
            try stored.requireTables(schema)
            try RowKeyLayout(stored: stored).requireDone()
            return true
        }
        guard version == configuration.schemaVersion, try stored.hasChangeLog(), try stored.hasFormat() else {
            return false
        }
        return comparison.changes.allSatisfy { $0.kind == .classRemoved }
    }

    private func update(_ stored: StoredSchema, isAlone: Bool) throws {
        if try stored.isNew() {
            try stored.create(version: configuration.schemaVersion)
            if configuration.keepsChanges {
                try requireSyncable()
                try SyncTables(stored.connection).create()
            }
            try stored.complete(schema)
            Logger.log(.debug, Category.Storage.all, "Made '\(file.name)' with \(schema.classes.count) classes.")
            return
        }
        if try SyncTables(stored.connection).exist() {
            let growth = try SchemaGrowth(stored, schema)
            try growth.requirePossible()
            try growth.run(version: configuration.schemaVersion)
            return try stored.complete(schema)
        }
        let (version, comparison) = try compare(stored)
        let layout = RowKeyLayout(stored: stored)
        let isOld = try !stored.hasFormat()
        if isOld, try layout.isDue() { try requireAlone(stored, isAlone) }
        if version < configuration.schemaVersion {
            try migrate(stored, from: version, comparison, isAlone: isAlone)
        }
        if isOld || version < configuration.schemaVersion {
            try layout.settle()
            try stored.setFormat()
            try stored.setSchemaVersion(configuration.schemaVersion)
        }
        if isOld { Logger.log(.info, Category.Storage.all, "Converted '\(file.name)' to the newest format.") }
        try stored.complete(schema)
    }

    /// Checks that the configuration wants no changes of a file that keeps none.
    private func requireNoChangesWanted(_ stored: StoredSchema) throws(Realm.Error) {
        guard !configuration.keepsChanges else {
            throw Realm.Error(
                .incompatibleHistories,
                """
                The realm '\(file.path)' was made without keeping its changes, so that a server could not know what it holds; write a copy \
                that does, with 'writeCopy(configuration:)' and a configuration whose 'keepsChanges' is true.
                """,
                fileURL: stored.connection.fileURL
            )
        }
    }

    /// Checks that nobody has a file open whose rows get other keys.
    private func requireAlone(_ stored: StoredSchema, _ isAlone: Bool) throws(Realm.Error) {
        guard !isAlone, !file.becomeAlone() else { return }
        throw Realm.Error(
            .alreadyOpen,
            """
            The realm '\(file.path)' was written by an earlier version of Daybook and is open, here or in another process; close it \
            there before it is converted.
            """,
            fileURL: stored.connection.fileURL
        )
    }

    /// Returns the version of the file and what differs, after checking that this configuration may change it.
    private func compare(_ stored: StoredSchema) throws(Realm.Error) -> (UInt64, SchemaComparison) {
        let version = try stored.schemaVersion()
        guard configuration.schemaVersion >= version else {
            throw Realm.Error(
                .schemaMismatch,
                "The realm file has schema version \(version), the configuration only \(configuration.schemaVersion).",
                fileURL: stored.connection.fileURL
            )
        }
        let comparison = SchemaComparison(try stored.classes(), indexed: try stored.indexedProperties(), schema)
        let mayMigrate =
            version < configuration.schemaVersion && !configuration.readOnly
            && !configuration.deleteRealmIfMigrationNeeded
        let differences = comparison.migrations.map(\.description)
        guard mayMigrate || differences.isEmpty else {
            throw Realm.Error(
                .schemaMismatch,
                """
                The realm file has another schema than the program; raise 'schemaVersion' above \(version) to migrate it:
                \(differences.joined(separator: "\n"))
                """,
                fileURL: stored.connection.fileURL,
                details: differences
            )
        }
        return (version, comparison)
    }

    private func migrate(
        _ stored: StoredSchema,
        from version: UInt64,
        _ comparison: SchemaComparison,
        isAlone: Bool
    ) throws {
        guard !configuration.deleteRealmIfMigrationNeeded else { return }
        guard !comparison.migrations.isEmpty || configuration.migrationBlock != nil else { return }
        let disturbing = comparison.changes.filter { !$0.isAdditive }.map(\.description)
        guard isAlone || disturbing.isEmpty || file.becomeAlone() else {
            throw Realm.Error(
                .alreadyOpen,
                """
                The realm '\(file.path)' is open, here or in another process, with classes of schema version \(version); \
                close it there before it is migrated:
                \(disturbing.joined(separator: "\n"))
                """,
                fileURL: stored.connection.fileURL,
                details: disturbing
            )
        }
        let migration = SchemaMigration(
            stored: stored,
            configuration: configuration,
            schema: schema,
            old: try stored.classes(),
            oldVersion: version
        )
        try migration.run()
        Logger.log(
            .info,
            Category.Storage.all,
            "Migrated '\(file.name)' from schema version \(version) to \(configuration.schemaVersion)."
        )
    }
}

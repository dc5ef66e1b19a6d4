import ObjectQueries

/// The table of a realm file that says for each of the newest versions what its transaction touched.
///
/// An instance that moves to a newer version reads what happened in between from here, whichever thread or process did
/// it: no version has to stay pinned for it. Older rows than ``versionCount`` are removed now and then; an instance that
/// comes from further back learns that anything may have changed.
struct ChangeLog {
    /// How many versions are kept at least.
    static let versionCount: UInt64 = 256
    /// Removing rows costs a page, so that it is done only once for this many versions.
    private static let trimInterval: UInt64 = 64
    /// The name of the table.
    static let table = "\"$changes\""
    /// Creates the table where it is missing.
    static let creation = "CREATE TABLE IF NOT EXISTS \(table) (version INTEGER PRIMARY KEY, payload BLOB NOT NULL)"

    /// Asks for the newest version: that of the latest transaction, or of the last change of the schema.
    ///
    /// A transaction writes its version only into the log, which it has to write anyway: a page less to make durable.
    static let newestVersion = """
        SELECT max(version, coalesce((SELECT max(version) FROM \(table)), 0)) FROM \(StoredSchema.realmTable)
        """

    private let select: Statement
    private let insert: Statement?
    private let trim: Statement?

    /// Prepares the statements.
    ///
    /// - Returns: nil for a file without the table, which an older program made and nobody wrote to since.
    init?(_ connection: Connection, isReadOnly: Bool) throws(Realm.Error) {
        let exists = try connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '$changes'")
        guard try exists.step() else { return nil }
        exists.reset()
        select = try connection.prepare(
            "SELECT version, payload FROM \(Self.table) WHERE version > ?1 AND version <= ?2 ORDER BY version"
        )
        insert = isReadOnly ? nil : try connection.prepare("INSERT OR REPLACE INTO \(Self.table) VALUES (?1, ?2)")
        trim = isReadOnly ? nil : try connection.prepare("DELETE FROM \(Self.table) WHERE version <= ?1")
    }

    /// Writes what the open transaction touched, under the version that it makes.
    ///
    /// - Parameters:
    ///   - tables: The classes that the instance manages.
    ///   - unmanaged: What was touched of other classes, by their names.
    ///   - version: The version.
    /// - Throws: A `Realm.Error` when the file cannot be changed.
    func append(
        _ tables: [ClassTable],
        unmanaged: [String: TouchedRows],
        version: UInt64
    ) throws(Realm.Error) {
        guard let insert, let trim else { return }
        var changes: [(name: String, signature: UInt32, changes: LoggedClass)] = []
        for table in tables {
            let logged = table.loggedChanges()
            if !logged.isEmpty { changes.append((table.schema.name, table.signature, logged)) }
        }
        for (name, touched) in unmanaged.sorted(by: { $0.key < $1.key }) {
            var touched = touched
            touched.normalize()
            let logged = LoggedClass(
                modified: touched.modified,
                hasDeletions: touched.hasDeletions,
                isOverrun: touched.isOverrun
            )
            // No property is named, so that it does not matter in which order a program has them.
            changes.append((name, 0, logged))
        }
        insert.bind(1, Int64(bitPattern: version))
        ChangePayload.bytes(changes).withUnsafeBytes { bindBytes($0, insert.handle, 2) }
        try insert.run()
        if version.isMultiple(of: Self.trimInterval), version > Self.versionCount {
            trim.bind(1, Int64(bitPattern: version - Self.versionCount))
            try trim.run()
        }
    }

    /// Reads what happened after one version, up to and including another.
    ///
    /// - Parameters:
    ///   - old: The version that is known.
    ///   - new: The version that was reached.
    ///   - signature: Returns the number of a class as this program knows it; nil for an unknown class.
    /// - Returns: The changes; unknown when the log does not go back as far.
    /// - Throws: A `Realm.Error` when the log cannot be read.
    func changes(
        after old: UInt64,
        upTo new: UInt64,
        signature: (String) -> UInt32?
    ) throws(Realm.Error) -> LoggedChanges {
        guard new > old, new - old <= Self.versionCount + Self.trimInterval else { return .unknown }
        select.bind(1, Int64(bitPattern: old))
        select.bind(2, Int64(bitPattern: new))
        defer { select.reset() }
        var all = LoggedChanges()
        var next = old
        while try select.step() {
            next += 1
            guard UInt64(bitPattern: select.int(0)) == next,
                let changes = ChangePayload.changes(select.bytes(1), signature: signature)
            else { return .unknown }
            all.formUnion(changes)
        }
        return next == new ? all : .unknown
    }
}

extension ClassTable {
    /// What the open transaction did to the class so far.
    func loggedChanges() -> LoggedClass {
        touched.normalize()
        return LoggedClass(
            inserted: newRows.runs,
            modified: touched.modified,
            hasDeletions: touched.hasDeletions,
            isOverrun: touched.isOverrun
        )
    }
}

extension ClassSchema {
    /// A number that changes with the names and the order of the properties: FNV-1a over the stored names.
    var changeSignature: UInt32 {
        var hash: UInt32 = 2_166_136_261
        for property in properties {
            for byte in property.columnName.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
            hash = (hash ^ 0xFF) &* 16_777_619
        }
        return hash
    }
}

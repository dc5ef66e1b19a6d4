import EventModel
import ObjectQueries

/// The description of the classes inside a file: written when a class is first used, compared at every opening.
struct StoredSchema {
    /// The table of the file's own row: format, version of the schema, version of the contents.
    static let realmTable = "\"$realm\""
    private static let classTable = "\"$class\""
    private static let propertyTable = "\"$property\""
    /// The layout of tables that this code writes.
    static let format: Int64 = 1

    /// Brings an open file to the program's schema, in one transaction.
    ///
    /// - Throws: ``Realm/Error`` with `.schemaMismatch` and every difference, or
    ///   `.unsupportedFileFormatVersion`; the file is unchanged then.
    static func apply(
        _ schema: RealmSchema,
        version: UInt64,
        to connection: Connection,
        isReadOnly: Bool
    ) throws(Realm.Error) {
        try connection.execute(isReadOnly ? "BEGIN" : "BEGIN IMMEDIATE")
        do throws(Realm.Error) {
            let stored = StoredSchema(connection)
            try stored.apply(schema, version: version, isReadOnly: isReadOnly)
            try connection.execute("COMMIT")
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }

    private let connection: Connection

    private init(_ connection: Connection) { self.connection = connection }

    private func apply(_ schema: RealmSchema, version: UInt64, isReadOnly: Bool) throws(Realm.Error) {
        let isNew = try number("SELECT count(*) FROM sqlite_master WHERE name = '$realm'") == 0
        if isNew {
            guard !isReadOnly else {
                throw Realm.Error(.invalidDatabase, "The realm file has no tables.", fileURL: connection.fileURL)
            }
            try create(version: version)
        }
        let format = try number("SELECT format FROM \(Self.realmTable)")
        guard format <= Self.format else {
            throw Realm.Error(
                .unsupportedFileFormatVersion,
                "The realm file has format \(format), this library reads up to \(Self.format).",
                fileURL: connection.fileURL
            )
        }
        let storedVersion = UInt64(bitPattern: try number("SELECT schema FROM \(Self.realmTable)"))
        guard version >= storedVersion else {
            throw Realm.Error(
                .schemaMismatch,
                "The realm file has schema version \(storedVersion), the configuration only \(version).",
                fileURL: connection.fileURL
            )
        }
        let differences = try differences(schema)
        guard differences.isEmpty else {
            throw Realm.Error(
                .schemaMismatch,
                "The realm file has another schema than the program:\n\(differences.joined(separator: "\n"))",
                fileURL: connection.fileURL,
                details: differences
            )
        }
        guard !isReadOnly else { return try requireTables(schema) }
        if version > storedVersion {
            try connection.execute("UPDATE \(Self.realmTable) SET schema = \(Int64(bitPattern: version))")
        }
        try connection.execute(ChangeLog.creation)
        for schema in schema.classes {
            try createIfNeeded(schema)
            try updateIndexes(schema)
        }
    }

    private func create(version: UInt64) throws(Realm.Error) {
        try connection.execute(
            """
            PRAGMA application_id = \(RealmFile.applicationID);
            CREATE TABLE \(Self.realmTable) (format INTEGER NOT NULL, schema INTEGER NOT NULL, version INTEGER NOT NULL);
            INSERT INTO \(Self.realmTable) VALUES (\(Self.format), \(Int64(bitPattern: version)), 1);
            CREATE TABLE \(Self.classTable) (name TEXT PRIMARY KEY, embedded INTEGER NOT NULL, next INTEGER NOT NULL);
            CREATE TABLE \(Self.propertyTable) (
                class TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, PRIMARY KEY (class, name)
            );
            """
        )
    }

    // MARK: Comparing

    /// Returns every difference between stored and given classes, as sentences.
    private func differences(_ schema: RealmSchema) throws(Realm.Error) -> [String] {
        let classes = try connection.prepare("SELECT embedded FROM \(Self.classTable) WHERE name = ?1")
        let properties = try connection.prepare("SELECT name, type FROM \(Self.propertyTable) WHERE class = ?1")
        var differences: [String] = []
        for schema in schema.classes {
            classes.bind(1, schema.name)
            guard try classes.step() else { continue }
            if (classes.int(0) != 0) != schema.isEmbedded {
                let now = schema.isEmbedded ? "embedded and was not" : "not embedded and was"
                differences.append("The class '\(schema.name)' is \(now).")
            }
            classes.reset()
            var stored: [String: String] = [:]
            properties.bind(1, schema.name)
            while try properties.step() { stored[properties.text(0)] = properties.text(1) }
            for property in schema.properties {
                let type = Self.text(of: property)
                let old = stored.removeValue(forKey: property.columnName)
                if let old, old != type {
                    differences.append(
                        "The property '\(schema.name).\(property.columnName)' is \(type) and was \(old)."
                    )
                } else if old == nil {
                    differences.append("The property '\(schema.name).\(property.columnName)' was added.")
                }
            }
            differences += stored.keys.sorted().map { "The property '\(schema.name).\($0)' was removed." }
        }
        return differences
    }

    private func requireTables(_ schema: RealmSchema) throws(Realm.Error) {
        for schema in schema.classes {
            let known = try connection.prepare("SELECT 1 FROM \(Self.classTable) WHERE name = ?1")
            known.bind(1, schema.name)
            guard try known.step() else {
                throw Realm.Error(
                    .schemaMismatch,
                    "The realm file has no class '\(schema.name)' and is opened read-only.",
                    fileURL: connection.fileURL,
                    details: ["The class '\(schema.name)' was added."]
                )
            }
            known.reset()
        }
    }

    private static func text(of property: PersistedProperty) -> String {
        property.type.text + (property.isPrimaryKey ? ", primary key" : "")
    }

    // MARK: Creating tables

    private func createIfNeeded(_ schema: ClassSchema) throws(Realm.Error) {
        let insert = try connection.prepare("INSERT OR IGNORE INTO \(Self.classTable) VALUES (?1, ?2, 1)")
        insert.bind(1, schema.name)
        insert.bind(2, schema.isEmbedded ? 1 : 0)
        try insert.run()
        guard connection.changes == 1 else { return }
        let table = StorageNames.table(schema.name)
        var columns = ["\(StorageNames.key) INTEGER PRIMARY KEY"]
        for property in schema.properties {
            let describe = try connection.prepare("INSERT INTO \(Self.propertyTable) VALUES (?1, ?2, ?3)")
            describe.bind(1, schema.name)
            describe.bind(2, property.columnName)
            describe.bind(3, Self.text(of: property))
            try describe.run()
            guard property.isColumn else { continue }
            columns.append("\(StorageNames.quoted(property.columnName)) \(Self.sqlType(property.type.kind))")
        }
        try connection.execute("CREATE TABLE \(table) (\(columns.joined(separator: ", ")))")
        for property in schema.properties where !property.isColumn {
            try createCollection(schema, property)
        }
        for property in schema.properties where property.isColumn && property.type.kind == .link {
            // Deleting an object finds the links to it by this index.
            try createIndex(schema, property, "link", "WHERE \(StorageNames.quoted(property.columnName)) IS NOT NULL")
        }
    }

    private func createCollection(_ schema: ClassSchema, _ property: PersistedProperty) throws(Realm.Error) {
        let shape = schema.shape.properties[property.slot]
        let table = StorageNames.table(schema.name, shape)
        let (isMap, isAny) = (property.type.collection == .dictionary, property.type.kind == .any)
        let label = StorageNames.label(shape)
        var columns = ["\(StorageNames.value) \(Self.sqlType(property.type.kind))"]
        if isAny { columns.append("\(StorageNames.valueType) INTEGER") }
        try connection.execute(
            """
            CREATE TABLE \(table) (
                \(StorageNames.owner) INTEGER NOT NULL, \(label) \(isMap ? "TEXT" : "INTEGER") NOT NULL,
                \(columns.joined(separator: ", ")),
                PRIMARY KEY (\(StorageNames.owner), \(label))
            ) WITHOUT ROWID
            """
        )
        if property.type.collection == .set {
            let index = StorageNames.quoted("\(schema.name).\(property.columnName)$element")
            let values = isAny ? "\(StorageNames.value), \(StorageNames.valueType)" : StorageNames.value
            try connection.execute("CREATE UNIQUE INDEX \(index) ON \(table) (\(StorageNames.owner), \(values))")
        }
        guard property.type.target != nil else { return }
        let index = StorageNames.quoted("\(schema.name).\(property.columnName)$link")
        try connection.execute("CREATE INDEX \(index) ON \(table) (\(StorageNames.value))")
    }

    /// Adds and removes the indexes that declarations ask for.
    private func updateIndexes(_ schema: ClassSchema) throws(Realm.Error) {
        for property in schema.properties where property.isColumn {
            let name = StorageNames.quoted("\(schema.name).\(property.columnName)$index")
            if property.isPrimaryKey {
                try createIndex(schema, property, "key", unique: true)
            } else if property.options.contains(.indexed) {
                try createIndex(schema, property, "index")
            } else {
                try connection.execute("DROP INDEX IF EXISTS \(name)")
            }
        }
    }

    private func createIndex(
        _ schema: ClassSchema,
        _ property: PersistedProperty,
        _ purpose: String,
        unique: Bool = false,
        _ condition: String = ""
    ) throws(Realm.Error) {
        let name = StorageNames.quoted("\(schema.name).\(property.columnName)$\(purpose)")
        let column = StorageNames.quoted(property.columnName)
        try connection.execute(
            """
            CREATE \(unique ? "UNIQUE " : "")INDEX IF NOT EXISTS \(name) \
            ON \(StorageNames.table(schema.name)) (\(column)) \(condition)
            """
        )
    }

    private static func sqlType(_ kind: PropertyShape.Kind) -> String {
        switch kind {
        case .int, .bool, .link, .embedded: "INTEGER"
        case .float, .double, .date: "REAL"
        case .string: "TEXT"
        case .data, .objectId, .uuid, .decimal128, .any: "BLOB"
        }
    }

    private func number(_ sql: String) throws(Realm.Error) -> Int64 {
        let statement = try connection.prepare(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : 0
    }

    // MARK: Row keys

    /// Reads the next row key of a class.
    static func nextKey(_ table: ClassTable) throws(Realm.Error) -> Int64 {
        let statement = try table.statement("SELECT next FROM \(classTable) WHERE name = ?1")
        statement.bind(1, table.schema.name)
        guard try statement.step() else {
            throw Realm.Error(.invalidDatabase, "The realm file does not know the class '\(table.schema.name)'.")
        }
        defer { statement.reset() }
        return statement.int(0)
    }

    /// Keeps the next row key of a class, so that keys of deleted rows are never given again.
    static func setNextKey(_ key: Int64, _ table: ClassTable) throws(Realm.Error) {
        let statement = try table.statement("UPDATE \(classTable) SET next = ?2 WHERE name = ?1")
        statement.bind(1, table.schema.name)
        statement.bind(2, key)
        try statement.run()
    }
}

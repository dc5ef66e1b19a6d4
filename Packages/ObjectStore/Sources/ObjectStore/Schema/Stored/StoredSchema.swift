import EventModel
import ObjectQueries

/// The description of the classes inside a file: written when a class is first used, compared at every opening.
struct StoredSchema {
    /// The table of the file's own row: format, version of the schema, version of the contents.
    static let realmTable = "\"$realm\""
    static let classTable = "\"$class\""
    static let propertyTable = "\"$property\""
    /// The layout of tables that this code writes.
    ///
    /// In a file of format 1 every primary key has a column, see ``RowKeyLayout``.
    static let format: Int64 = 2
    /// The layout of a file that keeps its changes, see ``SyncTables``: who did not know of these would lose some.
    static let syncedFormat: Int64 = 3

    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Whether the file has no tables of ours yet.
    func isNew() throws(Realm.Error) -> Bool {
        try number("SELECT count(*) FROM sqlite_master WHERE name = '$realm'") == 0
    }

    /// Whether the file has the table that says what each transaction touched.
    func hasChangeLog() throws(Realm.Error) -> Bool {
        try number("SELECT count(*) FROM sqlite_master WHERE name = '$changes'") > 0
    }

    /// The version of the schema.
    ///
    /// - Throws: ``Realm/Error`` with `.unsupportedFileFormatVersion` when a newer library wrote the file.
    func schemaVersion() throws(Realm.Error) -> UInt64 {
        let format = try currentFormat()
        guard format > 0 else {
            throw Realm.Error(
                .invalidDatabase,
                "The realm file is damaged: it does not say which format it has.",
                fileURL: connection.fileURL
            )
        }
        guard format <= Self.syncedFormat else {
            throw Realm.Error(
                .unsupportedFileFormatVersion,
                "The realm file has format \(format), this library reads up to \(Self.syncedFormat).",
                fileURL: connection.fileURL
            )
        }
        return UInt64(bitPattern: try number("SELECT schema FROM \(Self.realmTable)"))
    }

    /// The layout of the tables.
    func currentFormat() throws(Realm.Error) -> Int64 { try number("SELECT format FROM \(Self.realmTable)") }

    /// Whether the tables have the layout that this code writes.
    func hasFormat() throws(Realm.Error) -> Bool { try currentFormat() >= Self.format }

    /// Notes that the tables have the layout that this code writes.
    func setFormat() throws(Realm.Error) {
        try connection.execute("UPDATE \(Self.realmTable) SET format = \(Self.format)")
    }

    /// Keeps another version of the schema; the contents get a new one too, so that all instances read them again.
    func setSchemaVersion(_ version: UInt64) throws(Realm.Error) {
        try connection.execute(
            """
            \(ChangeLog.creation);
            UPDATE \(Self.realmTable) \
            SET schema = \(Int64(bitPattern: version)), version = 1 + (\(ChangeLog.newestVersion))
            """
        )
    }

    /// Creates what the file does not have of the classes, and the indexes that they ask for.
    func complete(_ schema: RealmSchema) throws(Realm.Error) {
        try connection.execute(ChangeLog.creation)
        if schema.hasAny { try NestedCollections.createTables(connection) }
        if !schema.asymmetric.isEmpty { try connection.execute(Outbox.creation) }
        for schema in schema.classes {
            try createIfNeeded(schema)
            try updateIndexes(schema)
        }
    }

    /// Writes the tables of a new file.
    func create(version: UInt64) throws(Realm.Error) {
        try connection.execute(
            """
            PRAGMA application_id = \(RealmFile.applicationID);
            CREATE TABLE \(Self.realmTable) (format INTEGER NOT NULL, schema INTEGER NOT NULL, version INTEGER NOT NULL);
            INSERT INTO \(Self.realmTable) VALUES (\(Self.format), \(Int64(bitPattern: version)), 1);
            CREATE TABLE \(Self.classTable) (name TEXT PRIMARY KEY, embedded INTEGER NOT NULL, next INTEGER NOT NULL);
            CREATE TABLE \(Self.propertyTable) (
                class TEXT NOT NULL, name TEXT NOT NULL, kind INTEGER NOT NULL, collection INTEGER NOT NULL,
                optional INTEGER NOT NULL, target TEXT, key INTEGER NOT NULL, PRIMARY KEY (class, name)
            );
            """
        )
    }

    /// Checks that the file has all classes, for an instance that cannot create them.
    func requireTables(_ schema: RealmSchema) throws(Realm.Error) {
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

    // MARK: Creating tables

    func createIfNeeded(_ schema: ClassSchema) throws(Realm.Error) {
        let insert = try connection.prepare("INSERT OR IGNORE INTO \(Self.classTable) VALUES (?1, ?2, 1)")
        insert.bind(1, schema.name)
        insert.bind(2, schema.isEmbedded ? 1 : 0)
        try insert.run()
        guard connection.changes == 1 else { return }
        try describe(StoredClass(schema))
        let table = StorageNames.table(schema.name)
        // A program that does not declare a property inserts rows of a file that keeps its changes, too.
        let hasDefaults = try SyncTables(connection).exist()
        var columns = ["\(StorageNames.key) INTEGER PRIMARY KEY"]
        for property in schema.properties {
            guard property.isColumn, property.slot != schema.rowKeySlot else { continue }
            columns += self.columns(of: property, hasDefault: hasDefaults)
        }
        try connection.execute("CREATE TABLE \(table) (\(columns.joined(separator: ", ")))")
        for property in schema.properties where !property.isColumn {
            try createCollection(schema, property)
        }
        try createLinkIndexes(schema)
    }

    /// Deleting an object finds the links to it by these.
    func createLinkIndexes(_ schema: ClassSchema) throws(Realm.Error) {
        for property in schema.properties where property.isColumn && property.type.kind == .link {
            let column = StorageNames.quoted(property.columnName)
            try createIndex(schema, property, "link", condition: "WHERE \(column) IS NOT NULL")
        }
        for property in schema.properties where property.isColumn && property.type.kind == .any {
            let type = StorageNames.typeColumn(schema.shape.properties[property.slot])
            try createIndex(schema, property, "link", condition: "WHERE \(type) = \(AnyCell.linkTag)")
        }
    }

    /// The definitions of a property's columns; with a default for rows that others insert without knowing of them.
    func columns(of property: PersistedProperty, hasDefault: Bool = false) -> [String] {
        let kind = property.type.kind
        let zero = hasDefault && !property.type.isOptional ? " DEFAULT \(Self.zero(kind))" : ""
        let column = "\(StorageNames.quoted(property.columnName)) \(Self.sqlType(kind))\(zero)"
        // A value of any type has a second column for its type.
        return kind == .any ? [column, "\(StorageNames.quoted("\(property.columnName)$type")) INTEGER"] : [column]
    }

    /// Writes down what a class that was migrated is now, with its indexes.
    func redescribe(_ schema: ClassSchema) throws(Realm.Error) {
        try describe(StoredClass(schema))
        let update = try connection.prepare("UPDATE \(Self.classTable) SET embedded = ?2 WHERE name = ?1")
        update.bind(1, schema.name)
        update.bind(2, schema.isEmbedded ? 1 : 0)
        try update.run()
        try createLinkIndexes(schema)
        try requireUniqueKeys(schema)
    }

    /// Checks that no two objects have the same primary key.
    private func requireUniqueKeys(_ schema: ClassSchema) throws(Realm.Error) {
        guard let slot = schema.primaryKeySlot, slot != schema.rowKeySlot else { return }
        let key = schema.properties[slot]
        let duplicate = Realm.Error.sameKeys("\(schema.name).\(key.name)", connection.fileURL)
        do throws(Realm.Error) {
            try createIndex(schema, key, "key", unique: true)
        } catch  where error.isUniqueViolation {
            throw duplicate
        }
        let column = StorageNames.quoted(key.columnName)
        // A unique index lets null come more than once.
        guard try number("SELECT count(*) FROM \(StorageNames.table(schema.name)) WHERE \(column) IS NULL") < 2 else {
            throw duplicate
        }
    }

    func createCollection(_ schema: ClassSchema, _ property: PersistedProperty) throws(Realm.Error) {
        let shape = schema.shape.properties[property.slot]
        let table = StorageNames.table(schema.name, shape)
        let (isMap, isAny) = (property.type.collection == .dictionary, property.type.kind == .any)
        let label = StorageNames.label(shape)
        let keepsChanges = try SyncTables(connection).exist()
        let hasNames = property.type.collection == .list && keepsChanges
        var columns = ["\(StorageNames.value) \(Self.sqlType(property.type.kind))"]
        if isAny { columns.append("\(StorageNames.valueType) INTEGER") }
        if hasNames { columns.append("\(StorageNames.element) INTEGER NOT NULL") }
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
        let name = "\(schema.name).\(property.columnName)"
        if hasNames { try SyncTables.createElementIndex(of: table, named: name, connection) }
        guard property.type.target != nil || isAny else { return }
        let index = StorageNames.quoted("\(name)$link")
        let condition = isAny ? " WHERE \(StorageNames.valueType) = \(AnyCell.linkTag)" : ""
        try connection.execute("CREATE INDEX \(index) ON \(table) (\(StorageNames.value))\(condition)")
    }

    /// Adds and removes the indexes that declarations ask for.
    private func updateIndexes(_ schema: ClassSchema) throws(Realm.Error) {
        for property in schema.properties where property.isColumn && property.slot != schema.rowKeySlot {
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
        condition: String = ""
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

    /// The value in SQL that a type has by default, the same for all objects.
    static func zero(_ kind: PropertyShape.Kind) -> String {
        switch kind {
        case .int, .bool: "0"
        case .float, .double, .date: "0.0"
        case .string: "''"
        case .data: "x''"
        case .objectId: "x'\(String(repeating: "00", count: 12))'"
        case .uuid: "x'\(String(repeating: "00", count: 16))'"
        case .decimal128: "x'\(Decimal128().storedHexadecimal)'"
        case .any, .link, .embedded: "NULL"
        }
    }

    private static func sqlType(_ kind: PropertyShape.Kind) -> String {
        switch kind {
        case .int, .bool, .link, .embedded: "INTEGER"
        case .string: "TEXT"
        // SQLite would store a whole number in a REAL column as an integer, which has no negative zero.
        case .float, .double, .date: "BLOB"
        case .data, .objectId, .uuid, .decimal128, .any: "BLOB"
        }
    }

    private func number(_ sql: String) throws(Realm.Error) -> Int64 {
        let statement = try connection.prepare(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : 0
    }

    // MARK: Row keys

    /// Reads the next row key of a class: above all that it has, and above those that were deleted; greatest when there is none.
    static func nextKey(_ table: ClassTable) throws(Realm.Error) -> Int64 {
        let statement = try table.statement(
            """
            SELECT next, coalesce((SELECT max(\(StorageNames.key)) FROM \(StorageNames.table(table.schema.name))), 0) \
            FROM \(classTable) WHERE name = ?1
            """
        )
        statement.bind(1, table.schema.name)
        guard try statement.step() else {
            throw Realm.Error(.invalidDatabase, "The realm file does not know the class '\(table.schema.name)'.")
        }
        defer { statement.reset() }
        let greatest = statement.int(1)
        return max(statement.int(0), greatest == .max ? .max : greatest + 1)
    }

    /// Keeps the next row key of a class of which rows were deleted, so that their keys are never given again.
    static func setNextKey(_ key: Int64, _ table: ClassTable) throws(Realm.Error) {
        let statement = try table.statement("UPDATE \(classTable) SET next = ?2 WHERE name = ?1")
        statement.bind(1, table.schema.name)
        statement.bind(2, key)
        try statement.run()
    }
}

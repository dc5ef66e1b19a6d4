import EventModel
import Foundation
import ObjectQueries

/// Brings the contents of a file from one schema to another, inside of a transaction that its caller commits.
struct SchemaMigration {
    let stored: StoredSchema
    let configuration: Realm.Configuration
    let schema: RealmSchema
    /// The classes of the file before.
    let old: [String: StoredClass]
    let oldVersion: UInt64

    private var connection: Connection { stored.connection }

    /// Changes the tables, runs the block and checks what it left.
    ///
    /// - Throws: What the block throws, else ``Realm/Error``: the first data error of the block, or a rule that the
    ///   objects break now. The caller rolls back.
    func run() throws {
        let tables = MigratedTables(stored: stored)
        if schema.hasAny { try NestedCollections.createTables(connection) }
        for schema in schema.classes {
            guard let before = old[schema.name] else {
                try stored.createIfNeeded(schema)
                continue
            }
            try keepKeyColumn(before, schema)
            try tables.change(before, to: schema)
            try fillDefaults(before, schema, tables)
        }
        let deleted = try transform(tables)
        for schema in schema.classes {
            guard let before = old[schema.name] else { continue }
            try tables.dropRest(of: before)
            try stored.redescribe(schema)
        }
        for name in deleted.sorted() where !schema.classes.contains(where: { $0.name == name }) {
            if let before = old[name] { try tables.drop(before) }
        }
    }

    /// Gives a primary key a column again that was the row key and is not any more.
    private func keepKeyColumn(_ before: StoredClass, _ schema: ClassSchema) throws(Realm.Error) {
        guard let key = before.rowKey, StoredClass(schema).rowKey?.name != key.name else { return }
        try RowKeyLayout(stored: stored).separate(key.name, of: before.name)
    }

    private func fillDefaults(
        _ before: StoredClass,
        _ schema: ClassSchema,
        _ tables: MigratedTables
    ) throws(Realm.Error) {
        let defaults = PropertyDefaults(connection: connection, schema: schema)
        try defaults.fill(added: schema.properties.filter { tables.isNew($0, before, schema) })
        for property in schema.properties where property.type.target == nil && !property.type.isOptional {
            guard !tables.isNew(property, before, schema),
                before.property(named: property.columnName)?.isOptional ?? false
            else { continue }
            try defaults.replaceNulls(of: property)
        }
    }

    // MARK: The block

    /// Runs the block over both sides, and lets classes become embedded.
    ///
    /// - Returns: The classes whose data the block deleted.
    private func transform(_ tables: MigratedTables) throws -> Set<String> {
        let file = FileCoordinator.unshared(path: connection.fileURL.path, connection.key)
        let new = try RealmCore(
            file: file,
            configuration: configuration,
            schema: schema,
            confinement: .current,
            connection: connection
        )
        try new.separateKeys(as: stored)
        try new.beginMigration()
        defer { new.endMigration() }
        var deleted: Set<String> = []
        if let block = configuration.migrationBlock {
            let before = try oldSide(file)
            defer { before.invalidate() }
            let migration = Migration(
                old: before,
                new: new,
                rename: PropertyRenaming(tables: tables, old: old)
            )
            try block(migration, oldVersion)
            deleted = migration.deletedTypes
        }
        if let error = new.transaction.open?.firstError { throw error }
        for name in deleted.sorted() where new.store.table(named: name) == nil && old[name] != nil {
            try ObjectDeletion(new).deleteAll(unmanaged: name)
        }
        try settleEmbedded(new, tables)
        try new.store.keepNextKeys()
        return deleted
    }

    /// Lets classes become embedded, and deletes the embedded objects of properties that are no more.
    private func settleEmbedded(_ new: RealmCore, _ tables: MigratedTables) throws(Realm.Error) {
        let rows = EmbeddedRows(realm: new)
        var left: Set<String> = []
        for schema in schema.classes {
            guard let before = old[schema.name] else { continue }
            if schema.isEmbedded, !before.isEmbedded {
                try rows.requireOneParent(try new.table(schema.type))
                left.insert(schema.name)
            }
            left.formUnion(tables.putAside(before, schema).compactMap(\.target))
        }
        for name in left.sorted() where old[name] != nil {
            let isEmbedded = schema.classes.first { $0.name == name }?.isEmbedded ?? old[name]?.isEmbedded
            if isEmbedded ?? false { try rows.deleteOrphans(of: name) }
        }
    }

    /// A second connection, which still sees the contents before the transaction.
    private func oldSide(_ file: FileCoordinator) throws(Realm.Error) -> RealmCore {
        var configuration = configuration
        configuration.readOnly = true
        let connection = try Connection(
            fileURL: connection.fileURL,
            key: connection.key,
            isReadOnly: true,
            isDurable: true
        )
        let classes = try ClassSchema.dynamic(
            old.values.sorted { $0.name < $1.name },
            declared: schema.classes
        )
        let side = try RealmCore(
            file: file,
            configuration: configuration,
            schema: RealmSchema(checked: classes),
            confinement: .current,
            connection: connection
        )
        try side.separateKeys(as: StoredSchema(connection))
        return side
    }
}

extension RealmCore {
    /// Takes part in a transaction that the opening of the file began.
    func beginMigration() throws(Realm.Error) {
        transaction.begin(isMigration: true)
        try store.joinMigration()
    }

    /// Forgets the transaction, which the opening of the file ends; every object becomes invalid.
    func endMigration() {
        transaction.end()
        store.leaveMigration()
        invalidate()
    }
}

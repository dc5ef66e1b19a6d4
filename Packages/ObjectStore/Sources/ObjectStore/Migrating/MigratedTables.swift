import EventModel
import ObjectQueries

/// Changes the tables of classes from an old description to a new one, inside of a transaction.
///
/// What the new schema does not have is kept aside under another name until the end, so that it can be renamed. Columns
/// are added without touching the rows; dropping one rewrites the table once.
struct MigratedTables {
    let stored: StoredSchema

    private var connection: Connection { stored.connection }
    private var nested: MigratedNestedCollections { MigratedNestedCollections(connection: connection) }

    /// The name that a column or a collection has until the migration ends.
    private static func aside(_ name: String) -> String { "\(name)$old" }

    // MARK: Before the block

    /// Gives a table the columns and collections that the new description asks for.
    func change(_ old: StoredClass, to schema: ClassSchema) throws(Realm.Error) {
        for before in old.properties {
            if let after = Self.kept(before, schema) {
                // The key decides at the end, when all objects have theirs.
                if before.isPrimaryKey != after.isPrimaryKey { try dropIndexes(schema.name, before.name) }
                if before.kind != after.kind { try dropIndexes(schema.name, before.name) }
            } else {
                try putAside(before, schema.name)
            }
        }
        for property in schema.properties where isNew(property, old, schema) {
            if property.isColumn {
                for definition in stored.columns(of: property, hasDefault: true) {
                    try connection.execute(
                        "ALTER TABLE \(StorageNames.table(schema.name)) ADD COLUMN \(definition)"
                    )
                }
            } else {
                try stored.createCollection(schema, property)
            }
        }
    }

    /// The properties of a class that the new description does not have, or has as another type.
    func putAside(_ old: StoredClass, _ schema: ClassSchema) -> [StoredProperty] {
        old.properties.filter { Self.kept($0, schema) == nil }
    }

    /// What a property is in the new description; nil when its values do not stay.
    private static func kept(_ before: StoredProperty, _ schema: ClassSchema) -> StoredProperty? {
        schema.properties.first { $0.columnName == before.name }
            .map { StoredProperty($0, schema.shape.properties[$0.slot]) }
            .flatMap { $0.hasSameType(as: before) ? $0 : nil }
    }

    /// Whether the table gets a new column or collection for a property.
    func isNew(_ property: PersistedProperty, _ old: StoredClass, _ schema: ClassSchema) -> Bool {
        let after = StoredProperty(property, schema.shape.properties[property.slot])
        return old.property(named: property.columnName).map { !$0.hasSameType(as: after) } ?? true
    }

    private func putAside(_ property: StoredProperty, _ className: String) throws(Realm.Error) {
        if property.kind == .any { try nested.move(className, from: property.name, to: Self.aside(property.name)) }
        if property.isColumn {
            try dropIndexes(className, property.name)
            for column in try columns(of: property.name, className) {
                try connection.execute(
                    """
                    ALTER TABLE \(StorageNames.table(className)) RENAME COLUMN \(StorageNames.quoted(column)) \
                    TO \(StorageNames.quoted(Self.aside(column)))
                    """
                )
            }
        } else {
            let table = "\(className).\(property.name)"
            let indexes = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?1 AND sql NOT NULL"
            for index in try names(indexes, table) {
                try connection.execute("DROP INDEX \(StorageNames.quoted(index))")
            }
            try connection.execute(
                "ALTER TABLE \(StorageNames.quoted(table)) RENAME TO \(StorageNames.quoted(Self.aside(table)))"
            )
        }
    }

    private func dropIndexes(_ className: String, _ column: String) throws(Realm.Error) {
        for purpose in ["key", "index", "link"] {
            let index = StorageNames.quoted("\(className).\(column)$\(purpose)")
            try connection.execute("DROP INDEX IF EXISTS \(index)")
        }
    }

    /// The columns of a property: one, or a second one for the type.
    private func columns(of property: String, _ className: String) throws(Realm.Error) -> [String] {
        try names("SELECT name FROM pragma_table_info(?1)", className)
            .filter { $0 == property || $0 == "\(property)$type" }
    }

    private func names(_ sql: String, _ argument: String) throws(Realm.Error) -> [String] {
        let statement = try connection.prepare(sql)
        statement.bind(1, argument)
        var names: [String] = []
        while try statement.step() { names.append(statement.text(0)) }
        return names
    }

    // MARK: In the block

    /// Copies the values of a property that was put aside to one of the same type.
    ///
    /// - Parameters:
    ///   - source: The old property.
    ///   - target: The new property.
    ///   - className: Their class.
    ///   - created: The rows that the migration created, which have no old value.
    /// - Throws: A `Realm.Error` when the file cannot be changed.
    func copy(
        _ source: StoredProperty,
        to target: StoredProperty,
        in className: String,
        except created: NewRows
    ) throws(Realm.Error) {
        if source.kind == .any { try nested.move(className, from: Self.aside(source.name), to: target.name) }
        guard source.isColumn else {
            let old = StorageNames.quoted(Self.aside("\(className).\(source.name)"))
            let new = StorageNames.quoted("\(className).\(target.name)")
            try connection.execute("DELETE FROM \(new); INSERT INTO \(new) SELECT * FROM \(old)")
            return
        }
        let assignments = try columns(of: target.name, className)
            .map { column in
                let old = Self.aside(source.name + column.dropFirst(target.name.count))
                return "\(StorageNames.quoted(column)) = \(StorageNames.quoted(old))"
            }
        let update = try connection.prepare(
            """
            UPDATE \(StorageNames.table(className)) SET \(assignments.joined(separator: ", ")) \
            WHERE \(StorageNames.key) NOT IN (SELECT value FROM json_each(?1))
            """
        )
        update.bind(1, created.runs.keys.jsonArray)
        try update.run()
    }

    // MARK: After the block

    /// Drops what was kept aside.
    func dropRest(of old: StoredClass) throws(Realm.Error) {
        for property in old.properties {
            if property.kind == .any { try nested.delete(old.name, Self.aside(property.name)) }
            guard property.isColumn else {
                let table = StorageNames.quoted(Self.aside("\(old.name).\(property.name)"))
                try connection.execute("DROP TABLE IF EXISTS \(table)")
                continue
            }
            let kept = [Self.aside(property.name), Self.aside("\(property.name)$type")]
            for column in try names("SELECT name FROM pragma_table_info(?1)", old.name) where kept.contains(column) {
                try connection.execute(
                    "ALTER TABLE \(StorageNames.table(old.name)) DROP COLUMN \(StorageNames.quoted(column))"
                )
            }
        }
    }

    /// Drops all that the file has of a class that the program does not have any more.
    func drop(_ old: StoredClass) throws(Realm.Error) {
        for property in old.properties where property.kind == .any { try nested.delete(old.name, property.name) }
        for property in old.properties where !property.isColumn {
            try connection.execute("DROP TABLE \(StorageNames.quoted("\(old.name).\(property.name)"))")
        }
        try connection.execute("DROP TABLE \(StorageNames.table(old.name))")
        for table in [(StoredSchema.propertyTable, "class"), (StoredSchema.classTable, "name")] {
            let forget = try connection.prepare("DELETE FROM \(table.0) WHERE \(table.1) = ?1")
            forget.bind(1, old.name)
            try forget.run()
        }
    }
}

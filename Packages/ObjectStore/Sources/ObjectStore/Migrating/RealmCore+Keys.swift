import ObjectQueries

// Primary keys in a migration: those that are row keys get a column of their own before they are changed.
extension RealmCore {
    /// Lets primary keys be changed: whether they are unique is checked at the end of the migration.
    func unlockKeys(of table: ClassTable) throws(Realm.Error) {
        guard let slot = table.schema.primaryKeySlot else { return }
        let (name, column) = (table.schema.name, table.schema.properties[slot].columnName)
        guard table.rowKeySlot == nil else {
            try RowKeyLayout(stored: StoredSchema(store.connection)).separate(column, of: name)
            return separateKeys(of: [table])
        }
        try store.connection.execute("DROP INDEX IF EXISTS \(StorageNames.quoted("\(name).\(column)$key"))")
    }

    /// Goes on with the tables as the file has them: a primary key may have a column that is to become the row key.
    func separateKeys(as stored: StoredSchema) throws(Realm.Error) {
        var separate: [ClassTable] = []
        for table in store.tables {
            guard let slot = table.rowKeySlot else { continue }
            let column = table.schema.properties[slot].columnName
            if try stored.hasColumn(column, of: table.schema.name) { separate.append(table) }
        }
        separateKeys(of: separate)
    }

    private func separateKeys(of tables: [ClassTable]) {
        guard !tables.isEmpty else { return }
        for table in tables { table.separateKey() }
        // Statements of other classes read the rows of these, too.
        for table in store.tables { table.forgetStatements() }
        let names = store.tables.filter { $0.rowKeySlot != $0.schema.rowKeySlot }.map(\.schema.name)
        compile(schema.queries.separatingKeys(of: Set(names)))
    }
}

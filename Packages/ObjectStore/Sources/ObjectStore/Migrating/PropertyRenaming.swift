import ObjectQueries

/// Moves the values of properties that have another name in the new schema.
struct PropertyRenaming {
    let tables: MigratedTables
    /// The classes of the file before the migration.
    let old: [String: StoredClass]

    /// Copies the values of an old property, which is still there under its name for removed ones.
    func rename(_ table: ClassTable, from oldName: String, to newName: String) throws(Realm.Error) {
        let schema = table.schema
        func refused(_ reason: String) -> Realm.Error {
            Realm.Error(
                .invalidInput,
                "The property '\(schema.name).\(oldName)' cannot be renamed to '\(newName)': \(reason)."
            )
        }
        guard let stored = old[schema.name] else { throw refused("the file does not have the class") }
        guard let source = stored.property(named: oldName) else { throw refused("the file does not have it") }
        let described = StoredClass(schema)
        let columnName = schema.property(named: newName)?.columnName ?? newName
        guard let target = described.property(named: columnName) else {
            throw refused("the class does not have the new one")
        }
        guard described.property(named: oldName) == nil else {
            throw refused("the class still has a property of the old name")
        }
        guard source.hasSameType(as: target) else {
            throw refused("it was \(source.text) and is \(target.text)")
        }
        guard !source.isOptional || target.isOptional || target.target != nil else {
            throw refused("it could be nil and cannot be any more")
        }
        try tables.copy(source, to: target, in: schema.name, except: table.newRows)
    }
}

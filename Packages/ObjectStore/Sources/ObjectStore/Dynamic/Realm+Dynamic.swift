extension Realm {
    /// All objects of a class that is named at run time, live.
    ///
    /// - Precondition: The realm manages the class.
    public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
        core.checkThread()
        return Results(core, requireTable(typeName))
    }

    /// Finds an object of a class that is named at run time by its primary key.
    ///
    /// - Returns: The object, or nil when there is none.
    /// - Precondition: As for ``object(ofType:forPrimaryKey:)``.
    public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> DynamicObject? {
        core.checkThread()
        let table = requireTable(typeName)
        core.beginReading()
        guard let row = find(key, in: table) else { return nil }
        core.recording.didRead(row, table)
        return core.object(DynamicObject.self, table, row)
    }

    /// Finds an object of a class that is named at run time by the number of its row, see ``DynamicObject/rowNumber``.
    ///
    /// - Returns: The object, or nil when there is none.
    /// - Precondition: The realm manages the class.
    public func dynamicObject(ofType typeName: String, rowNumber: Int64) -> DynamicObject? {
        core.checkThread()
        let table = requireTable(typeName)
        core.beginReading()
        let row = core.reading(or: nil) { () throws(Realm.Error) in try table.row(rowNumber) }
        guard let row else { return nil }
        core.recording.didRead(row, table)
        return core.object(DynamicObject.self, table, row)
    }

    /// Creates an object of a class that is named at run time; otherwise as ``create(_:value:update:)``.
    ///
    /// - Returns: The managed object; one that is not managed when the value is refused, which dooms the transaction.
    /// - Precondition: A transaction is open, and the realm manages the class.
    @discardableResult
    public func dynamicCreate(
        _ typeName: String,
        value: Any = [:],
        update: UpdatePolicy = .error
    ) -> DynamicObject {
        core.checkThread()
        let object = DynamicObject()
        guard core.transaction.mayMutate(named: { "create an object of '\(typeName)'" }) else { return object }
        let table = requireTable(typeName)
        core.transaction.mutating { () throws(Realm.Error) in
            guard !table.schema.isEmbedded else {
                throw Realm.Error(
                    .invalidInput,
                    "An object of the embedded class '\(typeName)' cannot be created alone; assign it to its parent."
                )
            }
            try requireKey(table, update)
            object._core = try ObjectWriter(core, policy: update, copies: true).create(table, from: value)
        }
        return object
    }

    private func requireTable(_ typeName: String) -> ClassTable {
        guard let table = core.store.table(named: typeName) else {
            let names = core.schema.classes.map(\.name).joined(separator: ", ")
            misuse("The class '\(typeName)' is not managed by this realm; it manages \(names).")
        }
        return table
    }
}

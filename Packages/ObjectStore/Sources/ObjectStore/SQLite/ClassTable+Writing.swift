import EventModel
import ObjectQueries

extension ClassTable {
    /// Returns a row key that was never given before.
    ///
    /// - Throws: A `Realm.Error` also when a row has the greatest key there can be.
    func takeKey() throws(Realm.Error) -> Int64 {
        let key = try knownNextKey()
        guard key < .max else { throw .noKeyLeft(schema.name) }
        nextKey = key + 1
        newRows.insert(key)
        return key
    }

    /// Finds out which key is the next one; before rows are deleted, because the last of them may be among these.
    @discardableResult
    func knownNextKey() throws(Realm.Error) -> Int64 {
        if let nextKey { return nextKey }
        let next = try StoredSchema.nextKey(self)
        nextKey = next
        return next
    }

    /// The statement that inserts a row: the key first, then each other column in order.
    func insertion() throws(Realm.Error) -> Statement {
        if let insertRow { return insertRow }
        let names = [StorageNames.key] + columns.filter { $0.slot != rowKeySlot }.flatMap(columnNames)
        let places = Array(repeating: "?", count: names.count).joined(separator: ", ")
        let statement = try statement("INSERT INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(places))")
        insertRow = statement
        return statement
    }

    /// Keeps rows as they are before the transaction changes them for the first time, if an observer wants to know.
    private func keepBefore(_ keys: some Collection<Int64>) throws(Realm.Error) {
        guard touched.before != nil else { return }
        let missing = keys.filter { touched.before?[$0] == nil && !isNew($0) }
        guard !missing.isEmpty else { return }
        touched.before?.merge(try rows(missing)) { known, _ in known }
    }

    /// Writes one column of one row.
    func update(_ slot: Int, key: Int64, _ bind: (OpaquePointer, Int32) -> Void) throws(Realm.Error) {
        if touched.before != nil { try keepBefore(CollectionOfOne(key)) }
        let statement: Statement
        if let known = updates[slot] {
            statement = known
        } else {
            statement = try self.statement("UPDATE \(name) SET \(column(slot)) = ?1 WHERE \(StorageNames.key) = ?2")
            updates[slot] = statement
        }
        bind(statement.handle, 1)
        statement.bind(2, key)
        try statement.run()
    }

    /// Writes the two columns of a value of any type of one row.
    func update(_ slot: Int, key: Int64, to cell: AnyCell) throws(Realm.Error) {
        let type = StorageNames.typeColumn(schema.shape.properties[slot])
        let statement = try statement(
            "UPDATE \(name) SET \(column(slot)) = ?1, \(type) = ?2 WHERE \(StorageNames.key) = ?3"
        )
        cell.bind(to: statement.handle, at: 1)
        statement.bind(3, key)
        try statement.run()
    }

    /// Writes one column of one row if the value differs.
    ///
    /// - Returns: Whether it did.
    func updateIfDifferent(
        _ slot: Int,
        key: Int64,
        _ bind: (OpaquePointer, Int32) -> Void
    ) throws(Realm.Error) -> Bool {
        if touched.before != nil { try keepBefore(CollectionOfOne(key)) }
        let statement: Statement
        if let known = differingUpdates[slot] {
            statement = known
        } else {
            statement = try self.statement(
                "UPDATE \(name) SET \(column(slot)) = ?1 WHERE \(StorageNames.key) = ?2 AND \(column(slot)) IS NOT ?1"
            )
            differingUpdates[slot] = statement
        }
        bind(statement.handle, 1)
        statement.bind(2, key)
        try statement.run()
        return changes > 0
    }

    /// Prepares the deletion of all rows.
    func willClear(_ keys: [Int64]) throws(Realm.Error) {
        if rowKeySlot == nil { try knownNextKey() }
        try noteDeletion(KeyGroup(all: keys))
        try keepBefore(keys)
    }

    /// Deletes rows and the elements of their collections.
    func delete(_ group: KeyGroup) throws(Realm.Error) {
        if rowKeySlot == nil { try knownNextKey() }
        try noteDeletion(group)
        try keepBefore(group.keys)
        for property in schema.shape.properties where property.collection != .none {
            let elements = try statement(
                """
                DELETE FROM \(StorageNames.table(schema.name, property)) \
                \(group.condition(on: StorageNames.owner))
                """
            )
            group.bind(to: elements)
            try elements.run()
        }
        if schema.hasAny {
            for key in group.keys { try NestedCollections(self).deleteAll(of: key, schema.name) }
        }
        let statement = try statement("DELETE FROM \(name) \(group.condition(on: StorageNames.key))")
        group.bind(to: statement)
        try statement.run()
    }
}

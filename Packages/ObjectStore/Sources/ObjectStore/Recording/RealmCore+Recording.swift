import EventModel
import ObjectQueries

// What is read, told to the observer of the file. The gate is asked first; while it is closed nothing else happens.
extension RealmCore {
    /// Tells that an object was handed to the program.
    @inline(__always)
    func observeRead(of row: ObjectSnapshot, _ table: ClassTable) {
        guard let observer = openObserver else { return }
        tellRead(of: row, table, observer)
    }

    private func tellRead(of row: ObjectSnapshot, _ table: ClassTable, _ observer: any RealmObserver) {
        // Most rows are whole as they are, and need neither a copy nor a look at the store.
        guard !isToldAsItIs(table) else { return observer.didRead(row) }
        for whole in whole([row], table) { observer.didRead(whole) }
    }

    /// Whether the rows of a class are whole, and show the state before the open transaction.
    private func isToldAsItIs(_ table: ClassTable) -> Bool {
        table.schema.isFlat && !(transaction?.hasChanges ?? false)
    }

    /// Tells that the program reached an object through a property.
    @inline(__always)
    func observeFollowing(
        _ parent: ObjectCore,
        _ slot: Int,
        _ row: ObjectSnapshot,
        _ table: ClassTable,
        _ allRows: @escaping () -> [ObjectSnapshot]
    ) {
        guard let observer = openObserver, let target = isToldAsItIs(table) ? row : whole([row], table).first else {
            return
        }
        follow(parent, slot, target, table, observer) { self.targets(of: parent, slot, table, allRows) }
    }

    /// Tells that the program reached an object whose whole snapshot is known.
    func follow(
        _ parent: ObjectCore,
        _ slot: Int,
        _ target: ObjectSnapshot,
        _ table: ClassTable,
        _ observer: any RealmObserver,
        _ allTargets: @escaping () -> [ObjectSnapshot]
    ) {
        observer.didFollow(
            FollowedLink(
                parentShape: parent.table.schema.shape,
                parentKey: parent.key,
                version: store.version,
                slot: slot,
                target: target,
                allTargets: allTargets
            )
        )
    }

    // MARK: Snapshots

    /// Whole snapshots of rows; inside a write that changed something as they were before it, without new objects.
    func whole(_ rows: [ObjectSnapshot], _ table: ClassTable) -> [ObjectSnapshot] {
        reading(or: []) { () throws(Realm.Error) in
            guard let transaction, transaction.hasChanges else {
                return try WholeCapture(store: store).whole(rows, table)
            }
            return try before(rows.map(\.key), table)
        }
    }

    /// Whole snapshots of objects as they were before the open transaction, without new ones.
    func wholeBefore(_ keys: [Int64], _ table: ClassTable) -> [ObjectSnapshot] {
        reading(or: []) { () throws(Realm.Error) in try before(keys, table) }
    }

    /// Whole snapshots of objects as they were before the open transaction, those that existed then.
    func before(_ keys: [Int64], _ table: ClassTable) throws(Realm.Error) -> [ObjectSnapshot] {
        guard let known = table.touched.before else {
            let past = try pastStore()
            return try WholeCapture(store: past).objects(keys, past.required(table))
        }
        // What the transaction did not touch is as it was.
        let untouched = keys.filter { known[$0] == nil && !isNew($0, table) }
        let rows = try table.rows(untouched)
        return keys.compactMap { known[$0] ?? rows[$0] }
    }

    /// Every object that a property links to, as of the version that is reported.
    func targets(
        of parent: ObjectCore,
        _ slot: Int,
        _ table: ClassTable,
        _ allRows: () -> [ObjectSnapshot]
    ) -> [ObjectSnapshot] {
        guard let transaction, transaction.hasChanges else { return whole(allRows(), table) }
        return reading(or: []) { () throws(Realm.Error) in
            let past = try pastStore()
            let owner = try past.required(parent.table)
            let property = owner.schema.shape.properties[slot]
            let statement = try owner.statement(
                property.collection == .none
                    ? """
                    SELECT \(StorageNames.column(property)) FROM \(StorageNames.table(owner.schema.name)) \
                    WHERE \(StorageNames.key) = ?1 AND \(StorageNames.column(property)) IS NOT NULL
                    """
                    : """
                    SELECT \(StorageNames.value) FROM \(StorageNames.table(owner.schema.name, property)) \
                    WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.value) IS NOT NULL \
                    ORDER BY \(StorageNames.label(property))
                    """
            )
            statement.bind(1, parent.key)
            var keys: [Int64] = []
            while try statement.step() { keys.append(statement.int(0)) }
            return try WholeCapture(store: past).objects(keys, past.required(table))
        }
    }

    /// The connection that still sees the version before the open transaction.
    func pastStore() throws(Realm.Error) -> StoreConnection {
        let store: StoreConnection
        if let past {
            store = past
        } else {
            let connection = try Connection(fileURL: self.store.connection.fileURL, isReadOnly: true, isDurable: true)
            store = try StoreConnection(connection, schema, isReadOnly: true)
            past = store
        }
        try store.beginReading()
        return store
    }
}

extension StoreConnection {
    /// This connection's table for a class of another connection.
    func required(_ table: ClassTable) throws(Realm.Error) -> ClassTable {
        guard let own = self.table(table.schema.type) else {
            throw Realm.Error(.fail, "The class '\(table.schema.name)' is missing from a second connection.")
        }
        return own
    }
}

extension WholeCapture {
    /// Whole snapshots of the objects of several keys, in the order of the keys; those that do not exist are absent.
    func objects(_ keys: [Int64], _ table: ClassTable) throws(Realm.Error) -> [ObjectSnapshot] {
        guard !keys.isEmpty else { return [] }
        let rows = try table.rows(Set(keys))
        return try whole(keys.compactMap { rows[$0] }, table)
    }
}

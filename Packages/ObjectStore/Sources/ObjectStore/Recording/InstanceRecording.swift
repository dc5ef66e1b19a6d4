import EventModel
import ObjectQueries

/// What an instance gives the observer of its file: whole snapshots of what is read, shown and changed.
///
/// The gate is asked first; while it is closed nothing else happens.
final class InstanceRecording {
    let observer: InstanceObserver
    let transaction: InstanceTransaction
    let version: InstanceVersion
    private let schema: RealmSchema
    /// Reads the version before a transaction while that is open; made when an observer first needs it.
    private(set) var past: StoreConnection?

    var store: StoreConnection { version.store }

    init(
        _ schema: RealmSchema,
        _ observer: InstanceObserver,
        _ transaction: InstanceTransaction,
        _ version: InstanceVersion
    ) {
        self.schema = schema
        self.observer = observer
        self.transaction = transaction
        self.version = version
        guard store.isSynced else { return }
        observer.readsPlaces { [unowned version] in
            version.reading(or: nil) { () throws(Realm.Error) in try version.store.place() }
        }
    }

    /// Whole snapshots of rows; inside a write that changed something as they were before it, without new objects.
    func whole(_ rows: [ObjectSnapshot], _ table: ClassTable) -> [ObjectSnapshot] {
        version.reading(or: []) { () throws(Realm.Error) in
            guard transaction.hasChanges else {
                return try WholeCapture(store: store).whole(rows, table)
            }
            return try before(old(rows.map(\.key), table), table)
        }
    }

    /// The whole snapshot of one row; nil for an object that is new in the open transaction.
    func whole(_ row: ObjectSnapshot, _ table: ClassTable) -> ObjectSnapshot? {
        if isReportedAsItIs(table) { return row }
        // Several threads read a frozen object at once.
        guard !transaction.hasChanges, !version.isFrozen else { return whole([row], table).first }
        // What is captured belongs to no later generation, even if a version is pinned for it.
        let generation = store.generation
        if let known = table.wholeRows.whole(row, at: generation) { return known }
        guard let captured = whole([row], table).first else { return nil }
        table.wholeRows.keep(captured, at: generation)
        return captured
    }

    /// Whether the rows of a class are whole, and show the state before the open transaction.
    @inline(__always)
    func isReportedAsItIs(_ table: ClassTable) -> Bool {
        table.schema.isFlat && !transaction.hasChanges
    }

    /// Whole snapshots of objects as they were before the open transaction, without new ones.
    func wholeBefore(_ keys: [Int64], _ table: ClassTable) -> [ObjectSnapshot] {
        version.reading(or: []) { () throws(Realm.Error) in try before(old(keys, table), table) }
    }

    /// Those of the keys whose objects are older than the open transaction.
    ///
    /// An object that it deleted and created again with the same primary key has the key of one that existed before,
    /// and is another one: who reads it sees nothing of that.
    private func old(_ keys: [Int64], _ table: ClassTable) -> [Int64] {
        table.newRows.isEmpty ? keys : keys.filter { !table.isNew($0) }
    }

    /// Whole snapshots of what had the keys before the open transaction, even if it has been replaced since.
    func before(_ keys: [Int64], _ table: ClassTable) throws(Realm.Error) -> [ObjectSnapshot] {
        guard let known = table.touched.before else {
            let past = try pastStore()
            return try WholeCapture(store: past).objects(keys, past.required(table))
        }
        // What the transaction did not touch is as it was.
        let untouched = keys.filter { known[$0] == nil && !table.isNew($0) }
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
        guard transaction.hasChanges else { return whole(allRows(), table) }
        return version.reading(or: []) { () throws(Realm.Error) in
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
            let current = self.store.connection
            let connection = try Connection(
                fileURL: current.fileURL,
                key: current.key,
                isReadOnly: true,
                isDurable: true
            )
            store = try StoreConnection(connection, schema, isReadOnly: true)
            past = store
        }
        try store.beginReading()
        return store
    }

    /// Releases the version before the transaction.
    func releasePast() throws(Realm.Error) { try past?.endReading() }
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

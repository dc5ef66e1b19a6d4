import EventModel
import ObjectQueries

/// Takes the snapshots of a transaction's net changes, just before it is committed.
///
/// The new state is read by the writing connection. The old one was kept by the tables of flat classes; that of others
/// is read by a connection that still sees it.
struct ChangeCapture {
    private let recording: InstanceRecording
    private var store: StoreConnection { recording.store }

    init(_ recording: InstanceRecording) { self.recording = recording }

    /// Returns the changes; classes and objects whose changes cancel out are absent.
    ///
    /// - Parameters:
    ///   - versionAfter: The version that the transaction makes.
    ///   - place: Where the file is in sync with it; nil for one that does not sync.
    /// - Returns: The changes.
    /// - Throws: A `Realm.Error` when the file cannot be read.
    func changes(versionAfter: UInt64, at place: SyncReference?) throws(Realm.Error) -> CommitChanges {
        var classes: [ClassChanges] = []
        for table in store.tables {
            let changes = try changes(table, versionAfter)
            if !changes.insertions.isEmpty || !changes.deletions.isEmpty || !changes.modifications.isEmpty {
                classes.append(changes)
            }
        }
        classes.sort { $0.shape.name < $1.shape.name }
        return CommitChanges(
            versionBefore: store.version,
            versionAfter: versionAfter,
            classes: classes,
            sync: place
        )
    }

    private func changes(
        _ table: ClassTable,
        _ version: UInt64
    ) throws(Realm.Error) -> ClassChanges {
        var changes = ClassChanges(shape: table.schema.shape)
        guard table.isTouched else { return changes }
        table.touched.normalize()
        let touched = table.touched
        let now = WholeCapture(store: store)
        let modified = touched.modified.keys.filter { !touched.deleted.contains($0) }
        // The new snapshots belong to the version that the commit makes.
        let writtenVersion = table.version
        for table in store.tables { table.version = version }
        defer { for table in store.tables { table.version = writtenVersion } }
        if !modified.isEmpty {
            let after = Dictionary(
                uniqueKeysWithValues: try now.objects(modified, table).map { ($0.key, $0) }
            )
            let unreached =
                table.schema.isEmbedded ? Set(after.keys.filter { touched.parents[$0] == nil }) : []
            let owners = try EmbeddedOwners(store: store).references(unreached, table)
            for old in try recording.before(modified, table) {
                guard let new = after[old.key] else { continue }
                let known = try touched.parents[old.key].map { core throws(Realm.Error) in try reference(of: core) }
                let parent = known ?? owners[old.key]
                changes.modifications.append(Modification(before: old, after: new, parent: parent))
            }
        }
        // Embedded objects come and go as part of their parents.
        guard !table.schema.isEmbedded else { return changes }
        if !table.newRows.isEmpty { changes.insertions = try now.insertions(table.newRows, table) }
        changes.deletions = try recording.before(touched.deleted.sorted(), table)
        return changes
    }

    /// Names the object around an embedded one: the nearest that is not embedded itself.
    private func reference(of core: ObjectCore) throws(Realm.Error) -> ObjectReference {
        var owner = core
        while owner.table.schema.isEmbedded, let outer = owner.parent { owner = outer }
        let primaryKey = try owner.table.row(owner.key)
            .map { row in
                owner.table.schema.primaryKeySlot.map(row.value) ?? .null
            }
        return ObjectReference(className: owner.table.schema.name, key: owner.key, primaryKey: primaryKey ?? .null)
    }
}

extension WholeCapture {
    /// Whole snapshots of those of the inserted rows that exist, in order.
    func insertions(_ inserted: NewRows, _ table: ClassTable) throws(Realm.Error) -> [ObjectSnapshot] {
        let name = StorageNames.table(table.schema.name)
        var rows: [ObjectSnapshot] = []
        for group in KeyGroup.groups(of: Array(inserted.runs.keys)) {
            let statement = try table.statement(
                """
                SELECT \(table.columnList(of: name)) FROM \(name) \
                WHERE \(StorageNames.key) \(group.comparison) ORDER BY \(StorageNames.key)
                """
            )
            group.bind(to: statement)
            while try statement.step() { rows.append(table.readRow(statement)) }
        }
        return try whole(rows, table)
    }
}

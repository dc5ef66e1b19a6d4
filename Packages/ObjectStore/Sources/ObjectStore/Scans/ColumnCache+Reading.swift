import ColumnScans
import EventModel
import ObjectQueries

extension ColumnCache {
    /// Returns the columns that a scan needs, as they are at the version that a connection reads.
    ///
    /// - Parameters:
    ///   - table: The class.
    ///   - store: The connection, which pins a version.
    ///   - scan: What needs them.
    ///   - limit: How many bytes the columns of the file may take.
    /// - Returns: nil when SQLite has to answer.
    /// - Throws: A `Realm.Error` when the file cannot be read.
    /// - Complexity: O(1) when they are there; O(*m*) in the count of changed rows after a transaction, O(*n*) in the count of all rows
    ///   for a column that is new and after a deletion.
    func columns(
        _ table: ClassTable,
        _ store: StoreConnection,
        for scan: ColumnScan,
        limit: Int
    ) throws(Realm.Error) -> PackedRows? {
        // What the open transaction changed is nobody else's yet.
        guard limit > 0, !scan.slots.isEmpty, !table.isTouched else { return nil }
        let name = table.schema.name
        switch take(name, table.signature, at: store.version, for: scan) {
        case .columns(let rows): return rows
        case .unavailable: return nil
        case .taken(let entry):
            var made: Entry?
            do throws(Realm.Error) {
                made = try entry.flatMap { entry throws(Realm.Error) in try entry.moved(to: store, table, limit) }
                let old = made.take()
                made = try (old ?? Entry(table, store)).completed(for: scan, table, limit)
            } catch {
                put(nil, of: name, limit: limit)
                throw error
            }
            put(made, of: name, limit: limit, refused: made == nil ? scan.slots : [])
            return made?.rows
        }
    }
}

extension ClassTable {
    /// Whether the open transaction changed anything of the class.
    var isTouched: Bool { !touched.isEmpty || !newRows.isEmpty }
}

extension ColumnScan {
    /// Whether rows have all that the scan needs.
    func isAnswered(by rows: PackedRows) -> Bool {
        slots.allSatisfy { rows.columns[$0] != nil }
            && folds.allSatisfy { slot, options in options.allSatisfy { rows.columns[slot]?.isFolded($0) ?? false } }
    }
}

extension ColumnCache.Entry {
    /// An entry without columns, at the version that is read.
    fileprivate init(_ table: ClassTable, _ store: StoreConnection) {
        signature = table.signature
        versions = store.version...store.version
        rows = PackedRows()
    }

    // MARK: Versions

    /// How many rows are changed at most before reading all of them again costs less: one in as many.
    private static var patchedShare: Int { 4 }

    /// The entry at a newer version.
    ///
    /// - Returns: nil when too much changed: all is to be read again.
    fileprivate consuming func moved(
        to store: StoreConnection,
        _ table: ClassTable,
        _ limit: Int
    ) throws(Realm.Error) -> ColumnCache.Entry? {
        var entry = self
        guard store.version > entry.versions.upperBound else { return entry }
        guard let changes = try store.changes(since: entry.versions.upperBound)[table.schema.name] else {
            // Nothing of the class changed meanwhile.
            entry.versions = entry.versions.lowerBound...store.version
            return entry
        }
        guard try entry.change(changes, table, limit) else { return nil }
        entry.versions = store.version...store.version
        return entry
    }

    private mutating func change(_ changes: LoggedClass, _ table: ClassTable, _ limit: Int) throws(Realm.Error) -> Bool
    {
        guard !changes.isOverrun else { return false }
        let slots = rows.columns.keys.sorted()
        let runs = changes.modified.runs.filter { run in slots.contains { run.slots.contains($0) } }
        let touched = KeyRuns(runs.map(\.keys) + changes.inserted.runs)
        guard touched.count <= 64 + rows.keys.count / Self.patchedShare else { return false }
        for run in runs {
            guard let changed = try ColumnReading(table: table, slots: slots, limit: limit).rows(run.keys),
                rows.replace(changed)
            else { return false }
        }
        if changes.hasDeletions {
            rows.keep(try table.statement("SELECT \(StorageNames.key) FROM \(table.name) ORDER BY 1").keys())
        }
        var new = PackedRows()
        for run in changes.inserted.runs {
            guard let read = try ColumnReading(table: table, slots: slots, limit: limit).rows(run) else { return false }
            guard new.columns.isEmpty || new.append(read) else { return false }
            if new.columns.isEmpty { new = read }
        }
        // A primary key that is the row key comes anywhere, and may be that of a row that was deleted meanwhile.
        return rows.merge(new)
    }

    // MARK: Columns

    /// The entry with all columns that a scan needs.
    ///
    /// - Returns: nil when they do not fit.
    fileprivate consuming func completed(
        for scan: ColumnScan,
        _ table: ClassTable,
        _ limit: Int
    ) throws(Realm.Error) -> ColumnCache.Entry? {
        var entry = self
        let missing = scan.slots.filter { entry.rows.columns[$0] == nil }.sorted()
        if !missing.isEmpty {
            guard let read = try ColumnReading(table: table, slots: missing, limit: limit).all() else { return nil }
            if entry.rows.columns.isEmpty {
                entry.rows = read
            } else {
                guard read.keys == entry.rows.keys else { return nil }
                for slot in missing { entry.rows.set(slot, read.columns[slot]) }
            }
        }
        for (slot, options) in scan.folds {
            guard entry.rows.fold(slot, options) else { return nil }
        }
        return entry
    }
}

import EventModel
import ObjectQueries

/// A query for objects, with their rows as of the last evaluation.
final class ObjectResultState: ResultState {
    /// The object around the embedded objects that the query finds.
    let parent: ObjectCore?
    private var evaluated: (generation: UInt64, rows: [ObjectSnapshot])?
    /// The first rows, where the others were not asked for.
    private var head: RowsHead?
    /// What columns in memory found last.
    var scanned: ScannedKeys?
    /// The snapshots that were reported to the observer, and what they were taken at.
    private var reported: Report?
    /// Whether this is a query in the eyes of an observer, and not just all objects of a class or those that link here.
    private let isQuery: Bool

    private struct Report {
        let generation: UInt64
        let openings: UInt64
        /// One for each row, unless rows had to be left out.
        let snapshots: [ObjectSnapshot]
    }

    /// - Precondition: The plan names existing properties and compares what can be compared.
    init(_ core: RealmCore, _ table: ClassTable, _ plan: QueryPlan, parent: ObjectCore? = nil) {
        self.parent = parent
        if case .elements = plan.source {
            isQuery = true
        } else {
            isQuery = !plan.isUnrefined
        }
        super.init(core, table, Self.asked(plan, core, table))
    }

    /// Finds all objects of a class.
    init(all core: RealmCore, _ table: ClassTable) {
        parent = nil
        isQuery = false
        super.init(core, table, Self.asked(nil, core, table))
    }

    // MARK: Rows

    /// The rows, if they were read at the instance's version.
    private var readRows: [ObjectSnapshot]? {
        evaluated.flatMap { $0.generation == core.store.generation ? $0.rows : nil }
    }

    override var knownCount: Int? {
        core.version.exclusively {
            readRows?.count ?? scanned.flatMap { $0.generation == core.store.generation ? $0.keys.count : nil }
        }
    }

    /// Whether the rows were read at the instance's version.
    private var isRead: Bool { core.version.exclusively { readRows != nil } }

    /// The rows at the instance's version, read in one pass unless they are known.
    func rows() -> [ObjectSnapshot] {
        prepare()
        return core.version.exclusively { evaluatedRows() }
    }

    private func evaluatedRows() -> [ObjectSnapshot] {
        let generation = core.store.generation
        if let readRows { return readRows }
        let rows: [ObjectSnapshot] = core.reading(or: []) { () throws(Realm.Error) in
            if let keys = try keysToRead() { return try table.rows(inOrderOf: keys) }
            let statement = try bound(texts.selection)
            return try table.readRows(statement)
        }
        evaluated = (generation, rows)
        return rows
    }

    override func contents() throws(Realm.Error) -> ObservedSource.Contents {
        if let readRows { return .rows(readRows.map(\.key)) }
        if let found = try scannedKeys() { return .rows(found.keys) }
        return .rows(try bound(texts.keys).keys())
    }

    /// Makes the core of a row's accessor.
    @inline(__always)
    func object(
        _ row: ObjectSnapshot,
        generation: UInt64? = nil,
        loaded: UInt64 = LoadedSlots.all
    ) -> ObjectCore {
        ObjectCore(
            realm: core,
            table: table,
            row: row,
            generation: generation ?? table.generation,
            parent: parent,
            loaded: loaded
        )
    }

    /// The row at an index, without reading all others where nobody needs them; nil behind the last one.
    func row(at index: Int) -> ObjectSnapshot? {
        prepare()
        let scanned = alone({ () throws(Realm.Error) in try scannedKey(at: index) }, { nil })
        if let row = scanned ?? headRow(at: index) { return row }
        if index == 0 { return firstRow() }
        let rows = rows()
        return rows.indices.contains(index) ? rows[index] : nil
    }

    /// The row at an index among the first ones, which are read together; nil when all are known or have to be read.
    private func headRow(at index: Int) -> ObjectSnapshot?? {
        guard index >= 0, index < RowsHead.limit, !isRead, !(isQuery && core.observer.listening != nil) else {
            return nil
        }
        return core.version.exclusively {
            if let head, head.generation == core.store.generation { return head.row(at: index) }
            // Whoever asks for the first one may want no other.
            guard index > 0, let sql = texts.head else { return nil }
            let generation = core.store.generation
            let rows: [ObjectSnapshot] = core.reading(or: []) { () throws(Realm.Error) in
                try table.readRows(bound(sql))
            }
            let head = RowsHead(generation: generation, rows: rows)
            self.head = head
            return head.row(at: index)
        }
    }

    /// The first row, without reading the others where nobody needs them.
    func firstRow() -> ObjectSnapshot? {
        prepare()
        return alone({ () throws(Realm.Error) in try firstScannedKey() }, { texts.first }) ?? rows().first
    }

    /// The last row, without reading the others where nobody needs them.
    func lastRow() -> ObjectSnapshot? {
        prepare()
        return alone({ () throws(Realm.Error) in try lastScannedKey() }, { texts.last }) ?? rows().last
    }

    /// Reads a row alone, by its key or by a statement; nil when all are known or have to be read anyway.
    private func alone(_ key: () throws(Realm.Error) -> Int64??, _ sql: () -> String?) -> ObjectSnapshot?? {
        // An observer is given all matches of a query, so that they are read anyway.
        guard !isRead, !(isQuery && core.observer.listening != nil) else { return nil }
        return core.version.exclusively {
            core.reading(or: nil) { () throws(Realm.Error) in
                if let key = try key() {
                    return .some(try key.flatMap { key throws(Realm.Error) in try table.row(key) })
                }
                guard let sql = sql() else { return nil }
                let statement = try bound(sql)
                defer { statement.reset() }
                return .some(try statement.step() ? table.readRow(statement) : nil)
            }
        }
    }

    /// Finds the first place of a row; nil when it is not found.
    func place(of key: Int64) -> Int? {
        prepare()
        guard !isRead, let sql = compiled.place else { return rows().firstIndex { $0.key == key } }
        return core.reading(or: nil) { () throws(Realm.Error) in
            if let found = try core.version.exclusively({ Result { () throws(Realm.Error) in try scannedKeys() } })
                .get()
            {
                return found.keys.firstIndex(of: key)
            }
            let statement = try bound(sql)
            statement.bind(Int32(asked.arguments.count + 1), key)
            defer { statement.reset() }
            return try statement.step() && !statement.isNull(0) ? Int(statement.int(0)) : nil
        }
    }

    /// Begins to read the rows in batches where nobody needs them all.
    ///
    /// - Returns: nil when the rows are known, are few, or have to be read in one pass: by an observer, or because the
    ///   transaction may change them on the way.
    func cursor() -> RowCursor? {
        prepare()
        guard !isRead, !core.transaction.isOpen, core.observer.listening == nil, !core.isFrozen else {
            return nil
        }
        let cursor: RowCursor? = core.reading(or: nil) { () throws(Realm.Error) in
            core.store.forgetAbandonedReaders()
            var narrowing = RowNarrowing(asked: asked)
            if let keys = try keysToRead() {
                narrowing.rowCount = scanned?.rowCount ?? .max
                return try RowCursor(core, RowReader(table, keys, narrowing))
            }
            let sql = texts.selection
            let statement = try table.takeStatement(sql)
            bind(statement)
            // An index would have to find all of them once more.
            let isInOrder = asked.prepared.isScannable || asked.prepared.isEverything
            return try RowCursor(core, RowReader(table, sql, statement, isInOrder ? narrowing : nil))
        }
        guard let cursor, cursor.isAtEnd else { return cursor }
        evaluated = (core.store.generation, cursor.batch)
        return nil
    }

    // MARK: Recording

    /// Tells the observer all matches, once for each version and each time that it began to listen.
    @discardableResult
    override func reportQuery() -> Bool {
        guard isQuery, let observer = core.observer.listening else { return false }
        let openings = observer.gate.openingCount
        let generation = core.store.generation
        let unreported: [ObjectSnapshot]? = core.version.exclusively {
            if let reported, reported.generation == generation, reported.openings == openings { return nil }
            let isKnown = reported?.generation == generation
            let snapshots = isKnown ? reported?.snapshots ?? [] : core.recording.whole(rows(), table)
            reported = Report(generation: generation, openings: openings, snapshots: snapshots)
            return snapshots
        }
        guard let snapshots = unreported else { return false }
        core.observer.sayPlace()
        observer.didEvaluateQuery(on: table.schema.shape, version: core.store.version, matches: snapshots) {
            plan.searchTerms
        }
        return true
    }

    /// Tells the observer that the program took one object out of the result.
    func report(_ row: ObjectSnapshot) {
        guard core.observer.listening != nil, !reportQuery() else { return }
        core.recording.didRead(row, table)
    }

    /// The snapshots to give the observer one by one during an iteration; nil when there are none.
    func snapshotsForIteration(_ rows: [ObjectSnapshot]) -> IterationSnapshots? {
        guard core.observer.listening != nil, !reportQuery() else { return nil }
        return IterationSnapshots(core.recording.whole(rows, table), of: rows)
    }
}

/// What an observer is given for each row of an iteration.
struct IterationSnapshots {
    private let snapshots: [ObjectSnapshot]
    /// Where the snapshot of a row is; nil when it is at the row's place, so that a million rows need no table.
    private let places: [Int64: Int]?

    init(_ snapshots: [ObjectSnapshot], of rows: [ObjectSnapshot]) {
        self.snapshots = snapshots
        let areAligned = snapshots.count == rows.count && zip(snapshots, rows).allSatisfy { $0.key == $1.key }
        places = areAligned ? nil : Dictionary(zip(snapshots.map(\.key), snapshots.indices)) { first, _ in first }
    }

    /// The snapshot of a row; nil when the observer is given none, as it is new in the open transaction.
    func snapshot(of row: ObjectSnapshot, at index: Int) -> ObjectSnapshot? {
        guard let places else { return snapshots[index] }
        return places[row.key].map { snapshots[$0] }
    }
}

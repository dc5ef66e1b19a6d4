import EventModel
import ObjectQueries

/// A query with its rows as of the last evaluation; shared by copies of its ``Results``.
final class ResultState {
    let core: RealmCore
    let table: ClassTable
    let plan: QueryPlan
    private let compiled: CompiledQuery
    private var evaluated: (generation: UInt64, rows: [ObjectSnapshot])?
    private var counted: (generation: UInt64, count: Int)?
    /// The snapshots that were told to the observer, and what they were taken at.
    private var reported: Report?

    private struct Report {
        let generation: UInt64
        let openings: UInt64
        /// One for each row, unless rows had to be left out.
        let snapshots: [ObjectSnapshot]
    }

    /// - Precondition: The plan names existing properties and compares what can be compared.
    init(_ core: RealmCore, _ table: ClassTable, _ plan: QueryPlan) {
        self.core = core
        self.table = table
        self.plan = plan
        // The objects of an iteration come and go one by one: this keeps the count of accessors off zero meanwhile.
        core.addAccessor()
        switch Result(catching: { () throws(QueryError) in
            try QueryCompiler(schema: core.schema.queries).compile(plan)
        }) {
        case .success(let compiled): self.compiled = compiled
        case .failure(let error): misuse("The query on '\(plan.className)' is not possible: \(error)")
        }
    }

    deinit {
        core.removeAccessor()
    }

    /// Whether this is a query in the eyes of an observer, and not just all objects of a class.
    private var isQuery: Bool {
        plan != QueryPlan(plan.className)
    }

    // MARK: Rows

    /// The rows at the instance's version, read in one pass unless they are known.
    func rows() -> [ObjectSnapshot] {
        prepare()
        if let evaluated, evaluated.generation == core.store.generation { return evaluated.rows }
        let rows = core.reading { () throws(Realm.Error) in
            let statement = try bound(compiled.select(table.columnList(of: compiled.alias)))
            return try table.readRows(statement)
        }
        evaluated = (core.store.generation, rows)
        return rows
    }

    /// The keys of the rows at the instance's version, read without telling an observer and without keeping them.
    func keys() throws(Realm.Error) -> [Int64] {
        if let evaluated, evaluated.generation == core.store.generation { return evaluated.rows.map(\.key) }
        let statement = try bound(compiled.select("\(compiled.alias).\(StorageNames.key)"))
        var keys: [Int64] = []
        while try statement.step() { keys.append(statement.int(0)) }
        return keys
    }

    var count: Int {
        prepare()
        let generation = core.store.generation
        if let evaluated, evaluated.generation == generation { return evaluated.rows.count }
        if let counted, counted.generation == generation { return counted.count }
        let count = core.reading { () throws(Realm.Error) in
            let statement = try bound(compiled.count)
            defer { statement.reset() }
            return try statement.step() ? Int(statement.int(0)) : 0
        }
        counted = (generation, count)
        return count
    }

    /// The first row, without reading the others where nobody needs them.
    func firstRow() -> ObjectSnapshot? {
        prepare()
        // An observer is told all matches of a query, so that they are read anyway.
        if evaluated?.generation == core.store.generation || (isQuery && core.openObserver != nil) {
            return rows().first
        }
        return core.reading { () throws(Realm.Error) in
            let statement = try bound("\(compiled.select(table.columnList(of: compiled.alias))) LIMIT 1")
            defer { statement.reset() }
            return try statement.step() ? table.readRow(statement) : nil
        }
    }

    /// Runs an aggregate such as `min("o"."age")`.
    func aggregate<Value>(
        _ function: String,
        _ slot: Int,
        _ read: (Statement) -> Value?
    ) -> Value? {
        prepare()
        reportQuery()
        return core.reading { () throws(Realm.Error) in
            let column = "\(compiled.alias).\(table.column(slot))"
            // Numbers that are not numbers are stored as blobs, which have no place in an order.
            let statement = try bound(
                "SELECT \(function)(CASE WHEN typeof(\(column)) <> 'blob' THEN \(column) END) \(compiled.source)"
            )
            defer { statement.reset() }
            return try statement.step() ? read(statement) : nil
        }
    }

    private func prepare() {
        core.checkThread()
        core.beginReading()
    }

    /// Begins to read the rows in batches where nobody needs them all.
    ///
    /// - Returns: nil when the rows are known, are few, or have to be read in one pass: by an observer, or because the
    ///   transaction may change them on the way.
    func cursor() -> RowCursor? {
        prepare()
        let isKnown = evaluated?.generation == core.store.generation
        guard !isKnown, core.transaction == nil, core.openObserver == nil else { return nil }
        let cursor = core.reading { () throws(Realm.Error) in
            let sql = compiled.select(table.columnList(of: compiled.alias))
            let statement = try table.takeStatement(sql)
            bind(statement)
            return try RowCursor(core, table, sql, statement)
        }
        guard cursor.isAtEnd else { return cursor }
        evaluated = (core.store.generation, cursor.batch)
        return nil
    }

    private func bound(_ sql: String) throws(Realm.Error) -> Statement {
        let statement = try table.statement(sql)
        bind(statement)
        return statement
    }

    private func bind(_ statement: Statement) {
        for (index, value) in compiled.arguments.enumerated() {
            statement.bind(Int32(index + 1), value)
        }
    }

    // MARK: Observation

    /// Tells the observer all matches, once for each version and each time that it began to listen.
    ///
    /// - Returns: Whether it was told now.
    @discardableResult
    func reportQuery() -> Bool {
        guard isQuery, let observer = core.openObserver else { return false }
        let openings = observer.gate.openingCount
        let generation = core.store.generation
        if let reported, reported.generation == generation, reported.openings == openings { return false }
        let snapshots: [ObjectSnapshot]
        if let reported, reported.generation == generation {
            snapshots = reported.snapshots
        } else {
            snapshots = core.whole(rows(), table)
        }
        reported = Report(generation: generation, openings: openings, snapshots: snapshots)
        observer.didEvaluateQuery(on: table.schema.shape, version: core.store.version, matches: snapshots)
        return true
    }

    /// Tells the observer that the program took one object out of the result.
    func report(_ row: ObjectSnapshot) {
        guard core.openObserver != nil, !reportQuery() else { return }
        core.observeRead(of: row, table)
    }

    /// The snapshots to tell the observer one by one during an iteration; nil when there is nothing to tell.
    func snapshotsForIteration(_ rows: [ObjectSnapshot]) -> [Int64: ObjectSnapshot]? {
        guard core.openObserver != nil, !reportQuery() else { return nil }
        return Dictionary(uniqueKeysWithValues: core.whole(rows, table).map { ($0.key, $0) })
    }
}

extension Statement {
    /// Binds a value of a query as columns store its type.
    func bind(_ index: Int32, _ value: Value) {
        switch value {
        case .bool(let value): value._bind(to: handle, at: index)
        case .int(let value): value._bind(to: handle, at: index)
        case .float(let value): value._bind(to: handle, at: index)
        case .double(let value): value._bind(to: handle, at: index)
        case .string(let value): value._bind(to: handle, at: index)
        case .data(let value): value.withUnsafeBytes { bindBytes($0, handle, index) }
        case .date(let value): value._bind(to: handle, at: index)
        case .objectId(let value): value._bind(to: handle, at: index)
        case .uuid(let value): value._bind(to: handle, at: index)
        case .decimal128(let value): value._bind(to: handle, at: index)
        case .link(let value): bind(index, value.key)
        case .null, .list, .dictionary, .object: bindNull(index)
        }
    }
}

import ColumnScans
import EventModel
import ObjectQueries

/// A query on a realm, with what was counted at a version; shared by copies of its ``Results``.
///
/// Subclasses read what the query finds: rows of objects, or values.
class ResultState {
    final let core: RealmCore
    /// Keeps the prepared statements: the table of the objects, or of the object that owns the values.
    final let table: ClassTable
    final let asked: AskedQuery
    private let epoch: UInt64
    private var lastCount: (generation: UInt64, count: Int)?

    init(_ core: RealmCore, _ table: ClassTable, _ asked: AskedQuery) {
        self.core = core
        self.table = table
        self.asked = asked
        epoch = core.epoch
        // The objects of an iteration come and go one by one: this keeps the count of accessors off zero meanwhile.
        core.addAccessor()
    }

    /// Prepares a plan on objects of a class, or on what belongs to them; nil means all objects.
    ///
    /// - Precondition: The plan names existing properties and compares what can be compared.
    static func asked(_ plan: QueryPlan?, _ core: RealmCore, _ table: ClassTable) -> AskedQuery {
        let asked = core.version.exclusively {
            Result { () throws(QueryError) in
                if let plan {
                    try core.compiledQueries.query(plan)
                } else {
                    try table.askedForAll(core.compiledQueries)
                }
            }
        }
        switch asked {
        case .success(let asked): return asked
        case .failure(let error):
            misuse("The query on '\(plan?.className ?? table.schema.name)' is not possible: \(error)")
        }
    }

    final var plan: QueryPlan { asked.plan }

    /// The SQL; its values are those of the question.
    final var compiled: CompiledQuery { asked.prepared.query }

    /// How columns in memory answer the query; nil when only the database can.
    final var scan: ColumnScan? { asked.scan }

    /// The statements that ask the table.
    final var texts: QueryTexts { table.texts(of: asked.prepared) }

    deinit {
        core.removeAccessor()
    }

    /// Whether the realm released everything since the query was made.
    final var isInvalidated: Bool { core.epoch != epoch }

    /// How many elements were read at the instance's version; nil when they were not.
    var knownCount: Int? { nil }

    /// The elements at the instance's version as a token compares them, read without telling an observer.
    func contents() throws(Realm.Error) -> ObservedSource.Contents { .rows([]) }

    final var count: Int {
        prepare()
        if let known = knownCount { return known }
        return core.version.exclusively { counted() }
    }

    private func counted() -> Int {
        let generation = core.store.generation
        if let known = lastCount, known.generation == generation { return known.count }
        let count = core.reading(or: 0) { () throws(Realm.Error) in
            if let count = try scannedCount() { return count }
            let statement = try texts.count(table)
            bind(statement)
            defer { statement.reset() }
            return try statement.step() ? Int(statement.int(0)) : 0
        }
        lastCount = (core.store.generation, count)
        return count
    }

    /// The key of each object, once and without reading its row.
    final func distinctKeys() throws(Realm.Error) -> [Int64] {
        prepare()
        reportQuery()
        let keys = try bound(texts.keys).keys()
        // A list may have an object more than once.
        return plan.source == .all ? keys : Set(keys).sorted()
    }

    /// Reports to the observer what the query found, unless it knows.
    ///
    /// - Returns: Whether it was reported now.
    @discardableResult
    func reportQuery() -> Bool { false }

    // MARK: Statements

    /// Lets the database look at a query of a stranger's making before anybody relies on it.
    ///
    /// - Throws: ``Realm/Error`` with `.invalidInput` when it is too much for the database.
    final func check(_ query: CompiledQuery) throws(Realm.Error) {
        // Short text is within all limits.
        guard query.text.utf8.count > 1000 else { return }
        prepare()
        do throws(Realm.Error) {
            _ = try table.statement(query.count)
        } catch {
            throw Realm.Error(.invalidInput, "The query on '\(plan.className)' is too complex: \(error.message)")
        }
    }

    /// Makes sure that the thread is right and a version is read.
    final func prepare() {
        core.checkThread()
        if isInvalidated {
            misuse("A result of '\(plan.className)' was used after its realm was invalidated; fetch it again.")
        }
        core.beginReading()
    }

    final func bound(_ sql: String) throws(Realm.Error) -> Statement {
        let statement = try table.statement(sql)
        bind(statement)
        return statement
    }

    final func bind(_ statement: Statement) {
        bind(asked.arguments, to: statement)
    }

    final func bind(_ arguments: [Value], to statement: Statement) {
        for (index, value) in arguments.enumerated() {
            value.bind(to: statement.handle, at: Int32(index + 1))
        }
    }
}

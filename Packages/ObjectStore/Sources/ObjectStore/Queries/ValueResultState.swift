import EventModel
import ObjectQueries

/// A query for the elements of a collection that are no objects, with their values as of the last evaluation.
final class ValueResultState<Element: RealmCollectionValue>: ResultState {
    /// The object that the collection belongs to.
    let owner: ObjectCore
    let slot: Int
    private var evaluated: (generation: UInt64, values: [Element])?
    /// Whether values came or went that no event says yet.
    private var isNews = false

    /// - Precondition: The slot is that of a collection of the element type, which the plan's source names.
    init(_ owner: ObjectCore, _ slot: Int, _ plan: QueryPlan) {
        self.owner = owner
        self.slot = slot
        let core = owner.confinedRealm
        super.init(core, owner.table, Self.asked(plan, core, owner.table))
    }

    override var knownCount: Int? {
        core.version.exclusively {
            evaluated.flatMap { $0.generation == core.store.generation ? $0.values.count : nil }
        }
    }

    override func contents() throws(Realm.Error) -> ObservedSource.Contents {
        let isAny = Element._elementType.kind == .any
        let statement = try bound(compiled.select(columns))
        var values: [StoredValue] = []
        while try statement.step() { values.append(StoredValue(statement, 0, isAny: isAny)) }
        return .values(try values.withNestedValues(table))
    }

    /// The values at the instance's version, read in one pass unless they are known.
    func values() -> [Element] {
        prepare()
        return core.version.exclusively { evaluatedValues() }
    }

    private func evaluatedValues() -> [Element] {
        let generation = core.store.generation
        if let evaluated, evaluated.generation == generation { return evaluated.values }
        let values: [Element] = core.reading(or: []) { () throws(Realm.Error) in try read(compiled.select(columns)) }
        if let evaluated, isNews(values, after: evaluated.values) { isNews = true }
        evaluated = (generation, values)
        return values
    }

    // MARK: Recording

    /// Tells the observer, unless it knows, that values of the object are shown.
    ///
    /// - Returns: False: there is no query to report.
    @discardableResult
    override func reportQuery() -> Bool {
        guard core.observer.seesShownObjects else { return false }
        prepare()
        guard core.observer.opening != 0 else { return false }
        // What changed is found by comparing.
        _ = values()
        // Several threads read frozen values at once, which are never news.
        if isNews {
            isNews = false
            owner.show(isNews: true)
        } else {
            owner.show()
        }
        return false
    }

    /// Whether values were read again that no event says.
    private func isNews(_ values: [Element], after old: [Element]) -> Bool {
        core.observer.opening != 0 && !core.transaction.hasChanges
            && !values.elementsEqual(old) { $0._identity == $1._identity }
            && !core.recording.isOwnWrite(owner.key, owner.table)
    }

    // MARK: Edges

    /// The first value, read alone where possible.
    func first() -> Element? {
        reportQuery()
        return edge("\(compiled.select(columns)) LIMIT 1") ?? values().first
    }

    /// The last value, read alone where possible.
    func last() -> Element? {
        reportQuery()
        return edge(compiled.selectLast(columns)) ?? values().last
    }

    private func edge(_ sql: String?) -> Element?? {
        prepare()
        guard let sql, knownCount == nil else { return nil }
        return .some(core.reading(or: nil) { () throws(Realm.Error) in try read(sql).first })
    }

    private func read(_ sql: String) throws(Realm.Error) -> [Element] {
        let statement = try bound(sql)
        var values: [Element] = []
        while try statement.step() {
            values.append(Element._element(column: 0, of: statement.handle, in: owner, slot))
        }
        return values
    }

    /// A value of any type has its type in a second column.
    private var columns: String {
        let value = "\(compiled.alias).\(StorageNames.value)"
        guard Element._elementType.kind == .any else { return value }
        return "\(value), \(compiled.alias).\(StorageNames.valueType)"
    }
}

import EventModel
import ObjectQueries

/// The objects of a class, or the elements that a query finds: live, and read when they are needed.
///
/// A result follows the version of its realm. Iterating goes over the elements as they are when it begins, so that a
/// loop may change or delete them. The result of a query on an unmanaged collection holds the elements as they were.
public struct Results<Element: RealmCollectionValue> {
    /// Where the elements come from.
    enum Content {
        case objects(ObjectResultState)
        case values(ValueResultState<Element>)
        /// Those of an unmanaged collection.
        case memory([Element])
    }

    let content: Content

    init(_ state: ObjectResultState) {
        content = .objects(state)
    }

    init(_ state: ValueResultState<Element>) {
        content = .values(state)
    }

    init(memory elements: [Element]) {
        content = .memory(elements)
    }

    /// All objects of a class.
    init(_ core: RealmCore, _ table: ClassTable) {
        self.init(ObjectResultState(all: core, table))
    }

    /// The elements of a collection.
    init(elementsOf owner: ObjectCore, _ slot: Int) {
        let property = owner.table.schema.properties[slot]
        let source = QueryPlan.Source.elements(
            owner: owner.table.schema.name,
            key: owner.key,
            property: property.name
        )
        self.init(owner, slot, source)
    }

    private init(_ owner: ObjectCore, _ slot: Int, _ source: QueryPlan.Source) {
        let property = owner.table.schema.properties[slot]
        guard let target = property.type.target else {
            self.init(ValueResultState(owner, slot, QueryPlan(owner.table.schema.name, source: source)))
            return
        }
        let realm = owner.confinedRealm
        let table = realm.requireTable(target)
        let plan = QueryPlan(table.schema.name, source: source)
        self.init(ObjectResultState(realm, table, plan, parent: table.schema.isEmbedded ? owner : nil))
    }

    /// The elements of a collection whose object exists.
    init<Label>(of elements: ManagedElements<Label, Element>) {
        elements.validate()
        let (core, slot) = (elements.core, elements.slot)
        guard let nested = elements.nested else {
            self.init(elementsOf: core, slot)
            return
        }
        let schema = core.table.schema
        self.init(
            core,
            slot,
            .nested(
                owner: schema.name,
                property: schema.properties[slot].name,
                key: nested,
                isDictionary: Label.isKey
            )
        )
    }

    /// The query; nil for elements of an unmanaged collection.
    var state: ResultState? {
        switch content {
        case .objects(let state): state
        case .values(let state): state
        case .memory: nil
        }
    }

    /// The realm that is read; nil for elements of an unmanaged collection.
    public var realm: Realm? { state.flatMap { $0.isInvalidated ? nil : Realm(core: $0.core) } }

    /// Whether the realm was invalidated, so that the result can no longer be used.
    public var isInvalidated: Bool { state?.isInvalidated ?? false }

    /// How many elements there are; counted by the database unless they were read anyway.
    public var count: Int {
        switch content {
        case .objects(let state): state.count
        case .values(let state): state.count
        case .memory(let elements): elements.count
        }
    }

    /// Whether there is no element.
    public var isEmpty: Bool { count == 0 }

    /// The first element, read alone where possible; nil when there is none.
    public var first: Element? {
        switch content {
        case .objects(let state): taken(state.firstRow(), state)
        case .values(let state): state.first()
        case .memory(let elements): elements.first
        }
    }

    /// The last element, read alone where possible; nil when there is none.
    public var last: Element? {
        switch content {
        case .objects(let state): taken(state.lastRow(), state)
        case .values(let state): state.last()
        case .memory(let elements): elements.last
        }
    }

    /// Reads a row; that there is none is reported to an observer, too.
    private func taken(_ row: ObjectSnapshot?, _ state: ObjectResultState) -> Element? {
        guard let row else {
            state.reportQuery()
            return nil
        }
        return read(row, state)
    }

    private func read(_ row: ObjectSnapshot, _ state: ObjectResultState) -> Element {
        state.report(row)
        return Element._object(state.object(row))
    }
}

// MARK: - Collection

extension Results: RealmCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many elements there are.
    public var endIndex: Int { count }

    /// The result itself.
    public var _results: Results<Element> { self }

    /// Reads an element.
    ///
    /// - Precondition: `0 <= position < count`.
    public subscript(position: Int) -> Element {
        switch content {
        case .objects(let state):
            guard let row = state.row(at: position) else {
                if state.core.version.lacksData, let standIn = Element.standIn { return standIn }
                outside(position, state.count)
            }
            return read(row, state)
        case .values(let state):
            state.reportQuery()
            let values = state.values()
            requireElement(position, values.count)
            return values[position]
        case .memory(let elements):
            requireElement(position, elements.count)
            return elements[position]
        }
    }

    private func requireElement(_ position: Int, _ count: Int) {
        if position < 0 || position >= count { outside(position, count) }
    }

    private func outside(_ position: Int, _ count: Int) -> Never {
        misuse("The index \(position) is outside of a result of \(count) elements.")
    }

    /// Iterates over the elements as they are now.
    public func makeIterator() -> ResultsIterator<Element> {
        switch content {
        case .objects(let state):
            if let cursor = state.cursor() { return ResultsIterator(state, cursor) }
            let rows = state.rows()
            return ResultsIterator(state, rows, state.snapshotsForIteration(rows))
        case .values(let state): return ResultsIterator(state.values(), of: state.owner)
        case .memory(let elements): return ResultsIterator(elements)
        }
    }

    /// Makes something of each element, one after the other: what a long result has never lies in memory.
    ///
    /// - Complexity: O(*n*) in the count of elements.
    public func map<Made, Failure: Error>(_ transform: (Element) throws(Failure) -> Made) throws(Failure) -> [Made] {
        var made: [Made] = []
        // That of all collections asks for each element by its index, for which all would be read.
        for element in self { made.append(try transform(element)) }
        return made
    }

    /// Finds the first place of an element; nil when it is not there.
    ///
    /// - Complexity: O(*n*) in the count of elements.
    public func index(of element: Element) -> Int? {
        state?.reportQuery()
        return place(of: element)
    }
}

extension Results: Equatable {
    /// Whether both are the same query on the same instance, or the same elements of an unmanaged collection.
    public static func == (left: Results, right: Results) -> Bool {
        if case .memory(let first) = left.content, case .memory(let second) = right.content { return first == second }
        guard let first = left.state, let second = right.state else { return false }
        return first === second || (first.core === second.core && first.plan == second.plan)
    }
}

extension Results: CustomStringConvertible {
    /// The class and the count of elements.
    public var description: String {
        let name = Element._elementType.target?.className() ?? "\(Element.self)"
        return isInvalidated ? "Results<\(name)> (invalidated)" : "Results<\(name)> of \(count) elements"
    }
}

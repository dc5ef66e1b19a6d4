import EventModel
import ObjectQueries

/// The objects of a class, or those that a query matches: live, and read when they are needed.
///
/// A result follows the version of its realm. Iterating goes over the objects as they are when it begins, so that a
/// loop may change or delete them.
public struct Results<Element: Object> {
    let state: ResultState

    init(_ state: ResultState) {
        self.state = state
    }

    init(_ core: RealmCore, _ table: ClassTable) {
        state = ResultState(core, table, QueryPlan(table.schema.name))
    }

    /// The realm that is read.
    public var realm: Realm? { Realm(core: state.core) }

    /// How many objects there are; counted by the database unless the objects were read anyway.
    public var count: Int { state.count }

    /// Whether there is no object.
    public var isEmpty: Bool { state.count == 0 }

    /// The first object, read alone where possible; nil when there is none.
    public var first: Element? { taken(state.firstRow()) }

    /// The last object; nil when there is none.
    ///
    /// - Complexity: O(*n*) unless the objects were read before.
    public var last: Element? { taken(state.rows().last) }

    /// Reads a row; that there is none is told to an observer too.
    private func taken(_ row: ObjectSnapshot?) -> Element? {
        guard let row else {
            state.reportQuery()
            return nil
        }
        return read(row)
    }

    private func read(_ row: ObjectSnapshot) -> Element {
        state.report(row)
        return state.core.object(Element.self, state.table, row)
    }

    /// Finds the place of an object; nil when it is not among them.
    ///
    /// - Complexity: O(*n*) in the count of objects.
    public func index(of object: Element) -> Int? {
        state.reportQuery()
        guard let core = object._core, core.realm === state.core else { return nil }
        return state.rows().firstIndex { $0.key == core.key }
    }
}

// MARK: - Collection

extension Results: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many objects there are.
    public var endIndex: Int { state.count }

    /// Reads an object.
    ///
    /// - Precondition: `0 <= position < count`.
    public subscript(position: Int) -> Element {
        let rows = state.rows()
        guard position >= 0, position < rows.count else {
            misuse("The index \(position) is outside of a result of \(rows.count) objects.")
        }
        return read(rows[position])
    }

    /// Iterates over the objects as they are now.
    public func makeIterator() -> ResultsIterator<Element> {
        if let cursor = state.cursor() { return ResultsIterator(state, cursor) }
        let rows = state.rows()
        return ResultsIterator(state, rows, state.snapshotsForIteration(rows))
    }
}

/// Makes the objects of a result one after the other.
public struct ResultsIterator<Element: Object>: IteratorProtocol {
    private let state: ResultState
    private let core: RealmCore
    private let table: ClassTable
    private var rows: [ObjectSnapshot]
    /// Where the rows after these come from; nil when these are all.
    private let cursor: RowCursor?
    private let generation: UInt64
    /// The snapshots that each step tells the observer.
    private let snapshots: [Int64: ObjectSnapshot]?
    private var index = 0

    init(_ state: ResultState, _ rows: [ObjectSnapshot], _ snapshots: [Int64: ObjectSnapshot]?) {
        self.state = state
        core = state.core
        table = state.table
        self.rows = rows
        self.snapshots = snapshots
        cursor = nil
        generation = state.table.generation
    }

    init(_ state: ResultState, _ cursor: RowCursor) {
        self.state = state
        core = state.core
        table = state.table
        rows = cursor.batch
        snapshots = nil
        self.cursor = cursor
        generation = state.table.generation
    }

    /// Makes the next object; nil at the end.
    public mutating func next() -> Element? {
        if index >= rows.count {
            guard nextBatch() else { return nil }
        }
        let row = rows[index]
        index += 1
        if let snapshot = snapshots?[row.key] { core.openObserver?.didRead(snapshot) }
        let object = Element()
        object._core = ObjectCore(realm: core, table: table, row: row, generation: generation)
        return object
    }
}

extension ResultsIterator {
    private mutating func nextBatch() -> Bool {
        guard let cursor else { return false }
        // Given up first, so that the cursor can use the memory of the batch again.
        rows = []
        guard cursor.advance() else { return false }
        rows = cursor.batch
        index = 0
        return true
    }
}

extension Results: Equatable {
    /// Whether both are the same query on the same instance.
    public static func == (left: Results, right: Results) -> Bool {
        left.state === right.state || (left.state.core === right.state.core && left.state.plan == right.state.plan)
    }
}

extension Results: CustomStringConvertible {
    /// The class and the count of objects.
    public var description: String { "Results<\(Element.className())> of \(count) objects" }
}

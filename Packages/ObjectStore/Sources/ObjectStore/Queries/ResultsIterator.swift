import EventModel

/// Makes the elements of a result one after the other.
public struct ResultsIterator<Element: RealmCollectionValue>: IteratorProtocol {
    /// What makes objects of rows; nil when the elements are values.
    private let state: ObjectResultState?
    private var rows: [ObjectSnapshot] = []
    /// Where the rows after these come from; nil when these are all.
    private let cursor: RowCursor?
    private let generation: UInt64
    /// The snapshots that each step gives the observer.
    private let snapshots: IterationSnapshots?
    private let values: [Element]
    /// The object that the values belong to; nil when there is none.
    private let owner: ObjectCore?
    private var index = 0

    init(_ state: ObjectResultState, _ rows: [ObjectSnapshot], _ snapshots: IterationSnapshots?) {
        self.state = state
        self.rows = rows
        self.snapshots = snapshots
        values = []
        owner = nil
        cursor = nil
        generation = state.table.generation
    }

    init(_ state: ObjectResultState, _ cursor: RowCursor) {
        self.state = state
        rows = cursor.batch
        snapshots = nil
        values = []
        owner = nil
        self.cursor = cursor
        generation = state.table.generation
    }

    init(_ values: [Element], of owner: ObjectCore? = nil) {
        self.values = values
        self.owner = owner
        state = nil
        cursor = nil
        snapshots = nil
        generation = 0
    }

    /// Makes the next element; nil at the end.
    public mutating func next() -> Element? {
        guard let state else { return nextValue() }
        if index >= rows.count {
            guard nextBatch() else { return nil }
        }
        let row = rows[index]
        if let snapshot = snapshots?.snapshot(of: row, at: index), state.core.observer.isListening {
            state.core.observer.didRead(snapshot)
        }
        index += 1
        return Element._object(state.object(row, generation: generation))
    }

    private mutating func nextValue() -> Element? {
        guard index < values.count else { return nil }
        defer { index += 1 }
        owner?.show()
        return values[index]
    }

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

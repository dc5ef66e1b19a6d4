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
    /// The properties that the rows have; see ``LoadedSlots``.
    private var loaded = LoadedSlots.all
    /// The core of the object that was made last.
    private var core: ObjectCore?
    /// How many objects still tell which properties are read.
    private var probesLeft = 0

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
        state.table.readProperties.begin()
        probesLeft = state.table.schema.properties.count <= LoadedSlots.maximumCount ? LoadedSlots.probeCount : 0
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
        guard probesLeft == 0 else { return probe(row, state) }
        return Element._object(nextCore(row, state))
    }

    /// Makes the core of the next object, of the one before if that is gone.
    @inline(__always)
    private mutating func nextCore(_ row: ObjectSnapshot, _ state: ObjectResultState) -> ObjectCore {
        if isKnownUniquelyReferenced(&core), let core {
            core.reuse(for: row, generation: generation, loaded: loaded, state.core)
            return core
        }
        let made = state.object(row, generation: generation, loaded: loaded)
        core = made
        return made
    }

    /// Makes one of the first objects, which tells what the program reads.
    private mutating func probe(_ row: ObjectSnapshot, _ state: ObjectResultState) -> Element {
        probesLeft -= 1
        let loaded = PartialColumns.withoutColumn(state.table.columns)
        let core = state.object(row, generation: generation, loaded: loaded)
        core.isProbe = true
        return Element._object(core)
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
        loaded = cursor.loaded
        index = 0
        return true
    }
}

import ChangeModel

/// What a cell is addressed by in the database.
struct CellKey: Hashable {
    let object: Int64
    let path: [UInt8]
}

/// One cell that was read or written in a transaction, and what the database has of it.
struct RememberedCell {
    let key: CellKey
    var cell: Cell?
    var isDirty = false
    /// How many bytes its row has; 0 where there is none.
    var storedBytes = 0
    /// Where the link goes that the database has.
    var storedTarget: ObjectAddress?
}

/// The cells that a transaction read or wrote, in the order in which it met them.
struct RememberedCells {
    private var slots: [RememberedCell] = []
    private var indices: [CellKey: Int] = [:]
    private var dirty: [Int] = []
    /// The index that was asked for last, as the rules ask for one cell several times.
    private var last = -1

    /// How many cells there are.
    var count: Int { slots.count }

    /// Returns where a cell is; nil for one that was not met yet.
    mutating func index(of key: CellKey) -> Int? {
        if last >= 0, slots[last].key == key { return last }
        guard let index = indices[key] else { return nil }
        last = index
        return index
    }

    /// Remembers a cell that was not met yet, and returns where it is.
    mutating func add(_ slot: RememberedCell) -> Int {
        indices[slot.key] = slots.count
        slots.append(slot)
        last = slots.count - 1
        return last
    }

    /// The cell at an index.
    subscript(_ index: Int) -> RememberedCell { slots[index] }

    /// Changes a cell, which is written later.
    mutating func set(_ cell: Cell?, at index: Int) {
        slots[index].cell = cell
        guard !slots[index].isDirty else { return }
        slots[index].isDirty = true
        dirty.append(index)
    }

    /// Returns the cells that are to be written, in the order in which they were changed.
    mutating func takeDirty() -> [Int] {
        defer { dirty = [] }
        return dirty
    }

    /// Notes what the database has of a cell now.
    mutating func stored(_ index: Int, bytes: Int, target: ObjectAddress?) {
        slots[index].isDirty = false
        slots[index].storedBytes = bytes
        slots[index].storedTarget = target
    }
}

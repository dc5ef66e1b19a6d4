import ChangeModel

/// One object of a realm, as the database has it or will have it.
struct ObjectRow {
    /// The number of the object in the database.
    let number: Int64
    var existence = Existence()
    /// The number of the entry that changed it last.
    var changed = 0
    /// How many bytes its cells take, with what was allowed to come since they were counted.
    var bytes = 0
    var isDirty = false
}

/// The objects that a transaction asked for, in the order in which it met them.
///
/// The rules ask for one object several times, and a change is mostly of one: so what was asked for last is compared before
/// anything is hashed, and a row is changed where it lies.
struct RememberedObjects {
    private struct Slot {
        let address: ObjectAddress
        /// The row; nil for an object that nobody ever named.
        var row: ObjectRow?
    }

    private var slots: [Slot] = []
    private var indices: [ObjectAddress: Int] = [:]
    private var dirty: [Int] = []
    private var last = -1

    /// How many objects there are.
    var count: Int { slots.count }

    /// Returns where an object is; nil for one that was not asked for yet.
    mutating func index(of address: ObjectAddress) -> Int? {
        if last >= 0, slots[last].address == address { return last }
        guard let index = indices[address] else { return nil }
        last = index
        return index
    }

    /// Remembers an object that was not asked for yet, and returns where it is.
    mutating func add(_ address: ObjectAddress, _ row: ObjectRow?) -> Int {
        indices[address] = slots.count
        slots.append(Slot(address: address, row: row))
        last = slots.count - 1
        return last
    }

    /// The row at an index; nil for an object that nobody ever named.
    subscript(_ index: Int) -> ObjectRow? { slots[index].row }

    /// Gives an object its row.
    mutating func name(_ index: Int, _ row: ObjectRow) { slots[index].row = row }

    /// Changes a row, which is written later; nothing happens where there is none.
    mutating func change(_ index: Int, _ body: (inout ObjectRow) -> Void) {
        guard var row = slots[index].row else { return }
        body(&row)
        if !row.isDirty { dirty.append(index) }
        row.isDirty = true
        slots[index].row = row
    }

    /// Notes that an object may take more bytes, which is nothing that is written.
    mutating func add(bytes: Int, at index: Int) { slots[index].row?.bytes += bytes }

    /// Returns the rows that are to be written, in the order in which they were changed, and takes them for written.
    mutating func takeDirty() -> [ObjectRow] {
        defer { dirty = [] }
        return dirty.compactMap { index in
            slots[index].row?.isDirty = false
            return slots[index].row
        }
    }
}

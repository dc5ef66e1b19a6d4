import ChangeModel
import EventModel

/// What the open transaction of a file that keeps its changes did, beyond what the change log says of it.
///
/// Only what the program did itself is here: the links that a deletion clears are cleared on each device anew.
final class TouchedCells {
    /// What was done to the objects of one class.
    struct Rows {
        /// The properties that were written of rows that were there before.
        var written = WrittenSlots()
        /// The properties of new rows that hold what their declarations say.
        var defaults: [Int64: ExactSlots] = [:]
        /// By how much properties were incremented that were not assigned, by row and slot.
        var increments: [Int64: [Int: Int64]] = [:]
        /// The primary keys of rows that were there before and were deleted.
        var deleted: [Int64: PrimaryKey] = [:]

        var isEmpty: Bool { written.isEmpty && defaults.isEmpty && increments.isEmpty && deleted.isEmpty }

        /// Notes that a property of a new row was given a value, which undoes what was added before.
        mutating func give(_ key: Int64, _ slot: Int) {
            if !defaults.isEmpty { defaults[key]?.remove(slot) }
            if !increments.isEmpty { increments[key]?[slot] = nil }
        }

        /// Notes an assignment, which undoes what was added before.
        mutating func write(_ key: Int64, _ slot: Int) {
            written.insert(key, slot)
            if !increments.isEmpty { increments[key]?[slot] = nil }
        }
    }

    /// Names a collection: the row and slot of its owner, or its own key when it lies inside a value of any type.
    struct CollectionID: Hashable {
        let table: ObjectIdentifier?
        let owner: Int64
        let slot: Int
    }

    /// What was done to the elements of one list, by their names.
    struct Elements {
        /// Whether all elements were taken out at once, before everything else that is noted here.
        var isCleared = false
        var inserted: Set<Int64> = []
        var written: Set<Int64> = []
        var moved: Set<Int64> = []
        /// Those that were there before.
        var removed: Set<Int64> = []
        /// Where those stood that were removed, moved or cleared, of those that were there before.
        var former: [Int64: Double] = [:]
        /// Those of them that went because what they link to was deleted.
        var unlinked: Set<Int64> = []
    }

    /// What was done to the entries of one map.
    struct Entries {
        /// Whether all were taken out at once, before everything else that is noted here.
        var isCleared = false
        var keys: Set<ExactText> = []
    }

    /// What was done to the members of one set.
    struct Members {
        /// Whether all were taken out at once, before everything else that is noted here.
        var isCleared = false
        /// How the row has, or had, each of them.
        var members: [CellValue: AnyCell] = [:]
    }

    var ids = ElementIDs()
    /// Says when a change was made.
    var clock: any EventClock = SystemClock()
    /// How much may wait.
    var limits = PendingLimits()
    /// Whether something was done to objects, which the tables of their classes have.
    private var hasRows = false
    private(set) var lists: [CollectionID: Elements] = [:]
    private(set) var maps: [CollectionID: Entries] = [:]
    private(set) var sets: [CollectionID: Members] = [:]
    /// The objects of asymmetric classes that were created, in order.
    private(set) var posted: [ChangeOperation] = []
    /// What waited when this instance integrated last; nil before, and after a failure.
    var pending: PendingIndex?
    /// Where the file was when the instance kept its last change; nil before, and after a transaction that was rolled back.
    var known: KnownStanding?
    /// The bytes before the first change that waited last, and its number; see ``PendingChanges/totals()``.
    var bytesBefore: (number: Int64, bytes: Int64)?
    /// Whether the instance has looked for what was put aside and is declared by now.
    var hasLookedForDeclared = false
    /// Whether the transaction writes what a server said, which is no change of this device.
    var isPaused = false

    /// Forgets everything, as the transaction is over.
    ///
    /// - Parameter tables: The tables that have what was done to objects.
    func end(_ tables: [ClassTable]) {
        isPaused = false
        guard !isEmpty else { return }
        if hasRows { for table in tables where !table.touchedObjects.isEmpty { table.touchedObjects = Rows() } }
        hasRows = false
        (lists, maps, sets, posted) = ([:], [:], [:], [])
    }

    /// Hands out what waited last, which belongs to the transaction from then on.
    func takePending() -> PendingIndex? {
        defer { pending = nil }
        return pending
    }

    private var isEmpty: Bool { !hasRows && lists.isEmpty && maps.isEmpty && sets.isEmpty && posted.isEmpty }

    /// Notes an object of an asymmetric class.
    func post(_ object: ObjectAddress, _ document: String) {
        posted.append(ChangeOperation(object, .post(ExactText(document))))
    }

    // MARK: Rows

    func didWrite(_ table: ClassTable, _ key: Int64, _ slot: Int) {
        guard !isPaused else { return }
        if table.isNew(key) {
            table.touchedObjects.give(key, slot)
        } else {
            hasRows = true
            table.touchedObjects.write(key, slot)
        }
    }

    /// Notes that a number was added to an integer that was not assigned in this transaction.
    ///
    /// - Parameters:
    ///   - table: The table of the row.
    ///   - key: The row.
    ///   - slot: The property.
    ///   - amount: The number.
    ///   - write: Writes the sum, which is noted as an assignment at first.
    func increment(_ table: ClassTable, _ key: Int64, _ slot: Int, by amount: Int64, _ write: () -> Void) {
        guard !table.isNew(key) else { return incrementNew(table, key, slot, by: amount, write) }
        func isWritten() -> Bool { table.touchedObjects.written.contains(key, slot) }
        let (wasWritten, sum) = (isWritten(), table.touchedObjects.increments[key]?[slot])
        write()
        guard isWritten(), !wasWritten || sum != nil else { return }
        table.touchedObjects.increments[key, default: [:]][slot] = (sum ?? 0) &+ amount
    }

    /// Notes that a number was added to what a declaration says; what was given to a new object takes it up.
    ///
    /// So two devices that create one object, each with its first count, count two.
    private func incrementNew(_ table: ClassTable, _ key: Int64, _ slot: Int, by amount: Int64, _ write: () -> Void) {
        let sum = table.touchedObjects.increments[key]?[slot] ?? 0
        guard table.schema.primaryKeySlot != nil,
            table.touchedObjects.defaults[key]?.contains(slot) == true
        else { return write() }
        write()
        table.touchedObjects.defaults[key]?.insert(slot)
        table.touchedObjects.increments[key, default: [:]][slot] = sum &+ amount
    }

    /// Notes which properties of a new row hold what their declarations say.
    func didInsert(_ table: ClassTable, _ key: Int64, defaults: ExactSlots) {
        guard !isPaused, !defaults.isEmpty else { return }
        hasRows = true
        table.touchedObjects.defaults[key] = defaults
    }

    func willDelete(_ table: ClassTable, _ key: Int64, _ primaryKey: PrimaryKey) {
        hasRows = true
        table.touchedObjects.deleted[key] = primaryKey
    }

    // MARK: Lists

    func change(list: CollectionID, _ change: (inout Elements) -> Void) {
        change(&lists[list, default: Elements()])
    }

    /// Lets elements that are gone from a list stay between the rows that they were between.
    func reposition(list: CollectionID, _ following: Repositioning) {
        guard let former = lists[list]?.former, !former.isEmpty else { return }
        lists[list]?.former = former.mapValues(following.position)
    }

    func change(map: CollectionID, _ change: (inout Entries) -> Void) {
        change(&maps[map, default: Entries()])
    }

    func change(set: CollectionID, _ change: (inout Members) -> Void) {
        change(&sets[set, default: Members()])
    }
}

extension TouchedCells.Elements {
    mutating func insert(_ id: Int64) { inserted.insert(id) }

    mutating func remove(_ id: Int64, from position: Int64) {
        written.remove(id)
        moved.remove(id)
        // What is taken out after all were is what came in between.
        guard inserted.remove(id) == nil, !isCleared else { return }
        removed.insert(id)
        keep(id, position)
    }

    /// Notes that an element goes because what it links to does, which the server does by itself where it knows the link.
    ///
    /// One that was given the link in this transaction is another one there, or none, and has to be taken out.
    mutating func unlink(_ id: Int64, from position: Int64) {
        if written.contains(id) { return remove(id, from: position) }
        moved.remove(id)
        guard inserted.remove(id) == nil, !isCleared else { return }
        unlinked.insert(id)
        keep(id, position)
    }

    mutating func write(_ id: Int64) { if !inserted.contains(id) { written.insert(id) } }

    mutating func move(_ id: Int64, from position: Int64) {
        guard !inserted.contains(id) else { return }
        moved.insert(id)
        keep(id, position)
    }

    /// Notes that everything goes: what was noted before has no effect any more.
    ///
    /// - Parameter all: The elements that are there, and where they stand.
    mutating func clear(_ all: [(id: Int64, position: Int64)]) {
        for (id, position) in all where !inserted.contains(id) { keep(id, position) }
        self = TouchedCells.Elements(isCleared: true, former: former)
    }

    private mutating func keep(_ id: Int64, _ position: Int64) {
        if former[id] == nil { former[id] = Double(position) }
    }
}

extension TouchedCells.Entries {
    mutating func clear() { self = TouchedCells.Entries(isCleared: true) }
}

extension TouchedCells.Members {
    mutating func clear() { self = TouchedCells.Members(isCleared: true) }
}

public import ChangeModel

/// A device that shows its pending writes over what the server confirmed, with one copy of everything.
///
/// It follows the design of the client: what is shown lies in one place, and beside it only the pending changes, and
/// where elements stand that a pending change took away. It is a model of that design to be checked by random work, and
/// has no rules of conflict but which of two stamps is greater.
///
/// **What it keeps.** A cell that no pending change touches has the server's value at the device's position. The places
/// of a list without those of pending changes, hidden ones included, are the server's list. See ``violations(of:)``.
public struct OverlayDevice: Sendable {
    /// The number of the file.
    public internal(set) var file: UInt32
    /// The number of the last entry that was integrated.
    public internal(set) var position = 0
    /// The changes that no entry has confirmed yet, in order.
    var pending: [OverlayChange] = []
    var objects: [ObjectAddress: OverlayObject] = [:]
    /// The objects of a snapshot that are newer than the position.
    var newer: [ObjectAddress: NewerObject] = [:]
    var clock = HybridClock.zero
    private var number = 0
    private let rules: OverlayRules

    /// Creates a device with an empty file.
    public init(file: UInt32) { self.init(file: file, rules: .all) }

    /// Creates a device that leaves out some of what it should do.
    package init(file: UInt32, rules: OverlayRules) {
        self.file = file
        self.rules = rules
    }

    /// What an app sees.
    public var contents: RealmContents { RealmContents(objects: objects.mapValues(\.contents)) }

    /// The changes that wait for their entries.
    public var unconfirmed: [Change] { pending.map(\.change) }
}

/// A change that waits for its entry, and what it hides meanwhile.
struct OverlayChange: Sendable {
    var change: Change
    /// The elements that it removed, moved or cleared.
    var hidden: Set<CellAddress> = []
}

// MARK: - Writing

extension OverlayDevice {
    /// Commits operations at once, to be sent later.
    public mutating func commit(_ operations: [ChangeOperation], wallMilliseconds: Int64, isAtomic: Bool = false) {
        clock = clock.atCommit(wallMilliseconds: wallMilliseconds)
        number += 1
        let change = Change(
            number: number,
            base: position,
            clock: clock,
            isAtomic: isAtomic,
            operations: operations
        )
        pending.append(OverlayChange(change: change))
        for index in operations.indices { write(pending.count - 1, index) }
    }

    /// Does an operation of a pending change.
    mutating func write(_ index: Int, _ operation: Int) {
        let change = pending[index].change
        let object = change.operations[operation].object
        switch change.operations[operation].action {
        case .create(let given, let defaults):
            var created = OverlayObject()
            for (name, value) in defaults.updated(with: given) {
                created.cells[CellPath(name)] = value
            }
            objects[object] = created
        case .delete:
            objects[object] = nil
            for referrer in objects.keys { clearLinks(to: object, in: referrer, change.number) }
        case let action:
            let stamp = Stamp(change.clock, file: file, index: UInt32(operation))
            let hidden = objects[object]?.write(action, change: change.number, stamp: stamp) ?? []
            pending[index].hidden.formUnion(hidden.map { CellAddress(object, $0) })
            if !rules.contains(.placesStay) { objects[object]?.dropHidden() }
        }
    }

    /// Clears an object's links to one that was deleted here, which makes no operations.
    mutating func clearLinks(to target: ObjectAddress, in object: ObjectAddress, _ change: Int) {
        for (path, value) in objects[object]?.cells ?? [:] where value.target == target {
            switch path.steps.last {
            case .element where value.isOfAnyType: objects[object]?.cells[path] = .null
            case .element(let id):
                objects[object]?
                    .update(id, of: path.parent) { slot in
                        if rules.contains(.unlinkedKeepValues) {
                            slot.unlinkedBy.insert(change)
                        } else {
                            slot.hiddenBy.insert(change)
                        }
                    }
            case .member: objects[object]?.cells[path] = nil
            default: objects[object]?.cells[path] = .null
            }
        }
    }
}

// MARK: - Integrating

extension OverlayDevice {
    /// Integrates the next entry; others are passed over, as they were seen before or come too early.
    ///
    /// - Returns: Whether it was the next one.
    public mutating func integrate(_ entry: Entry) -> Bool {
        guard entry.number == position + 1 else { return false }
        position = entry.number
        clock = clock.hearing(entry.clock)
        if entry.change.file == file {
            settle(entry)
        } else {
            let stamp = Stamp(entry.clock, file: entry.change.file, index: .max)
            for literal in entry.literals where !isPassed(literal.object) {
                apply(literal, stamp)
                redo(after: literal) { $0 > stamp }
            }
            for object in objects.keys { objects[object]?.forgetUnshown() }
        }
        catchUp()
        return true
    }

    /// Takes what came of an own change: what holds is written, and what later changes did is done again.
    private mutating func settle(_ entry: Entry) {
        guard let own = pending.first, own.change.number == entry.change.number else { return }
        pending.removeFirst()
        for object in objects.keys { objects[object]?.settle(own.change.number) }
        let stamp = Stamp(entry.clock, file: file, index: .max)
        var created: [ObjectAddress: Int] = [:]
        for (index, literal) in entry.literals.enumerated() where literal.isCreation { created[literal.object] = index }
        for (index, literal) in entry.literals.enumerated() where !isPassed(literal.object) {
            // What was created here is there already, and what was done before that was done to a former object.
            if let creation = created[literal.object],
                rules.contains(.formerObjectsArePassed) ? index <= creation : literal.isCreation
            {
                continue
            }
            guard rules.contains(.ownIsWrittenAgain) else { continue }
            apply(literal, stamp)
            if rules.contains(.laterIsDoneAgain) { redo(after: literal) { _ in true } }
        }
        for literal in entry.correctionsInOrder where !isPassed(literal.object) && rules.contains(.correctionsAreTaken)
        {
            apply(literal, stamp)
            if rules.contains(.laterIsDoneAgain) { redo(after: literal) { _ in true } }
        }
        for object in objects.keys { objects[object]?.forgetUnshown() }
    }

    private mutating func apply(_ literal: ChangeOperation, _ stamp: Stamp) {
        switch literal.action {
        case .create(let given, _):
            var created = OverlayObject()
            for (name, value) in given { created.cells[CellPath(name)] = value }
            objects[literal.object] = created
        case .delete: objects[literal.object] = nil
        case let action:
            objects[literal.object]?
                .apply(action, stamp: stamp) { element in
                    let address = CellAddress(literal.object, element)
                    return Set(pending.filter { $0.hidden.contains(address) }.map(\.change.number))
                }
        }
    }

    /// Does again what pending changes did to what a literal has written, or inside it.
    private mutating func redo(after literal: ChangeOperation, where isWanted: (Stamp) -> Bool) {
        guard objects[literal.object] != nil else { return }
        for (index, pending) in pending.enumerated() {
            for (place, operation) in pending.change.operations.enumerated() {
                guard operation.object == literal.object, let path = operation.path,
                    isWanted(Stamp(pending.change.clock, file: file, index: UInt32(place))),
                    literal.path.map({ path == $0 || path.isBelow($0) }) ?? true,
                    objects[literal.object]?.accepts(operation) == true
                else { continue }
                write(index, place)
            }
        }
    }

    /// Whether an entry says nothing of an object here: its own creation or deletion will, or a snapshot did.
    private func isPassed(_ object: ObjectAddress) -> Bool { isCovered(object) || newer[object] != nil }

    /// Whether a pending creation or deletion covers an object: then its own entry brings it whole.
    func isCovered(_ object: ObjectAddress) -> Bool {
        rules.contains(.existenceCovers) && isExistencePending(object)
    }

    /// Whether a pending change creates or deletes an object.
    func isExistencePending(_ object: ObjectAddress) -> Bool {
        pending.contains { $0.change.operations.contains { $0.object == object && $0.path == nil && $0.posted == nil } }
    }
}

extension ChangeOperation {
    fileprivate var isCreation: Bool { if case .create = action { true } else { false } }
}

extension OverlayObject {
    /// Whether there is what an operation changes.
    func accepts(_ operation: ChangeOperation) -> Bool {
        guard let path = operation.path else { return false }
        switch operation.action {
        case .listInsert, .setInsert, .setRemove, .mapSet, .mapRemove, .clear:
            return isReachable(path.parent) || path.steps.count == 1
        case .listMove(let list, let id, _): return lists[list]?.contains { $0.element == id } == true
        default: return isReachable(path)
        }
    }
}

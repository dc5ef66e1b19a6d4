import ChangeModel

/// An object of a snapshot that is newer than the device's position.
struct NewerObject: Sendable {
    /// The position from which it is right.
    let changed: Int
    let object: OverlayObject
}

extension OverlayDevice {
    /// Gives pending changes other times.
    ///
    /// - Parameters:
    ///   - clocks: The times by the numbers of the changes.
    ///   - last: The time that the file goes on from.
    mutating func correct(_ clocks: [Int: HybridClock], last: HybridClock) {
        pending = pending.map { own in
            guard let clock = clocks[own.change.number] else { return own }
            var corrected = own
            corrected.change = Change(
                number: own.change.number,
                base: own.change.base,
                clock: clock,
                isAtomic: own.change.isAtomic,
                event: own.change.event,
                operations: own.change.operations
            )
            return corrected
        }
        clock = last
    }

    /// Forgets pending changes that a snapshot has, and returns them.
    mutating func dropPending(through number: Int) -> [Change] {
        let dropped = pending.prefix { $0.change.number <= number }.map(\.change)
        pending.removeFirst(dropped.count)
        return dropped
    }

    /// Begins anew with the objects of a snapshot, and shows what is pending over them.
    ///
    /// What is newer than the position is shown at once, and taken again when the position has reached it: meanwhile
    /// entries pass it over, those of own changes, too.
    mutating func begin(with snapshot: [SnapshotObject], at head: Int) {
        position = head
        objects = [:]
        newer = [:]
        for item in snapshot {
            var object = OverlayObject()
            for action in item.actions {
                if case .create(let given, let defaults) = action {
                    for (name, value) in defaults.merging(given, uniquingKeysWith: { $1 }) {
                        object.cells[CellPath(name)] = value
                    }
                }
                object.apply(action, stamp: .oldest) { _ in [] }
            }
            objects[item.object] = object
            if item.changed > head { newer[item.object] = NewerObject(changed: item.changed, object: object) }
        }
        show { _ in true }
    }

    /// Takes the objects of a snapshot that the position has reached.
    mutating func catchUp() {
        for (object, item) in newer where item.changed <= position {
            newer[object] = nil
            objects[object] = item.object
            show { $0.object == object || $0.isDeletion }
        }
    }

    /// Does again what is pending.
    private mutating func show(_ isWanted: (ChangeOperation) -> Bool) {
        for (index, own) in pending.enumerated() {
            for (place, operation) in own.change.operations.enumerated() where isWanted(operation) {
                guard operation.path == nil || objects[operation.object]?.accepts(operation) == true else { continue }
                write(index, place)
            }
        }
    }
}

extension ChangeOperation {
    fileprivate var isDeletion: Bool { if case .delete = action { true } else { false } }
}

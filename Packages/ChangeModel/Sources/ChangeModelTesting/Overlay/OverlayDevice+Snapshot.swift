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
                    for (name, value) in defaults.updated(with: given) {
                        object.cells[CellPath(name)] = value
                    }
                }
                object.apply(action, stamp: .oldest) { _ in [] }
            }
            objects[item.object] = object
            if item.changed > head { newer[item.object] = NewerObject(changed: item.changed, object: object) }
        }
        for (index, own) in pending.enumerated() {
            for (place, operation) in own.change.operations.enumerated() where canShow(operation) {
                write(index, place)
            }
        }
    }

    /// Takes the objects of a snapshot that the position has reached.
    mutating func catchUp() {
        for (object, item) in newer where item.changed <= position {
            newer[object] = nil
            objects[object] = item.object
            show(in: object)
        }
    }

    /// Does again what is pending, as far as it shows in an object: what was done to it, and to what it links to.
    private mutating func show(in object: ObjectAddress) {
        for (index, own) in pending.enumerated() {
            for (place, operation) in own.change.operations.enumerated() {
                switch operation.action {
                // Other objects and their links are as they are: they may have been made anew since the deletion.
                case .delete where operation.object == object: objects[object] = nil
                case .delete: clearLinks(to: operation.object, in: object, own.change.number)
                default: if operation.object == object, canShow(operation) { write(index, place) }
                }
            }
        }
    }

    private func canShow(_ operation: ChangeOperation) -> Bool {
        operation.path == nil || objects[operation.object]?.accepts(operation) == true
    }
}

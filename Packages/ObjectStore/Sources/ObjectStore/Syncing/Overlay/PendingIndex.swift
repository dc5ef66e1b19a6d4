import ChangeModel

/// The pending changes of a file by the objects that they touch.
struct PendingIndex {
    /// One operation of a pending change.
    struct Entry {
        let stamp: PendingStamp
        let operation: ChangeOperation
    }

    private(set) var changes: [Change] = []
    private var entries: [ObjectAddress: [Entry]] = [:]

    init(_ changes: [Change]) {
        for change in changes { append(change) }
    }

    private mutating func append(_ change: Change) {
        changes.append(change)
        for (index, operation) in change.operations.enumerated() {
            let stamp = PendingStamp(change: change.number, clock: change.clock, operation: index)
            entries[operation.object, default: []].append(Entry(stamp: stamp, operation: operation))
        }
    }

    /// Takes the first change out.
    mutating func removeFirst() -> Change {
        let first = changes.removeFirst()
        for object in Set(first.operations.map(\.object)) {
            entries[object]?.removeAll { $0.stamp.change == first.number }
        }
        return first
    }

    /// What is pending for an object, in order.
    subscript(object: ObjectAddress) -> [Entry] { entries[object] ?? [] }

    /// Whether an object is about to be created or deleted, so that only its own entry says what it is.
    func covers(_ object: ObjectAddress) -> Bool { entries[object]?.contains { $0.operation.path == nil } ?? false }
}

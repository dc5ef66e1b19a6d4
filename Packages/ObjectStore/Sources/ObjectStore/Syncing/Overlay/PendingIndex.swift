import ChangeModel

/// The pending changes of a file by the objects that they touch.
///
/// An instance that integrates keeps it from one transaction to the next, so that many changes that wait are taken apart once.
struct PendingIndex {
    /// One operation of a pending change.
    struct Entry {
        let stamp: PendingStamp
        let operation: ChangeOperation
    }

    private var changes: [Int: Change] = [:]
    /// The number of the first change; that of the next one when there is none.
    private var firstNumber = 0
    /// The number of the last change that was added; 0 for none.
    private(set) var lastNumber = 0
    private var entries: [ObjectAddress: [Entry]] = [:]

    /// Adds changes behind those that are there.
    mutating func append(_ new: [Change]) {
        for change in new {
            if changes.isEmpty { firstNumber = change.number }
            changes[change.number] = change
            lastNumber = change.number
            for (index, operation) in change.operations.enumerated() {
                let stamp = PendingStamp(change: change.number, clock: change.clock, operation: index)
                entries[operation.object, default: []].append(Entry(stamp: stamp, operation: operation))
            }
        }
    }

    /// The change that comes next; nil for none.
    var first: Change? { changes[firstNumber] }

    /// All changes in order.
    var all: [Change] { changes.values.sorted { $0.number < $1.number } }

    /// Takes the first change out.
    mutating func removeFirst() {
        guard let first else { return }
        changes[firstNumber] = nil
        firstNumber += 1
        for object in Set(first.operations.map(\.object)) {
            entries[object]?.removeAll { $0.stamp.change == first.number }
            if entries[object]?.isEmpty == true { entries[object] = nil }
        }
    }

    /// What is pending for an object, in order.
    subscript(object: ObjectAddress) -> [Entry] { entries[object] ?? [] }

    /// Whether an object is about to be created or deleted, so that only its own entry says what it is.
    func covers(_ object: ObjectAddress) -> Bool { entries[object]?.contains { $0.operation.path == nil } ?? false }
}

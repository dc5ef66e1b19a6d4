import ChangeModel

/// The pending changes of a file by the objects that they touch.
///
/// An instance that integrates keeps it from one transaction to the next, so that many changes that wait are taken apart once. However many
/// wait for one object, or for one cell, what concerns a cell is found at once, and the first change is taken out at once.
struct PendingIndex {
    /// One operation of a pending change.
    struct Entry {
        let stamp: PendingStamp
        let operation: ChangeOperation
    }

    /// What waits for one object.
    private struct Waiting {
        /// All of it, in order.
        var all: ArraySlice<Entry> = []
        /// What is done to a cell or below it, by its path, in order.
        var cells: [CellPath: ArraySlice<Entry>] = [:]
        /// How many operations create or delete the object.
        var existences = 0

        mutating func append(_ entry: Entry) {
            all.append(entry)
            guard let path = entry.operation.path else {
                existences += 1
                return
            }
            for prefix in path.prefixes { cells[prefix, default: []].append(entry) }
        }

        mutating func removeFirst() {
            guard let path = all.removeFirst().operation.path else {
                existences -= 1
                return
            }
            for prefix in path.prefixes {
                cells[prefix]?.removeFirst()
                if cells[prefix]?.isEmpty == true { cells[prefix] = nil }
            }
        }
    }

    private var changes: [Int: Change] = [:]
    /// The number of the first change; that of the next one when there is none.
    private var firstNumber = 0
    /// The number of the last change that was added; 0 for none.
    private(set) var lastNumber = 0
    private var entries: [ObjectAddress: Waiting] = [:]

    /// Adds changes behind those that are there.
    mutating func append(_ new: [Change]) {
        for change in new {
            if changes.isEmpty { firstNumber = change.number }
            changes[change.number] = change
            lastNumber = change.number
            // What is posted is in no realm, and nobody asks for it here.
            for (index, operation) in change.operations.enumerated() where operation.posted == nil {
                let stamp = PendingStamp(change: change.number, clock: change.clock, operation: index)
                entries[operation.object, default: Waiting()].append(Entry(stamp: stamp, operation: operation))
            }
        }
    }

    /// Whether nothing waits.
    var isEmpty: Bool { changes.isEmpty }

    /// The change that comes next; nil for none.
    var first: Change? { changes[firstNumber] }

    /// All changes in order.
    var all: [Change] { changes.values.sorted { $0.number < $1.number } }

    /// Takes the first change out.
    ///
    /// - Complexity: O(*n*) in its operations.
    mutating func removeFirst() {
        guard let first else { return }
        changes[firstNumber] = nil
        firstNumber += 1
        for object in first.operations.filter({ $0.posted == nil }).map(\.object) {
            entries[object]?.removeFirst()
            if entries[object]?.all.isEmpty == true { entries[object] = nil }
        }
    }

    /// What is pending for an object, in order.
    subscript(object: ObjectAddress) -> ArraySlice<Entry> { entries[object]?.all ?? [] }

    /// What is pending for a cell and below it, in order.
    subscript(object: ObjectAddress, path: CellPath) -> ArraySlice<Entry> { entries[object]?.cells[path] ?? [] }

    /// Whether an object is about to be created or deleted, so that only its own entry says what it is.
    func covers(_ object: ObjectAddress) -> Bool { entries[object].map { $0.existences > 0 } ?? false }
}

extension CellPath {
    /// The path and those that it lies below.
    fileprivate var prefixes: [CellPath] {
        steps.count == 1 ? [self] : steps.indices.map { CellPath(steps: Array(steps[...$0])) }
    }
}

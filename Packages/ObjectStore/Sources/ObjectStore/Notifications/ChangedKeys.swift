/// The rows of one class that count as changed: runs of keys, or all.
///
/// The standard library's `RangeSet` is the same but cannot be specialized: asking it takes ten times as long or more, and so does
/// making it. A collection asks for each of its elements.
struct ChangedKeys: Equatable {
    private var keys = KeyRuns()
    private(set) var isEverything = false

    /// Every row there is.
    static let everything: ChangedKeys = {
        var keys = ChangedKeys()
        keys.isEverything = true
        return keys
    }()

    init() {}

    /// Takes runs in any order, which may overlap.
    init(_ runs: [ClosedRange<Int64>]) { keys = KeyRuns(runs) }

    var isEmpty: Bool { keys.isEmpty && !isEverything }

    /// The runs, ascending; none when every row changed.
    var runs: [ClosedRange<Int64>] { keys.runs }

    /// How many keys are named.
    var count: Int { keys.count }

    /// Whether a row is among them.
    ///
    /// - Complexity: O(log *n*) in the count of runs.
    func contains(_ key: Int64) -> Bool { isEverything || keys.contains(key) }

    mutating func formUnion(_ other: ChangedKeys) {
        if isEverything || other.isEmpty { return }
        if other.isEverything || isEmpty {
            self = other
            return
        }
        keys.formUnion(other.keys)
    }
}

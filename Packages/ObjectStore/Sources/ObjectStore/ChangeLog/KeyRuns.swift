/// Keys of rows as runs without a gap, ascending and apart.
///
/// Both ends of a run belong to it, so that the greatest key there can be has a place.
struct KeyRuns: Equatable, Sendable {
    private(set) var runs: [ClosedRange<Int64>] = []

    init() {}

    /// Takes runs in any order, which may overlap.
    ///
    /// - Complexity: O(*n* log *n*) in the count of runs.
    init(_ runs: [ClosedRange<Int64>]) {
        for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(run) }
    }

    var isEmpty: Bool { runs.isEmpty }

    /// How many keys there are; a damaged log may claim more than can be counted.
    var count: Int {
        runs.reduce(0) { sum, run in
            let (distance, isTooLong) = run.upperBound.subtractingReportingOverflow(run.lowerBound)
            let (new, isTooMuch) = sum.addingReportingOverflow(Int(distance) &+ 1)
            return isTooLong || isTooMuch || distance == .max ? .max : new
        }
    }

    /// Adds a run that begins no earlier than those before it.
    mutating func append(_ run: ClosedRange<Int64>) {
        if let last = runs.last, last.upperBound >= run.lowerBound || last.upperBound + 1 == run.lowerBound {
            runs[runs.count - 1] = last.lowerBound...max(last.upperBound, run.upperBound)
        } else {
            runs.append(run)
        }
    }

    /// Whether a key is among them.
    ///
    /// - Complexity: O(log *n*) in the count of runs.
    func contains(_ key: Int64) -> Bool {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound < key { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].lowerBound <= key
    }

    mutating func formUnion(_ other: KeyRuns) {
        if other.isEmpty { return }
        self = isEmpty ? other : KeyRuns(runs + other.runs)
    }

    /// Every key, ascending.
    var keys: some Sequence<Int64> { runs.lazy.flatMap { $0 } }
}

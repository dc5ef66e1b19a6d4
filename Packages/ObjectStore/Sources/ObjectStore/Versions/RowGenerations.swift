/// Which rows of a class an instance changed since a generation of its table, so that the others need not be read again.
///
/// Rows that one transaction changes in the order of their keys, as by a loop over all objects, are kept as one run; the others one by
/// one. A row of a run counts as changed when the last of it was: an answer may say too often that a row changed, and never too seldom.
struct RowGenerations {
    /// How many rows are kept alone before every row counts as changed: some two megabytes.
    static let maximumCount = 1 << 16
    /// How many runs are kept.
    static let maximumRunCount = 64

    /// Rows without a gap between their keys, and the generation at which the last of them changed.
    private struct Run {
        var first: Int64
        /// The last key, which lies before the first one in a run without rows.
        var last: Int64
        var generation: UInt64

        @inline(__always)
        func contains(_ key: Int64) -> Bool { first <= key && key <= last }
    }

    /// The generation before which any row may have changed.
    private var floor: UInt64 = 1
    /// The generation before which rows were read that name another version than the one that is read now.
    private var stampFloor: UInt64 = 1
    /// The run that the next row may lengthen.
    private var last = Run(first: 1, last: 0, generation: 0)
    /// The runs before it, oldest first.
    private var runs: [Run] = []
    /// The rows that were changed alone.
    private var single: [Int64: UInt64] = [:]
    /// The generation after which nothing changed but the rows of the last run.
    private var sealed: UInt64 = 0

    /// Notes that a row changed.
    ///
    /// - Complexity: O(1) amortised; nothing is hashed while each row follows the one before it.
    @inline(__always)
    mutating func note(_ key: Int64, at generation: UInt64) {
        // One less than the key is greater where the key is the least there can be.
        if last.last == key || (last.last < key && last.last == key &- 1), last.first <= last.last {
            last.last = key
            last.generation = generation
        } else {
            begin(key, generation)
        }
    }

    @inline(never)
    private mutating func begin(_ key: Int64, _ generation: UInt64) {
        seal()
        last = Run(first: key, last: key, generation: generation)
        if single.count > Self.maximumCount { noteAll(at: generation) }
    }

    /// Ends the run, at the end of a transaction: what is read behind it is not made stale by the next row.
    ///
    /// - Complexity: O(1) amortised.
    mutating func seal() {
        if last.first == last.last {
            single[last.first] = last.generation
        } else if last.first < last.last {
            runs.append(last)
        }
        sealed = max(sealed, last.generation)
        last = Run(first: 1, last: 0, generation: 0)
        guard runs.count > Self.maximumRunCount else { return }
        // A look goes through the runs. What was read before the older ones changed is read once more.
        let older = runs.count / 2
        floor = max(floor, runs[older - 1].generation)
        runs.removeFirst(older)
    }

    /// Notes that any row may have changed.
    mutating func noteAll(at generation: UInt64) {
        self = Self()
        floor = generation
        stampFloor = generation
    }

    /// Notes that every row has to name the version that is read now, though none changed.
    mutating func noteVersion(at generation: UInt64) { stampFloor = generation }

    /// Whether a row is as it was at a generation, with the version that it names.
    @inline(__always)
    func isUnchanged(_ key: Int64, since generation: UInt64) -> Bool {
        generation >= stampFloor && hasSameContents(key, since: generation)
    }

    /// Whether a row, and the elements of its collections, are as they were at a generation.
    @inline(__always)
    func hasSameContents(_ key: Int64, since generation: UInt64) -> Bool {
        guard generation >= floor else { return false }
        if last.contains(key), last.generation > generation { return false }
        // What was read behind the latest transaction needs no look at each row.
        return generation >= sealed || isUnchangedBefore(key, since: generation)
    }

    @inline(never)
    private func isUnchangedBefore(_ key: Int64, since generation: UInt64) -> Bool {
        if let changed = single[key], changed > generation { return false }
        for run in runs.reversed() {
            if run.generation <= generation { return true }
            if run.contains(key) { return false }
        }
        return true
    }
}

/// The rows of one class that were modified, with the properties that were touched: runs of keys that share a set.
///
/// Recording costs a comparison where rows are modified in the order of their keys; nothing is hashed.
struct ModifiedRows: Equatable, Sendable {
    /// Keys without a gap whose rows had the same properties touched.
    struct Run: Equatable, Sendable {
        var keys: ClosedRange<Int64>
        var slots: SlotSet
    }

    /// The runs in the order of recording; in ascending order and apart once they are ``normalize()``d.
    private(set) var runs: [Run] = []

    init(_ runs: [Run] = []) { self.runs = runs }

    var isEmpty: Bool { runs.isEmpty }

    /// Notes that properties of a row were touched.
    @inline(__always)
    mutating func insert(_ key: Int64, _ slots: SlotSet) {
        if let last = runs.last {
            if last.keys.upperBound == key {
                if last.slots.bits | slots.bits == last.slots.bits { return }
                if last.keys.lowerBound == key {
                    runs[runs.count - 1].slots.formUnion(slots)
                    return joinLast()
                }
            } else if last.keys.upperBound < key, last.keys.upperBound + 1 == key, last.slots == slots {
                runs[runs.count - 1].keys = last.keys.lowerBound...key
                return
            }
        }
        runs.append(Run(keys: key...key, slots: slots))
    }

    /// Joins the last run with the one before it when only its set kept them apart.
    private mutating func joinLast() {
        guard runs.count > 1, let last = runs.last else { return }
        let before = runs[runs.count - 2]
        guard before.keys.upperBound < last.keys.lowerBound, before.keys.upperBound + 1 == last.keys.lowerBound,
            before.slots == last.slots
        else { return }
        runs.removeLast()
        runs[runs.count - 1].keys = before.keys.lowerBound...last.keys.upperBound
    }

    /// Brings the runs into ascending order, each key in one run only.
    ///
    /// - Complexity: O(*n* log *n*) in the count of runs.
    mutating func normalize() {
        guard !isNormal else { return }
        var result: [Run] = []
        result.reserveCapacity(runs.count)
        for run in runs.sorted(by: { $0.keys.lowerBound < $1.keys.lowerBound }) { Self.merge(run, into: &result) }
        runs = result
    }

    private var isNormal: Bool {
        zip(runs, runs.dropFirst()).allSatisfy { $0.keys.upperBound < $1.keys.lowerBound }
    }

    /// Adds a run that begins no earlier than the runs before it did.
    private static func merge(_ run: Run, into result: inout [Run]) {
        // The pieces behind the begin of the run overlap it, because earlier runs began before.
        var overlapping: [Run] = []
        while let last = result.last, last.keys.upperBound >= run.keys.lowerBound {
            result.removeLast()
            if last.keys.lowerBound < run.keys.lowerBound {
                append(Run(keys: last.keys.lowerBound...(run.keys.lowerBound - 1), slots: last.slots), to: &result)
                overlapping.append(Run(keys: run.keys.lowerBound...last.keys.upperBound, slots: last.slots))
                break
            }
            overlapping.append(last)
        }
        // The first key of the run that has no place yet; nil when all have.
        var position: Int64? = run.keys.lowerBound
        for piece in overlapping.reversed() {
            let common = min(piece.keys.upperBound, run.keys.upperBound)
            if let first = position, common >= first {
                let slots = SlotSet(bits: piece.slots.bits | run.slots.bits)
                append(Run(keys: first...common, slots: slots), to: &result)
                position = common < run.keys.upperBound ? common + 1 : nil
            }
            if piece.keys.upperBound > common {
                let rest = max(common + 1, piece.keys.lowerBound)
                append(Run(keys: rest...piece.keys.upperBound, slots: piece.slots), to: &result)
            }
        }
        if let position { append(Run(keys: position...run.keys.upperBound, slots: run.slots), to: &result) }
    }

    private static func append(_ run: Run, to result: inout [Run]) {
        if let last = result.last, last.keys.upperBound + 1 == run.keys.lowerBound, last.slots == run.slots {
            result[result.count - 1].keys = last.keys.lowerBound...run.keys.upperBound
        } else {
            result.append(run)
        }
    }

    /// Adds the rows of another transaction.
    mutating func formUnion(_ other: ModifiedRows) {
        if runs.isEmpty { runs = other.runs } else { runs += other.runs }
        normalize()
    }

    /// The properties that were touched of a row.
    ///
    /// - Precondition: The runs are normalized.
    /// - Complexity: O(log *n*) in the count of runs.
    func slots(of key: Int64) -> SlotSet {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].keys.upperBound < key { low = middle + 1 } else { high = middle }
        }
        guard low < runs.count, runs[low].keys.contains(key) else { return SlotSet() }
        return runs[low].slots
    }

    /// Every key, ascending.
    ///
    /// - Precondition: The runs are normalized.
    var keys: some Sequence<Int64> { runs.lazy.flatMap(\.keys) }
}

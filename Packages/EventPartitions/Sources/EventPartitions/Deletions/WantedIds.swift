import EventModel

/// Ids that somebody looks for, found in the time that the logarithm of their ranges takes.
struct WantedIds {
    /// In order, none overlapping another.
    private let ranges: [ClosedRange<ObjectId>]

    init(_ ids: [ClosedRange<ObjectId>]) {
        var ranges: [ClosedRange<ObjectId>] = []
        for range in ids.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        self.ranges = ranges
    }

    /// Whether an id is looked for.
    func contains(_ id: ObjectId) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < id { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(id)
    }
}

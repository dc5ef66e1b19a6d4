/// The rows of one class that count as changed: ascending ranges of keys, or all.
///
/// The standard library's `RangeSet` is the same but cannot be specialized: asking it takes ten times as long or more, and so does
/// making it. A collection asks for each of its elements.
struct ChangedKeys: Equatable {
    private(set) var ranges: [Range<Int64>] = []
    private(set) var isEverything = false

    /// Every row there is.
    static let everything: ChangedKeys = {
        var keys = ChangedKeys()
        keys.isEverything = true
        return keys
    }()

    init() {}

    /// Takes ranges in any order, which may overlap.
    init(_ ranges: [Range<Int64>]) {
        self.ranges = Self.joined(ranges)
    }

    var isEmpty: Bool { ranges.isEmpty && !isEverything }

    /// Whether a row is among them.
    ///
    /// - Complexity: O(log *n*) in the count of ranges.
    func contains(_ key: Int64) -> Bool {
        if isEverything { return true }
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= key { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= key
    }

    mutating func formUnion(_ other: ChangedKeys) {
        if isEverything || other.isEmpty { return }
        if other.isEverything || isEmpty {
            self = other
            return
        }
        ranges = Self.joined(ranges + other.ranges)
    }

    private static func joined(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
        var result: [Range<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, last.upperBound >= range.lowerBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}

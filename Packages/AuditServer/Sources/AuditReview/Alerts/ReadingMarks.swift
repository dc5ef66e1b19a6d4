/// What one person read, and when, as far as it is needed to find too much in a time.
package struct ReadingMarks: Sendable, Hashable {
    /// One object or event that was read.
    package struct Mark: Sendable, Hashable, Comparable {
        /// The time by the device's clock, in microseconds since 1970.
        package let time: Int64
        /// Tells objects and events apart.
        package let item: Int

        package static func < (left: Mark, right: Mark) -> Bool { (left.time, left.item) < (right.time, right.item) }
    }

    /// The most marks that one person has; the oldest are forgotten first.
    package static let maximumCount = 4096

    private var marks: [Mark] = []
    /// The time from which everything that is stored is known; what is older has to be read again.
    package private(set) var knownSince: Int64

    /// Starts with nothing but what is stored from a time on.
    package init(knownSince: Int64) {
        self.knownSince = knownSince
    }

    /// How many marks there are.
    package var count: Int { marks.count }

    /// Adds a mark, unless it is there.
    ///
    /// - Complexity: O(*n*) in the marks behind it.
    package mutating func insert(_ mark: Mark) {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle] < mark { low = middle + 1 } else { high = middle }
        }
        if low < marks.count, marks[low] == mark { return }
        marks.insert(mark, at: low)
        if marks.count > Self.maximumCount { marks.removeFirst(marks.count - Self.maximumCount) }
    }

    /// Notes that everything since an earlier time is known now.
    package mutating func extend(to time: Int64) {
        knownSince = min(knownSince, time)
    }

    /// Returns the first time of a length around an instant in which there are more different items than a limit.
    ///
    /// - Complexity: O(*n*) in the marks within the length before and after it.
    package func excess(over limit: Int, within length: Int64, around time: Int64) -> (
        from: Int64, through: Int64, count: Int
    )? {
        let near = marks.filter { $0.time > time - length && $0.time < time + length }
        var counts: [Int: Int] = [:]
        var first = near.startIndex
        for mark in near {
            counts[mark.item, default: 0] += 1
            while mark.time - near[first].time >= length {
                let item = near[first].item
                counts[item] = counts[item].flatMap { $0 > 1 ? $0 - 1 : nil }
                first += 1
            }
            // A window that does not hold the instant was looked at when its own events came.
            if counts.count > limit, near[first].time <= time, mark.time >= time {
                return (near[first].time, mark.time, counts.count)
            }
        }
        return nil
    }
}

/// The places of a section's elements in the result behind it: runs, of which there is one where the result is ordered by the key.
struct SectionPlaces {
    private(set) var runs: [Range<Int>] = []
    /// How many places there are before each run.
    private var starts: [Int] = []
    private(set) var count = 0

    /// Adds a place behind all others.
    mutating func append(_ place: Int) {
        if let last = runs.last, last.upperBound == place {
            runs[runs.count - 1] = last.lowerBound..<(place + 1)
        } else {
            runs.append(place..<(place + 1))
            starts.append(count)
        }
        count += 1
    }

    /// The place of an element of the section.
    ///
    /// - Complexity: O(log *n*) in the count of runs.
    subscript(index: Int) -> Int {
        if runs.count == 1 { return runs[0].lowerBound + index }
        var (low, high) = (0, starts.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= index { low = middle } else { high = middle - 1 }
        }
        return runs[low].lowerBound + index - starts[low]
    }
}

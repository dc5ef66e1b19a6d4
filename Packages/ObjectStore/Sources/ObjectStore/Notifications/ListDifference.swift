/// How one sequence of keys became another: what went, what came, and by that what stayed.
///
/// What stays is a common subsequence, so that a moved element is removed and inserted. It is the longest one where no
/// key comes twice. Where keys come several times it is the longest one up to ``exactCellCount``; in longer sequences
/// the first occurrence is taken for the first, the second for the second and so on, which may keep less, but always
/// takes O(*n* log *n*).
struct ListDifference: Equatable {
    /// The product of both lengths up to which repeated keys are compared exactly.
    static let exactCellCount = 1 << 20

    /// Places in the old sequence, ascending.
    private(set) var deletions: [Int] = []
    /// Places in the new sequence, ascending.
    private(set) var insertions: [Int] = []
    /// Places in the old sequence whose element was replaced by another at the same spot; see ``init(from:to:pairing:)``.
    private(set) var replacements: [Int] = []

    /// Compares two sequences.
    ///
    /// - Parameters:
    ///   - old: The keys before.
    ///   - new: The keys after.
    ///   - pairing: Whether as many elements as were removed at a spot, inserted at the same spot, count as replaced
    ///     instead, which is how assigning to an element of a list looks.
    init(from old: [Int64], to new: [Int64], pairing: Bool = false) {
        var low = 0
        let shorter = min(old.count, new.count)
        while low < shorter, old[low] == new[low] { low += 1 }
        var oldEnd = old.count
        var newEnd = new.count
        while oldEnd > low, newEnd > low, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        compare(old, low..<oldEnd, new, low..<newEnd)
        if pairing { pairReplacements() }
    }

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && replacements.isEmpty }

    private mutating func compare(_ old: [Int64], _ oldRange: Range<Int>, _ new: [Int64], _ newRange: Range<Int>) {
        if oldRange.isEmpty || newRange.isEmpty {
            deletions = Array(oldRange)
            insertions = Array(newRange)
        } else if Self.isAscending(old, oldRange), Self.isAscending(new, newRange) {
            merge(old, oldRange, new, newRange)
        } else {
            let pairs = Self.pairs(old, oldRange, new, newRange)
            keep(Self.common(old, oldRange, new, newRange, pairs), oldRange, newRange)
        }
    }

    // MARK: Ascending keys

    private static func isAscending(_ keys: [Int64], _ range: Range<Int>) -> Bool {
        keys.withUnsafeBufferPointer { keys in
            for index in range.dropFirst() where keys[index - 1] >= keys[index] { return false }
            return true
        }
    }

    private mutating func merge(_ old: [Int64], _ oldRange: Range<Int>, _ new: [Int64], _ newRange: Range<Int>) {
        var (i, j) = (oldRange.lowerBound, newRange.lowerBound)
        while i < oldRange.upperBound, j < newRange.upperBound {
            if old[i] == new[j] {
                i += 1
                j += 1
            } else if old[i] < new[j] {
                deletions.append(i)
                i += 1
            } else {
                insertions.append(j)
                j += 1
            }
        }
        deletions += i..<oldRange.upperBound
        insertions += j..<newRange.upperBound
    }

    // MARK: Any order

    /// For each new place the old place of the same occurrence of its key, or -1; and whether a key comes twice.
    private struct Pairs {
        var oldPlaces: [Int] = []
        var hasRepetitions = false
    }

    private static func pairs(
        _ old: [Int64],
        _ oldRange: Range<Int>,
        _ new: [Int64],
        _ newRange: Range<Int>
    ) -> Pairs {
        var pairs = Pairs()
        // The first place of each key, and for each place the next one of the same key.
        var first: [Int64: Int] = [:]
        first.reserveCapacity(oldRange.count)
        var next = [Int](repeating: -1, count: oldRange.count)
        for index in oldRange.reversed() {
            if let known = first.updateValue(index, forKey: old[index]) {
                next[index - oldRange.lowerBound] = known
                pairs.hasRepetitions = true
            }
        }
        pairs.oldPlaces = newRange.map { index in
            guard let place = first[new[index]] else { return -1 }
            let following = next[place - oldRange.lowerBound]
            first[new[index]] = following < 0 ? nil : following
            return place
        }
        return pairs
    }

    private static func common(
        _ old: [Int64],
        _ oldRange: Range<Int>,
        _ new: [Int64],
        _ newRange: Range<Int>,
        _ pairs: Pairs
    ) -> [(old: Int, new: Int)] {
        let (cells, isTooLarge) = (oldRange.count + 1).multipliedReportingOverflow(by: newRange.count + 1)
        if pairs.hasRepetitions, !isTooLarge, cells <= exactCellCount {
            return longestCommon(old, oldRange, new, newRange)
        }
        return longestAscending(pairs.oldPlaces, newRange)
    }

    /// The longest common subsequence by the table of lengths.
    private static func longestCommon(
        _ old: [Int64],
        _ oldRange: Range<Int>,
        _ new: [Int64],
        _ newRange: Range<Int>
    ) -> [(old: Int, new: Int)] {
        let width = newRange.count + 1
        var lengths = [Int32](repeating: 0, count: (oldRange.count + 1) * width)
        for i in (0..<oldRange.count).reversed() {
            for j in (0..<newRange.count).reversed() {
                lengths[i * width + j] =
                    old[oldRange.lowerBound + i] == new[newRange.lowerBound + j]
                    ? lengths[(i + 1) * width + j + 1] + 1
                    : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
            }
        }
        var kept: [(old: Int, new: Int)] = []
        var (i, j) = (0, 0)
        while i < oldRange.count, j < newRange.count {
            if old[oldRange.lowerBound + i] == new[newRange.lowerBound + j] {
                kept.append((oldRange.lowerBound + i, newRange.lowerBound + j))
                i += 1
                j += 1
            } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
                i += 1
            } else {
                j += 1
            }
        }
        return kept
    }

    /// The longest ascending subsequence of old places, by piles.
    private static func longestAscending(_ oldPlaces: [Int], _ newRange: Range<Int>) -> [(old: Int, new: Int)] {
        // The index whose place is smallest among the ends of ascending sequences of each length.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: oldPlaces.count)
        for (index, place) in oldPlaces.enumerated() where place >= 0 {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if oldPlaces[ends[middle]] < place { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var kept: [(old: Int, new: Int)] = []
        var index = ends.last ?? -1
        while index >= 0 {
            kept.append((oldPlaces[index], newRange.lowerBound + index))
            index = before[index]
        }
        return kept.reversed()
    }

    private mutating func keep(_ kept: [(old: Int, new: Int)], _ oldRange: Range<Int>, _ newRange: Range<Int>) {
        var (i, j) = (oldRange.lowerBound, newRange.lowerBound)
        for pair in kept {
            deletions += i..<pair.old
            insertions += j..<pair.new
            i = pair.old + 1
            j = pair.new + 1
        }
        deletions += i..<oldRange.upperBound
        insertions += j..<newRange.upperBound
    }

    // MARK: Replacements

    private mutating func pairReplacements() {
        var keptDeletions: [Int] = []
        var keptInsertions: [Int] = []
        var (d, i) = (0, 0)
        while d < deletions.count || i < insertions.count {
            // How many elements stayed before each change says whether both are at the same spot.
            let deletionSpot = d < deletions.count ? deletions[d] - d : .max
            let insertionSpot = i < insertions.count ? insertions[i] - i : .max
            let spot = min(deletionSpot, insertionSpot)
            let removed = Self.count(deletions, from: d, at: spot)
            let added = Self.count(insertions, from: i, at: spot)
            if removed == added {
                replacements += deletions[d..<(d + removed)]
            } else {
                keptDeletions += deletions[d..<(d + removed)]
                keptInsertions += insertions[i..<(i + added)]
            }
            d += removed
            i += added
        }
        deletions = keptDeletions
        insertions = keptInsertions
    }

    /// How many changes from an index on are at one spot.
    private static func count(_ places: [Int], from start: Int, at spot: Int) -> Int {
        var index = start
        while index < places.count, places[index] - index == spot { index += 1 }
        return index - start
    }

    // MARK: What stayed

    /// The old places of elements that stayed and of which a test is true, with those that were replaced; ascending.
    func modifications(in old: [Int64], where isModified: (Int64) -> Bool) -> [Int] {
        var result: [Int] = []
        var (d, r) = (0, 0)
        for (index, key) in old.enumerated() {
            if d < deletions.count, deletions[d] == index {
                d += 1
            } else if r < replacements.count, replacements[r] == index {
                r += 1
                result.append(index)
            } else if isModified(key) {
                result.append(index)
            }
        }
        return result
    }
}

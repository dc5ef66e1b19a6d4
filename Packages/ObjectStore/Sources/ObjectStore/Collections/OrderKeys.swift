/// The numbers that keep the elements of a list in order: they grow along the list, with gaps in which new elements find theirs.
///
/// A new element takes a number between those of its neighbours, and no other row is written. Only where a gap is used up do the
/// elements around it get other numbers: the narrowest stretch that has room for all of them, as in Bender, Cole, Demaine,
/// Farach-Colton and Zito, "Two simplified algorithms for maintaining order in a list" (2002). Lists of older versions have no gaps,
/// and get them where something is inserted first. In a damaged file the numbers may run over; SQLite then refuses a row that is there.
enum OrderKeys {
    /// How far neighbours lie apart when they are added at an end.
    ///
    /// Eight insertions at one place find a number, and the keys of a short list take two bytes in the file.
    static let spacing: Int64 = 256
    /// How far elements lie apart at least when a stretch gets other numbers.
    private static let least: Int64 = 4

    /// The number for an element that is added behind the last one.
    static func after(_ last: Int64) -> Int64 { last &+ spacing }

    /// The number for an element that is added in front of the first one.
    static func before(_ first: Int64) -> Int64 { first &- spacing }

    /// The number for an element between two neighbours; nil when there is no room.
    static func between(_ previous: Int64, _ next: Int64) -> Int64? {
        // Only a damaged file has keys that lie farther apart than a number can say.
        let (gap, isFar) = next.subtractingReportingOverflow(previous)
        let step = (isFar ? .max : gap) / 2
        return step < 1 ? nil : previous + step
    }

    /// Numbers for elements that are added at the end.
    static func after(_ last: Int64?, count: Int) -> [Int64] {
        let first = last.map { $0 &+ spacing } ?? 0
        return (0..<Int64(count)).map { first &+ $0 * spacing }
    }

    /// Numbers for elements that are added in front.
    static func before(_ first: Int64, count: Int) -> [Int64] {
        (0..<Int64(count)).map { first &- (Int64(count) - $0) * spacing }
    }

    /// Numbers for elements between two neighbours; nil when there is no room for all of them.
    static func between(_ previous: Int64, _ next: Int64, count: Int) -> [Int64]? {
        // Only a damaged file has keys that lie farther apart than a number can say.
        let (gap, isFar) = next.subtractingReportingOverflow(previous)
        let step = (isFar ? .max : gap) / (Int64(count) + 1)
        return step < 1 ? nil : (0..<Int64(count)).map { previous + ($0 + 1) * step }
    }

    /// Other numbers for some elements, so that there is room between two of them.
    struct Respacing: Equatable {
        /// The elements that get other numbers.
        let range: Range<Int>
        /// Their new numbers.
        let keys: [Int64]
        /// The numbers of the elements that there is room for.
        let added: [Int64]
    }

    /// Makes room for elements before an index, which is neither the first nor behind the last.
    ///
    /// - Parameters:
    ///   - count: How many elements there is to be room for.
    ///   - index: Where they come.
    ///   - keys: The numbers of all elements.
    /// - Returns: The elements that get other numbers, and the numbers that became free.
    /// - Complexity: Some four to eight rows for each element that is inserted, wherever that is, in a list whose elements all got
    ///   their numbers here; once O(*n*) in one that has no gaps.
    static func respacing<Keys: RandomAccessCollection>(
        for count: Int,
        before index: Int,
        in keys: Keys
    ) -> Respacing where Keys.Element == Int64, Keys.Index == Int {
        var reach = max(4, count)
        while true {
            let range = max(0, index - reach)..<min(keys.count, index + reach)
            // Beyond the ends there is all the room that anybody needs.
            if range.upperBound == keys.count, keys.count - index <= index || range.lowerBound > 0 {
                let numbers = after(keys[index - 1], count: count + keys.count - index)
                return Respacing(
                    range: index..<keys.count,
                    keys: Array(numbers[count...]),
                    added: Array(numbers[..<count])
                )
            }
            if range.lowerBound == 0 {
                let numbers = before(keys[index], count: index + count)
                return Respacing(range: 0..<index, keys: Array(numbers[..<index]), added: Array(numbers[index...]))
            }
            let (low, high) = (keys[range.lowerBound - 1], keys[range.upperBound])
            // Where one element was inserted the next ones will be: they get most of the room.
            let step = (high &- low) / 8 / Int64(range.count + 1)
            let front = (1...Int64(index - range.lowerBound)).map { low + $0 * step }
            let back = (1...Int64(range.upperBound - index)).reversed().map { high - $0 * step }
            if step >= least, let added = between(front[front.count - 1], back[0], count: count) {
                return Respacing(range: range, keys: front + back, added: added)
            }
            reach *= 2
        }
    }
}

/// An array in blocks: to insert or to remove moves the elements of one block, however long the whole is.
///
/// A value, as an array is: who keeps a copy and changes it copies the blocks that it changes, and the list of blocks.
struct Blocks<Element> {
    /// How many elements a block has at most; one that would have more becomes two.
    static var limit: Int { 1024 }

    private(set) var blocks: [ContiguousArray<Element>] = []
    /// The index of the first element of each block.
    private var starts: [Int] = []
    /// How many elements there are.
    private(set) var count = 0

    init() {}

    /// The block with an element, or the last one for the index behind all.
    ///
    /// - Complexity: O(1) while nothing was inserted or removed in front; else O(log *n*).
    @inline(__always)
    private func block(of index: Int) -> Int {
        let guess = index / Self.limit
        if guess < starts.count, starts[guess] <= index, guess + 1 == starts.count || index < starts[guess + 1] {
            return guess
        }
        return search(index)
    }

    private func search(_ index: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= index { low = middle } else { high = middle }
        }
        return low
    }

    /// Moves the starts of the blocks behind a block.
    private mutating func shift(behind block: Int, by distance: Int) {
        count += distance
        guard block + 1 < starts.count else { return }
        starts.withUnsafeMutableBufferPointer { starts in
            for index in (block + 1)..<starts.count { starts[index] += distance }
        }
    }

    /// Computes the starts of the blocks behind a block anew.
    private mutating func renumber(from first: Int) {
        var start = first == 0 ? 0 : starts[first - 1] + blocks[first - 1].count
        starts.removeSubrange(first...)
        for block in blocks[first...] {
            starts.append(start)
            start += block.count
        }
        count = start
    }
}

extension Blocks: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { count }

    /// - Complexity: O(1) while nothing was inserted or removed in front; else O(log *n*).
    subscript(index: Int) -> Element {
        @inline(__always) get {
            precondition(index >= 0 && index < count, "The index is outside of the elements.")
            let block = block(of: index)
            return blocks[block][index - starts[block]]
        }
        set {
            let block = block(of: index)
            blocks[block][index - starts[block]] = newValue
        }
    }

    /// - Complexity: O(1) amortised.
    mutating func append(_ element: Element) {
        let last = blocks.count - 1
        if last >= 0, blocks[last].count < Self.limit {
            blocks[last].append(element)
        } else {
            starts.append(count)
            blocks.append([element])
        }
        count += 1
    }

    /// Adds as many elements as a block has, or fewer behind all others.
    ///
    /// - Complexity: O(1).
    mutating func append(block: ContiguousArray<Element>) {
        guard !block.isEmpty else { return }
        starts.append(count)
        blocks.append(block)
        count += block.count
    }

    /// - Complexity: O(*n* / ``limit``) in the count of elements.
    mutating func insert(_ element: Element, at index: Int) {
        guard index < count else { return append(element) }
        let block = block(of: index)
        guard blocks[block].count < Self.limit else {
            return replaceSubrange(index..<index, with: CollectionOfOne(element))
        }
        blocks[block].insert(element, at: index - starts[block])
        shift(behind: block, by: 1)
    }

    /// - Complexity: O(*n* / ``limit``) in the count of elements.
    @discardableResult
    mutating func remove(at index: Int) -> Element {
        precondition(index >= 0 && index < count, "The index is outside of the elements.")
        let block = block(of: index)
        let removed = blocks[block].remove(at: index - starts[block])
        shift(behind: block, by: -1)
        if blocks[block].isEmpty {
            blocks.remove(at: block)
            starts.remove(at: block)
        }
        return removed
    }

    /// - Complexity: O(*m* + *n* / ``limit``) in the counts of the elements that come or go, and of all.
    mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with elements: C) where C.Element == Element {
        if range.lowerBound == count {
            for element in elements { append(element) }
            return
        }
        let first = block(of: range.lowerBound)
        let last = range.isEmpty ? first : block(of: range.upperBound - 1)
        let start = starts[first]
        if first == last, blocks[first].count - range.count + elements.count <= Self.limit {
            blocks[first].replaceSubrange((range.lowerBound - start)..<(range.upperBound - start), with: elements)
            if blocks[first].isEmpty { blocks.remove(at: first) }
        } else {
            var merged = ContiguousArray(blocks[first][..<(range.lowerBound - start)])
            merged.append(contentsOf: elements)
            merged.append(contentsOf: blocks[last][(range.upperBound - starts[last])...])
            blocks.replaceSubrange(first...last, with: Self.split(merged))
        }
        renumber(from: first)
    }

    /// Splits elements into blocks of one size, with room in each.
    private static func split(_ elements: ContiguousArray<Element>) -> [ContiguousArray<Element>] {
        let parts = (elements.count + limit - 1) / limit
        return (0..<parts)
            .map { part in
                ContiguousArray(elements[(elements.count * part / parts)..<(elements.count * (part + 1) / parts)])
            }
    }
}

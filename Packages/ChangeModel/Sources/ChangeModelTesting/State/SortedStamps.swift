import ChangeModel

/// Stamps in ascending order, in chunks, so that inserting takes no time in proportion to all of them.
struct SortedStamps: Sendable, Equatable {
    /// How many stamps a chunk may have before it is divided.
    private static let limit = 256

    /// Chunks in order, none of which is empty.
    private var chunks: [[Stamp]] = []

    /// The least stamp.
    var first: Stamp? { chunks.first?.first }

    /// Returns the next greater stamp.
    ///
    /// - Complexity: O(log *n*).
    func next(after stamp: Stamp) -> Stamp? {
        guard !chunks.isEmpty else { return nil }
        let chunk = self.chunk(of: stamp)
        let index = Self.count(of: chunks[chunk]) { $0 <= stamp }
        if index < chunks[chunk].count { return chunks[chunk][index] }
        return chunk + 1 < chunks.count ? chunks[chunk + 1].first : nil
    }

    /// Inserts a stamp that is not there.
    ///
    /// - Complexity: O(*n* / limit + limit).
    mutating func insert(_ stamp: Stamp) {
        guard !chunks.isEmpty else {
            chunks = [[stamp]]
            return
        }
        let chunk = self.chunk(of: stamp)
        chunks[chunk].insert(stamp, at: Self.count(of: chunks[chunk]) { $0 < stamp })
        guard chunks[chunk].count > Self.limit else { return }
        let half = chunks[chunk].count / 2
        let rest = Array(chunks[chunk][half...])
        chunks[chunk].removeSubrange(half...)
        chunks.insert(rest, at: chunk + 1)
    }

    /// The index of the chunk in which a stamp is, or would be.
    private func chunk(of stamp: Stamp) -> Int {
        max(Self.count(of: chunks) { chunk in chunk.first.map { $0 <= stamp } ?? false } - 1, 0)
    }

    /// How many of the first elements fulfil a condition that no later one does.
    private static func count<Element>(of elements: [Element], where isBefore: (Element) -> Bool) -> Int {
        var range = 0..<elements.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isBefore(elements[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

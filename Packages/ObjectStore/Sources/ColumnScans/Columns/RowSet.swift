/// Some of the rows of a class, one bit for each, in the order of their keys.
package struct RowSet: Sendable, Equatable {
    /// How many rows there are, in the set or not.
    package private(set) var rowCount: Int
    /// 64 rows each; the bits behind the last row are 0.
    private(set) var words: [UInt64]

    /// Creates a set without any of the rows.
    package init(noneOf rowCount: Int) {
        self.rowCount = rowCount
        words = Array(repeating: 0, count: (rowCount + 63) / 64)
    }

    /// Creates a set of rows that are listed.
    init(_ rowCount: Int, _ rows: [UInt32]) {
        self.init(noneOf: rowCount)
        for row in rows { insert(Int(row)) }
    }

    /// Creates the set of all rows.
    package init(allOf rowCount: Int) {
        self.rowCount = rowCount
        words = Array(repeating: .max, count: (rowCount + 63) / 64)
        trim()
    }

    /// Creates a set of the rows for which a test is true.
    ///
    /// - Complexity: O(*n*) in the count of rows; the test becomes part of the loop.
    @inline(__always)
    init(of rowCount: Int, where isIn: (Int) -> Bool) {
        self.rowCount = rowCount
        words = Array(unsafeUninitializedCapacity: (rowCount + 63) / 64) { words, count in
            count = (rowCount + 63) / 64
            for index in 0..<count {
                let base = index * 64
                var word: UInt64 = 0
                for bit in 0..<min(64, rowCount - base) { word |= (isIn(base + bit) ? 1 : 0) << UInt64(bit) }
                words[index] = word
            }
        }
    }

    /// How many rows are in the set.
    ///
    /// - Complexity: O(*n* / 64) in the count of rows.
    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Whether a row is in the set.
    @inline(__always)
    func contains(_ row: Int) -> Bool { words[row >> 6] & (1 << UInt64(row & 63)) != 0 }

    /// Adds a row.
    @inline(__always)
    mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

    /// Removes a row.
    @inline(__always)
    mutating func remove(_ row: Int) { words[row >> 6] &= ~(1 << UInt64(row & 63)) }

    /// Lets one more row follow the last one.
    @inline(__always)
    mutating func append(_ isIn: Bool) {
        if rowCount & 63 == 0 { words.append(0) }
        if isIn { words[rowCount >> 6] |= 1 << UInt64(rowCount & 63) }
        rowCount += 1
    }

    /// Keeps the rows that are in both sets.
    mutating func formIntersection(_ other: RowSet) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    /// Adds the rows of another set.
    mutating func formUnion(_ other: RowSet) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    /// Removes the rows of another set.
    mutating func subtract(_ other: RowSet) {
        for index in words.indices { words[index] &= ~other.words[index] }
    }

    /// Exchanges the rows that are in the set for those that are not.
    mutating func invert() {
        for index in words.indices { words[index] = ~words[index] }
        trim()
    }

    private mutating func trim() {
        guard rowCount & 63 != 0, let last = words.indices.last else { return }
        words[last] &= (1 << UInt64(rowCount & 63)) - 1
    }

    /// The rows of the set, ascending.
    var rows: [UInt32] {
        Array(unsafeUninitializedCapacity: count) { rows, count in
            eachRow {
                rows[count] = UInt32(truncatingIfNeeded: $0)
                count += 1
            }
        }
    }

    /// Calls with each row of the set, ascending.
    @inline(__always)
    func eachRow(_ body: (Int) -> Void) {
        words.withUnsafeBufferPointer { words in
            for index in words.indices {
                var word = words[index]
                while word != 0 {
                    body(index * 64 + word.trailingZeroBitCount)
                    word &= word - 1
                }
            }
        }
    }
}

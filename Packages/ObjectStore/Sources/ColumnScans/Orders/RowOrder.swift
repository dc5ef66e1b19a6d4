/// Puts rows in the order of their values; those that are equal in all of them keep the order of their keys.
struct RowOrder {
    private let terms: [(column: PackedColumn, ascending: Bool)]

    init(_ terms: [ColumnScan.Term], _ rows: PackedRows) {
        self.terms = terms.compactMap { term in rows.columns[term.slot].map { ($0, term.ascending) } }
    }

    /// A row with as much of its first value as fits into a number that has the same order.
    private struct Entry {
        let rank: UInt64
        let row: UInt32
    }

    /// The rows of a set in order.
    ///
    /// - Parameters:
    ///   - found: The rows.
    ///   - limit: How many are wanted; nil for all.
    /// - Returns: At least those that are wanted, the first ones.
    /// - Complexity: O(*n* log *n*) in the count of rows; with a limit *k*, O(*n* log *k*), and O(*n*) when few come close.
    func sorted(_ found: RowSet, limit: Int?) -> [UInt32] {
        guard let first = terms.first else { return found.rows }
        let ranks = Ranks(first.column, ascending: first.ascending)
        var missing: [UInt32] = []
        var entries: [Entry] = []
        entries.reserveCapacity(found.count)
        found.eachRow { row in
            if ranks.isMissing(row) {
                missing.append(UInt32(truncatingIfNeeded: row))
            } else {
                entries.append(Entry(rank: ranks[row], row: UInt32(truncatingIfNeeded: row)))
            }
        }
        // A number is its rank; of a text only the begin is, so that equal ranks say nothing yet.
        let rest = terms[(ranks.areWhole ? 1 : 0)...]
        let missingCount = first.ascending ? missing.count : 0
        sort(&entries, by: rest, limit: limit.map { max(0, $0 - missingCount) })
        if terms.count > 1 { missing.sort { isBefore($0, $1, terms[1...]) } }
        return first.ascending ? missing + entries.map(\.row) : entries.map(\.row) + missing
    }

    private func sort(
        _ entries: inout [Entry],
        by rest: ArraySlice<(column: PackedColumn, ascending: Bool)>,
        limit: Int?
    ) {
        let isBefore: (Entry, Entry) -> Bool = { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            return rest.isEmpty ? left.row < right.row : self.isBefore(left.row, right.row, rest)
        }
        guard let limit, limit < entries.count / 8 else {
            if rest.isEmpty, entries.count > 256 { Self.sortByRank(&entries) } else { entries.sort(by: isBefore) }
            return
        }
        guard limit > 0 else { return entries.removeAll() }
        // Most rows come behind the worst of the best so far.
        var best: [Entry] = []
        var worst: Entry?
        for entry in entries {
            if let worst, !isBefore(entry, worst) { continue }
            best.append(entry)
            guard best.count >= limit + max(limit, 64) else { continue }
            best.sort(by: isBefore)
            best.removeSubrange(limit...)
            worst = best.last
        }
        best.sort(by: isBefore)
        entries = Array(best.prefix(limit))
    }

    /// Sorts by 11 bits at a time, the lowest first; rows of equal rank stay in the order that they have.
    private static func sortByRank(_ entries: inout [Entry]) {
        let all = entries.reduce((and: UInt64.max, or: UInt64(0))) { ($0.and & $1.rank, $0.or | $1.rank) }
        var other = entries
        for shift in stride(from: UInt64(0), to: 64, by: 11) where (all.and ^ all.or) >> shift & 0x7FF != 0 {
            var places = [Int](repeating: 0, count: 2049)
            for entry in entries { places[Int(entry.rank >> shift & 0x7FF) + 1] += 1 }
            for index in 1...2048 { places[index] += places[index - 1] }
            for entry in entries {
                let digit = Int(entry.rank >> shift & 0x7FF)
                other[places[digit]] = entry
                places[digit] += 1
            }
            swap(&entries, &other)
        }
    }

    private func isBefore(
        _ left: UInt32,
        _ right: UInt32,
        _ terms: ArraySlice<(column: PackedColumn, ascending: Bool)>
    ) -> Bool {
        for term in terms {
            let order = term.column.order(Int(left), Int(right))
            if order != 0 { return (order < 0) == term.ascending }
        }
        return left < right
    }
}

/// The values of a column as numbers that have the same order.
private struct Ranks {
    private let column: PackedColumn
    private let mask: UInt64

    init(_ column: PackedColumn, ascending: Bool) {
        self.column = column
        mask = ascending ? 0 : .max
    }

    /// Whether equal ranks are equal values.
    var areWhole: Bool {
        if case .texts = column { false } else { true }
    }

    @inline(__always)
    func isMissing(_ row: Int) -> Bool {
        switch column {
        case .integers(let column): column.isMissing(row)
        case .numbers(let column): column.isMissing(row)
        case .texts(let column, _): column.isMissing(row)
        }
    }

    @inline(__always)
    subscript(row: Int) -> UInt64 {
        switch column {
        case .integers(let column): (UInt64(bitPattern: column.values[row]) ^ (1 << 63)) ^ mask
        case .numbers(let column): column.values[row].rank ^ mask
        case .texts(let column, _): column.withText(row) { $0.rank } ^ mask
        }
    }
}

extension Double {
    /// A number with the same order, in which both zeros are equal and what is not a number is greatest.
    fileprivate var rank: UInt64 {
        if isNaN { return .max }
        let bits = (self == 0 ? 0 : self).bitPattern
        return bits >> 63 == 0 ? bits | (1 << 63) : ~bits
    }
}

extension UnsafeRawBufferPointer {
    /// The first eight bytes as a number with the same order.
    fileprivate var rank: UInt64 {
        if count >= 8 { return UInt64(bigEndian: loadUnaligned(as: UInt64.self)) }
        var rank: UInt64 = 0
        for index in 0..<count { rank |= UInt64(self[index]) << UInt64(56 - 8 * index) }
        return rank
    }
}

extension PackedColumn {
    /// Compares the values of two rows; missing ones come first, and what is not a number last.
    fileprivate func order(_ left: Int, _ right: Int) -> Int {
        switch self {
        case .integers(let column):
            return column.order(left, right) { $0 < $1 }
        case .numbers(let column):
            return column.order(left, right) { $0.rank < $1.rank }
        case .texts(let column, _):
            switch (column.isMissing(left), column.isMissing(right)) {
            case (true, true): return 0
            case (true, false): return -1
            case (false, true): return 1
            case (false, false):
                return column.withText(left) { left in
                    column.withText(right) { right in ColumnScans.order(left, right) }
                }
            }
        }
    }
}

extension NumberColumn {
    fileprivate func order(_ left: Int, _ right: Int, _ isBefore: (Number, Number) -> Bool) -> Int {
        switch (isMissing(left), isMissing(right)) {
        case (true, true): 0
        case (true, false): -1
        case (false, true): 1
        case (false, false):
            isBefore(values[left], values[right]) ? -1 : isBefore(values[right], values[left]) ? 1 : 0
        }
    }
}

/// The groups of rows that have the same values in some columns; missing values are equal to each other.
struct RowGroups {
    /// The group of each row; numbers without a meaning.
    private var groups: [UInt32]
    private let rows: PackedRows

    init(_ slots: [Int], _ rows: PackedRows) {
        self.rows = rows
        groups = []
        for slot in slots {
            guard let column = rows.columns[slot] else { continue }
            let own = Self.groups(column, rows.keys.count)
            groups = groups.isEmpty ? own : Self.joined(groups, own)
        }
    }

    /// The rows of a set that are the first of their group in an order.
    func first(of found: RowSet, in order: [ColumnScan.Term]) -> RowSet {
        var seen = RowSet(noneOf: Int((groups.max() ?? 0)) + 1)
        var first = RowSet(noneOf: found.rowCount)
        let ordered = order.isEmpty ? found.rows : RowOrder(order, rows).sorted(found, limit: nil)
        for row in ordered {
            let group = Int(groups[Int(row)])
            if !seen.contains(group) {
                seen.insert(group)
                first.insert(Int(row))
            }
        }
        return first
    }

    private static func groups(_ column: PackedColumn, _ count: Int) -> [UInt32] {
        switch column {
        case .integers(let column):
            return numbered(count) { column.isMissing($0) ? nil : UInt64(bitPattern: column.values[$0]) }
        case .numbers(let column):
            return numbered(count) { row in
                guard !column.isMissing(row) else { return nil }
                let value = column.values[row]
                // Both zeros are equal, and everything that is not a number is.
                return value.isNaN ? Double.nan.bitPattern : (value == 0 ? 0 : value).bitPattern
            }
        case .texts(let column, _):
            var numbers: [TextKey: UInt32] = [:]
            return (0..<count)
                .map { row in
                    guard !column.isMissing(row) else { return 0 }
                    let key = column.withText(row) { TextKey(bytes: Array($0)) }
                    let next = UInt32(truncatingIfNeeded: numbers.count + 1)
                    return number(&numbers[key], next)
                }
        }
    }

    private struct TextKey: Hashable {
        let bytes: [UInt8]
    }

    private static func number(_ known: inout UInt32?, _ next: UInt32) -> UInt32 {
        if let known { return known }
        known = next
        return next
    }

    /// Gives each value a number, from 1 on; a missing one has 0.
    private static func numbered(_ count: Int, _ value: (Int) -> UInt64?) -> [UInt32] {
        var numbers: [UInt64: UInt32] = [:]
        return (0..<count)
            .map { row in
                guard let value = value(row) else { return 0 }
                let next = UInt32(truncatingIfNeeded: numbers.count + 1)
                return number(&numbers[value], next)
            }
    }

    private static func joined(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        numbered(left.count) { UInt64(left[$0]) << 32 | UInt64(right[$0]) }
    }
}

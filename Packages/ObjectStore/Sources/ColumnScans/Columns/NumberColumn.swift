/// The numbers of one property, by row: integers, truth values and links as `Int64`, the others and dates as `Double`.
package struct NumberColumn<Number: BitwiseCopyable & Comparable & Sendable>: Sendable {
    /// One for each row, in the order of the keys; what stands at a missing one means nothing.
    private(set) var values: [Number] = []
    /// The rows without a value; nil while every row has one.
    private(set) var missing: RowSet?

    package init() {}

    /// Takes values; what stands at the missing rows means nothing.
    package init(_ values: [Number], missing rows: [UInt32]) {
        self.values = values
        missing = rows.isEmpty ? nil : RowSet(values.count, rows)
    }

    /// Makes room for a count of rows.
    private mutating func reserveCapacity(_ count: Int) { values.reserveCapacity(count) }

    /// How many bytes it takes.
    var byteCount: Int { values.capacity * MemoryLayout<Number>.stride + values.count / 8 }

    /// Adds the value of the next row.
    private mutating func append(_ value: Number) {
        values.append(value)
        if missing != nil { missing?.append(false) }
    }

    /// Adds a row without a value; `placeholder` stands at its place.
    private mutating func appendMissing(_ placeholder: Number) {
        var set = missing ?? RowSet(noneOf: values.count)
        set.append(true)
        missing = set
        values.append(placeholder)
    }

    /// Replaces the value of a row by that of a row of another column.
    mutating func replace(_ row: Int, by other: NumberColumn, at otherRow: Int) {
        values[row] = other.values[otherRow]
        if other.isMissing(otherRow) {
            var set = missing ?? RowSet(noneOf: values.count)
            set.insert(row)
            missing = set
        } else if missing != nil {
            missing?.remove(row)
        }
    }

    /// Adds the values of the rows that follow.
    mutating func append(contentsOf other: NumberColumn) {
        if missing != nil || other.missing != nil {
            var set = missing ?? RowSet(noneOf: values.count)
            for row in other.values.indices { set.append(other.isMissing(row)) }
            missing = set
        }
        values += other.values
    }

    /// Puts values among those that are there.
    mutating func merge(_ other: NumberColumn, _ order: MergedOrder) {
        var merged = NumberColumn()
        merged.reserveCapacity(order.places.count)
        for place in order.places {
            let (column, row) = place.isNew ? (other, place.row) : (self, place.row)
            if column.isMissing(row) {
                merged.appendMissing(column.values[row])
            } else {
                merged.append(column.values[row])
            }
        }
        self = merged
    }

    /// Keeps some rows only.
    mutating func keep(_ rows: RowSet) {
        var kept = NumberColumn()
        kept.reserveCapacity(rows.count)
        rows.eachRow { row in
            if isMissing(row) { kept.appendMissing(values[row]) } else { kept.append(values[row]) }
        }
        self = kept
    }

    /// Whether a row has no value.
    @inline(__always)
    func isMissing(_ row: Int) -> Bool { missing?.contains(row) ?? false }

    /// The rows whose value lies between two others, both included.
    ///
    /// What is not a number lies nowhere.
    func rows(from lowest: Number, through highest: Number) -> RowSet {
        values.withUnsafeBufferPointer { values in
            present(RowSet(of: values.count) { (values[$0] >= lowest) && (values[$0] <= highest) })
        }
    }

    /// The rows that have one of a few values.
    func rows(in numbers: [Number]) -> RowSet {
        var found = RowSet(noneOf: values.count)
        for number in numbers { found.formUnion(rows(from: number, through: number)) }
        return found
    }

    private func present(_ rows: RowSet) -> RowSet {
        guard let missing else { return rows }
        var rows = rows
        rows.subtract(missing)
        return rows
    }
}

package typealias IntegerColumn = NumberColumn<Int64>
package typealias FloatingColumn = NumberColumn<Double>

/// Computes with the values of some rows, which are added in the order of the rows, as SQLite does.
///
/// Missing values are left out, and so is what is not a number.
package struct ColumnAggregate {
    /// The result: an integer or a number.
    package enum Result: Sendable, Equatable {
        case integer(Int64)
        case number(Double)
    }

    private let rows: RowSet
    private let column: PackedColumn

    /// Takes the values of the rows.
    package init(_ rows: RowSet, _ column: PackedColumn) {
        self.rows = rows
        self.column = column
    }

    /// The smallest value; nil when there is none.
    package var minimum: Result? {
        best {
            $0 < $1
        } orNumbers: {
            $0 < $1
        }
    }

    /// The greatest value; nil when there is none.
    package var maximum: Result? {
        best {
            $0 > $1
        } orNumbers: {
            $0 > $1
        }
    }

    /// The sum; integers that are too great wrap around; nil when there is no value.
    package var sum: Result? {
        switch column {
        case .integers(let column):
            var count = 0
            var sum: Int64 = 0
            each(column) { value in
                count += 1
                sum &+= value
            }
            return count == 0 ? nil : .integer(sum)
        case .numbers(let column):
            var sum = NumberSum()
            each(column) { if !$0.isNaN { sum.add($0) } }
            return sum.result
        case .texts: return nil
        }
    }

    /// The mean; nil when there is no value.
    package var mean: Result? {
        var sum = NumberSum()
        switch column {
        case .integers(let column): each(column) { sum.add(Double($0)) }
        case .numbers(let column): each(column) { if !$0.isNaN { sum.add($0) } }
        case .texts: return nil
        }
        return sum.mean
    }

    private func best(_ isBetter: (Int64, Int64) -> Bool, orNumbers isBetterNumber: (Double, Double) -> Bool) -> Result?
    {
        switch column {
        case .integers(let column):
            var best: Int64?
            each(column) { value in
                guard let known = best else {
                    best = value
                    return
                }
                if isBetter(value, known) { best = value }
            }
            return best.map { .integer($0) }
        case .numbers(let column):
            var best: Double?
            each(column) { value in
                guard !value.isNaN else { return }
                guard let known = best else {
                    best = value
                    return
                }
                if isBetterNumber(value, known) { best = value }
            }
            return best.map { .number($0) }
        case .texts: return nil
        }
    }

    @inline(__always)
    private func each<Number>(_ column: NumberColumn<Number>, _ body: (Number) -> Void) {
        column.values.withUnsafeBufferPointer { values in
            if let missing = column.missing {
                var rows = rows
                rows.subtract(missing)
                rows.eachRow { body(values[$0]) }
            } else {
                rows.eachRow { body(values[$0]) }
            }
        }
    }
}

/// Adds numbers as SQLite does before its version 3.43: one after the other.
private struct NumberSum {
    private var sum = 0.0
    private var count = 0

    /// The sum; nil when there is none, or it is not a number.
    var result: ColumnAggregate.Result? { count == 0 || sum.isNaN ? nil : .number(sum) }
    /// The mean; nil as the sum.
    var mean: ColumnAggregate.Result? {
        let mean = sum / Double(count)
        return count == 0 || mean.isNaN ? nil : .number(mean)
    }

    mutating func add(_ number: Double) {
        sum += number
        count += 1
    }
}

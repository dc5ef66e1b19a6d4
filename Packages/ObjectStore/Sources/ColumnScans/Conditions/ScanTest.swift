package import ObjectQueries

/// What a condition asks of one value; a missing one only passes ``isMissing``.
package enum ScanTest: Sendable, Equatable {
    case isMissing
    /// An integer between two others, both included.
    case integer(ClosedRange<Int64>)
    /// One of few integers.
    case integers([Int64])
    /// A number between two others, both included; what is not a number is not.
    case number(ClosedRange<Double>)
    /// One of few numbers.
    case numbers([Double])
    /// A text, in the form for the options.
    case text(TextTest, QueryPredicate.Options)
}

/// What a condition asks of the bytes of a text.
package enum TextTest: Sendable, Equatable {
    case isOne(of: [[UInt8]])
    case contains([UInt8])
    case begins([UInt8])
    case ends([UInt8])
    case isBefore([UInt8], orEqual: Bool)
    case isBehind([UInt8], orEqual: Bool)
    case isBetween([UInt8], [UInt8])
}

/// A condition on the columns of one class; every part of it is true or false.
package indirect enum ScanCondition: Sendable, Equatable {
    case constant(Bool)
    case not(ScanCondition)
    case and([ScanCondition])
    case or([ScanCondition])
    /// Asks something of the value of a slot.
    case test(Int, ScanTest)
}

extension ScanCondition {
    /// Finds the rows for which the condition is true.
    ///
    /// - Parameters:
    ///   - rowCount: How many rows there are.
    ///   - columns: The column of each slot that the condition names.
    /// - Returns: The rows.
    /// - Complexity: O(*n*) in the count of rows and in the length of the texts that are searched.
    package func rows(of rowCount: Int, _ columns: [Int: PackedColumn]) -> RowSet {
        switch self {
        case .constant(let isTrue): return isTrue ? RowSet(allOf: rowCount) : RowSet(noneOf: rowCount)
        case .not(let condition):
            var rows = condition.rows(of: rowCount, columns)
            rows.invert()
            return rows
        case .and(let parts):
            var rows: RowSet?
            for part in parts {
                let found = part.rows(of: rowCount, columns)
                if rows == nil { rows = found } else { rows?.formIntersection(found) }
            }
            return rows ?? RowSet(allOf: rowCount)
        case .or(let parts):
            var rows = RowSet(noneOf: rowCount)
            for part in parts { rows.formUnion(part.rows(of: rowCount, columns)) }
            return rows
        case .test(let slot, let test):
            return columns[slot].map { test.rows($0, rowCount) } ?? RowSet(noneOf: rowCount)
        }
    }
}

extension ScanTest {
    fileprivate func rows(_ column: PackedColumn, _ rowCount: Int) -> RowSet {
        let none = RowSet(noneOf: rowCount)
        switch (self, column) {
        case (.isMissing, .integers(let column)): return column.missing ?? none
        case (.isMissing, .numbers(let column)): return column.missing ?? none
        case (.isMissing, .texts(let column, _)): return column.missing ?? none
        case (.integer(let range), .integers(let column)):
            return column.rows(from: range.lowerBound, through: range.upperBound)
        case (.integers(let numbers), .integers(let column)): return column.rows(in: numbers)
        case (.number(let range), .numbers(let column)):
            return column.rows(from: range.lowerBound, through: range.upperBound)
        case (.numbers(let numbers), .numbers(let column)): return column.rows(in: numbers)
        case (.text(let test, let options), .texts(let column, let folded)):
            return (options.isEmpty ? column : folded[options]).map { test.rows($0) } ?? none
        default: return none
        }
    }
}

extension TextTest {
    fileprivate func rows(_ column: TextColumn) -> RowSet {
        switch self {
        case .isOne(let texts):
            var rows = RowSet(noneOf: column.count)
            for text in texts {
                rows.formUnion(
                    text.withUnsafeBytes { text in column.rows { $0.count == text.count && order($0, text) == 0 } }
                )
            }
            return rows
        case .contains(let part): return column.rows(containing: part)
        case .begins(let part):
            return part.withUnsafeBytes { part in
                column.rows { $0.count >= part.count && order(.init(rebasing: $0.prefix(part.count)), part) == 0 }
            }
        case .ends(let part):
            return part.withUnsafeBytes { part in
                column.rows { $0.count >= part.count && order(.init(rebasing: $0.suffix(part.count)), part) == 0 }
            }
        case .isBefore(let text, let orEqual):
            return text.withUnsafeBytes { text in column.rows { order($0, text) < (orEqual ? 1 : 0) } }
        case .isBehind(let text, let orEqual):
            return text.withUnsafeBytes { text in column.rows { order($0, text) > (orEqual ? -1 : 0) } }
        case .isBetween(let lowest, let highest):
            return lowest.withUnsafeBytes { lowest in
                highest.withUnsafeBytes { highest in
                    column.rows { order($0, lowest) >= 0 && order($0, highest) <= 0 }
                }
            }
        }
    }
}

package import ObjectQueries

/// A query as a walk over packed columns: which rows, and in which order.
package struct ColumnScan: Sendable {
    /// A column to order by; missing values come first when ascending, and what is not a number last.
    package struct Term: Sendable, Equatable {
        package let slot: Int
        package let ascending: Bool
    }

    /// The first row of each group is kept, in an order.
    struct Distinct: Sendable {
        let slots: [Int]
        let order: [Term]
    }

    let condition: ScanCondition
    /// Whether an index has all rows in the order that is asked for, so that its ends are found at once.
    package let isOrderIndexed: Bool
    let distinct: [Distinct]
    let order: [Term]
    /// The slots whose columns are needed.
    package private(set) var slots: Set<Int>
    /// The forms of texts that are needed, by slot.
    package let folds: [Int: [QueryPredicate.Options]]

    /// A walk over all rows that only reads some slots.
    package static func reading(_ slots: some Sequence<Int>) -> ColumnScan {
        ColumnScan(
            condition: .constant(true),
            isOrderIndexed: false,
            distinct: [],
            order: [],
            slots: Set(slots),
            folds: [:]
        )
    }

    /// Whether rows have an order of their own.
    package var isOrdered: Bool { !order.isEmpty }

    /// The scan with the column of one more slot.
    package func adding(_ slot: Int) -> ColumnScan {
        var scan = self
        scan.slots.insert(slot)
        return scan
    }

    /// Finds the rows.
    ///
    /// - Parameter rows: Rows with all columns that are needed.
    /// - Returns: The rows, in no order but that of their keys.
    /// - Complexity: O(*n*) in the count of rows.
    package func found(in rows: PackedRows) -> RowSet {
        var found = condition.rows(of: rows.keys.count, rows.columns)
        for step in distinct { found = RowGroups(step.slots, rows).first(of: found, in: step.order) }
        return found
    }

    /// Finds the keys of the rows, in order.
    ///
    /// - Parameters:
    ///   - rows: Rows with all columns that are needed.
    ///   - limit: How many are wanted; nil for all.
    /// - Returns: The keys.
    /// - Complexity: O(*n*) in the count of rows, and O(*m* log *m*) in the count of those that are found and wanted.
    package func keys(in rows: PackedRows, limit: Int? = nil) -> [Int64] {
        let found = found(in: rows)
        let ordered = order.isEmpty ? found.rows : RowOrder(order, rows).sorted(found, limit: limit)
        return ordered.prefix(limit ?? ordered.count).map { rows.keys[Int($0)] }
    }
}

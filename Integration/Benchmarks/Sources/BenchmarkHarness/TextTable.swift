/// Returns cells as lines whose columns line up.
///
/// - Parameters:
///   - cells: The cells row by row; all rows have as many.
///   - numbers: The columns that are flush right.
/// - Returns: A line for each row, without blanks at its end.
/// - Complexity: O(*n*) in the count of characters.
func textTable(_ cells: [[String]], numbers: ClosedRange<Int>) -> [String] {
    let widths = (cells.first ?? []).indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { row in
        zip(row, widths).enumerated()
            .map { column, cell in
                let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
                return numbers.contains(column) ? blanks + cell.0 : cell.0 + blanks
            }
            .joined(separator: "  ")
            .replacing(#/ +$/#, with: "")
    }
}

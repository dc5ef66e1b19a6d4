import Foundation

/// Rows as a table for people, with columns that line up.
public struct RowTable: Sendable {
    private let rows: [Row]

    /// Creates a table.
    public init(_ rows: [Row]) {
        self.rows = rows
    }
}

extension RowTable: CustomStringConvertible {
    /// The table: a heading, a line for each row, and how many targets are met.
    public var description: String {
        let heading = ["row", "ours", "floor", "ratio", "unit", "target", "met"]
        let cells = [heading] + rows.map(cells)
        let widths = heading.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let lines = cells.map { row in
            row.indices.map { column in pad(row[column], to: widths[column], isNumber: (1...3).contains(column)) }
                .joined(separator: "  ")
                .replacing(#/ +$/#, with: "")
        }
        let promised = rows.compactMap(\.met)
        return (lines + ["\(promised.filter { $0 }.count) of \(promised.count) targets met"]).joined(separator: "\n")
    }

    private func cells(_ row: Row) -> [String] {
        [
            row.name,
            row.ours.figure,
            row.floor?.figure ?? "-",
            row.ratio?.figure ?? "-",
            row.unit,
            row.target?.description ?? "-",
            row.met.map { $0 ? "yes" : "no" } ?? "-",
        ]
    }

    private func pad(_ text: String, to width: Int, isNumber: Bool) -> String {
        let blanks = String(repeating: " ", count: width - text.count)
        return isNumber ? blanks + text : text + blanks
    }
}

extension Double {
    /// The number with three significant digits, or as a whole number when it is large.
    package var figure: String {
        if magnitude >= 100 { return String(format: "%.0f", self) }
        let text = String(format: magnitude >= 10 ? "%.1f" : magnitude >= 1 ? "%.2f" : "%.3f", self)
        return text.contains(".") ? text.replacing(#/\.?0+$/#, with: "") : text
    }
}

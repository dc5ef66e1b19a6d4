import Foundation

/// Rows as a table for people, with columns that line up.
public struct RowTable: Sendable {
    private let rows: [Row]
    private let growth: Growth

    /// Creates a table.
    public init(_ rows: [Row]) {
        self.rows = rows
        growth = Growth(rows)
    }
}

extension RowTable: CustomStringConvertible {
    /// The table: a heading, a line for each row, how many targets are met, and how many rows grow if there are any.
    public var description: String {
        let growing = rows.count { growth.finding(of: $0) != nil }
        let heading = ["row", "ours", "floor", "ratio", "unit", "target", "met"] + (growing > 0 ? ["finding"] : [])
        let lines = textTable([heading] + rows.map { Array(cells($0).prefix(heading.count)) }, numbers: 1...3)
        let promised = rows.compactMap(\.met)
        let met = "\(promised.filter { $0 }.count) of \(promised.count) targets met"
        let tolerance = "more than x \(Growth.tolerance.figure) of the smallest size's cost, beyond the floor"
        let grow = growing > 0 ? ["findings: \(growing) (\(tolerance))"] : []
        return (lines + [met] + grow).joined(separator: "\n")
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
            growth.finding(of: row).map { "grows x \($0.figure)" } ?? "",
        ]
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

/// A run beside an earlier one.
public struct RunComparison: Sendable, Hashable {
    /// The rows that could be compared, in the order of this run.
    public let compared: [RowComparison]
    /// The names of rows that both have, and that cannot be compared.
    public let incomparable: [String]
    /// The names of rows that only this run has.
    public let onlyNow: [String]
    /// The names of rows that only the earlier run has.
    public let onlyThen: [String]

    /// Compares two runs.
    ///
    /// - Parameters:
    ///   - rows: The rows of this run.
    ///   - earlier: Those of the earlier run that this one was asked for.
    /// - Complexity: O(*n*) in the count of rows.
    public init(_ rows: [Row], against earlier: [EarlierRow]) {
        let known = Dictionary(earlier.map { ($0.name, $0) }) { first, _ in first }
        var (compared, incomparable, onlyNow): ([RowComparison], [String], [String]) = ([], [], [])
        for row in rows {
            guard let before = known[row.name] else {
                onlyNow.append(row.name)
                continue
            }
            if let comparison = RowComparison(row, before) {
                compared.append(comparison)
            } else {
                incomparable.append(row.name)
            }
        }
        (self.compared, self.incomparable, self.onlyNow) = (compared, incomparable, onlyNow)
        let measured = Set(rows.map(\.name))
        onlyThen = earlier.map(\.name).filter { !measured.contains($0) }
    }

    /// The rows that got worse by more than is tolerated.
    public var worse: [RowComparison] { compared.filter(\.isWorse) }
}

extension RunComparison: CustomStringConvertible {
    /// A table of both ratios, then what could not be compared, then how many rows got worse.
    public var description: String {
        let heading = ["row", "then", "now", "change", "spread", "worse"]
        let cells = compared.map { row in
            [
                row.isRatio ? row.name : "\(row.name) (no floor)", row.then.figure, row.now.figure,
                "x \((row.now / row.then).figure)", "\((row.spread * 100).figure) %", row.isWorse ? "yes" : "no",
            ]
        }
        let said =
            onlyNow.map { "not in the earlier run: \($0)" }
            + onlyThen.map { "only in the earlier run: \($0)" }
            + incomparable.map { "not comparable, as its unit or floor is another: \($0)" }
        return
            (textTable([heading] + cells, numbers: 1...4) + said + ["\(worse.count) of \(compared.count) rows worse"])
            .joined(separator: "\n")
    }
}

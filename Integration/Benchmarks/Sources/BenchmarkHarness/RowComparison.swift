/// A row of this run beside the same row of an earlier one.
///
/// What is compared is the ratio to the floor, which says more than times of another hour or machine; where there is no
/// floor, the figure itself.
public struct RowComparison: Sendable, Hashable {
    /// How much worse a row may be, beyond what its rounds differ.
    public static let tolerance = 0.1

    /// The name.
    public let name: String
    /// What was compared in the earlier run.
    public let then: Double
    /// What is compared in this run.
    public let now: Double
    /// Whether both are ratios to the floor.
    public let isRatio: Bool
    /// How many times worse this run is: more than 1 where it costs more, or does less in the same time.
    public let worsening: Double
    /// How far the rounds of a run differed, as a fraction of the figure; of both runs the larger.
    public let spread: Double

    /// Compares a row with its earlier self; nil when nothing can be compared.
    ///
    /// That is so with another unit, a floor in only one of both, or a figure of nothing.
    ///
    /// - Parameters:
    ///   - row: A row of this run.
    ///   - earlier: The row of the same name.
    public init?(_ row: Row, _ earlier: EarlierRow) {
        guard row.name == earlier.name, row.unit == earlier.unit, (row.ratio == nil) == (earlier.ratio == nil) else {
            return nil
        }
        name = row.name
        isRatio = row.ratio != nil
        now = row.ratio ?? row.ours
        then = earlier.ratio ?? earlier.ours
        guard now > 0, then > 0 else { return nil }
        worsening = row.isMoreBetter ? then / now : now / then
        spread = max(row.spread ?? 0, earlier.spread ?? 0)
    }

    /// Whether the row got worse by more than is tolerated beyond its spread.
    public var isWorse: Bool { worsening > 1 + Self.tolerance + spread }
}

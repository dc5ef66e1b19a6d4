/// How far the rounds of a row differed.
struct Spread {
    /// The interquartile range, as a fraction of the median: of the ratios, or of our figures without a floor.
    let fraction: Double

    /// Compares the rounds.
    ///
    /// - Parameters:
    ///   - ours: Our figures.
    ///   - floors: The floor's of the same rounds; none without a floor.
    /// - Precondition: There is at least one figure, and as many of the floor or none.
    init(ours: [Double], floors: [Double]) {
        let hasRatios = !floors.isEmpty && !floors.contains(0)
        let figures = hasRatios ? zip(ours, floors).map { $0 / $1 } : ours
        let middle = median(figures)
        let sorted = figures.sorted()
        fraction =
            middle == 0 ? 0 : (Self.quantile(0.75, of: sorted) - Self.quantile(0.25, of: sorted)) / middle.magnitude
    }

    /// A quantile, on the straight line between the two figures beside it.
    private static func quantile(_ part: Double, of sorted: [Double]) -> Double {
        let position = part * Double(sorted.count - 1)
        let below = Int(position)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
}

/// Says that a row is one of several that do the same work with more and more objects.
public struct GrowthStep: Sendable, Hashable {
    /// What the rows have in common: their name without the size.
    public let series: String
    /// How many objects there are.
    public let size: Int

    /// Creates a step of a series.
    ///
    /// - Parameters:
    ///   - series: What the rows have in common.
    ///   - size: How many objects there are.
    public init(_ series: String, size: Int) {
        self.series = series
        self.size = size
    }
}

/// How the cost of one object grows along the rows of a series, beyond what the floor's grows.
///
/// The unit of such rows is a cost for each object or for each call, so that it stays the same where the work is proportional.
public struct Growth: Sendable {
    /// How much the cost may grow from the smallest size on, beyond the floor's growth, before it is a finding.
    ///
    /// Trees get deeper and caches too small for all: the floor has that, too, and a half more is noise or a constant part.
    public static let tolerance = 1.5

    private let factors: [String: Double]

    /// Compares each row of a series with the one of the smallest size.
    ///
    /// - Complexity: O(*n* log *n*) in the count of rows.
    public init(_ rows: [Row]) {
        var factors: [String: Double] = [:]
        for series in Dictionary(grouping: rows.filter { $0.step != nil }, by: { $0.step?.series }).values {
            let rows = series.sorted { ($0.step?.size ?? 0) < ($1.step?.size ?? 0) }
            guard let first = rows.first, first.ours > 0 else { continue }
            for row in rows.dropFirst() { factors[row.name] = row.ours / first.ours / Self.growthOfFloor(row, first) }
        }
        self.factors = factors
    }

    /// A floor that gets cheaper for each object does not ask the same of us.
    private static func growthOfFloor(_ row: Row, _ first: Row) -> Double {
        guard let floor = row.floor, let least = first.floor, least > 0 else { return 1 }
        return max(1, floor / least)
    }

    /// How many times as much one object costs as at the smallest size, beyond the floor's growth; nil for the smallest itself.
    public func factor(of row: Row) -> Double? { factors[row.name] }

    /// The factor, where it is more than is tolerated; else nil.
    public func finding(of row: Row) -> Double? { factor(of: row).flatMap { $0 > Self.tolerance ? $0 : nil } }
}

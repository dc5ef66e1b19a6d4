/// What a row is to reach.
public enum Target: Sendable, Hashable {
    /// At most so many times the floor of the same run.
    case timesFloor(Double)
    /// At most so much, in the unit of the row.
    case atMost(Double)
    /// At least so much, in the unit of the row.
    case atLeast(Double)

    /// Returns whether the figures of a row reach the target.
    ///
    /// - Parameters:
    ///   - ours: Our figure.
    ///   - ratio: Our figure divided by the floor; nil without a floor.
    /// - Returns: False, too, when a multiple of the floor is asked for and there is none.
    public func isMet(ours: Double, ratio: Double?) -> Bool {
        switch self {
        case .timesFloor(let limit): ratio.map { $0 <= limit } ?? false
        case .atMost(let limit): ours <= limit
        case .atLeast(let limit): ours >= limit
        }
    }
}

extension Target: CustomStringConvertible {
    /// The target as a comparison, such as `<= 1.6 x floor`.
    public var description: String {
        switch self {
        case .timesFloor(let limit): "<= \(limit.figure) x floor"
        case .atMost(let limit): "<= \(limit.figure)"
        case .atLeast(let limit): ">= \(limit.figure)"
        }
    }
}

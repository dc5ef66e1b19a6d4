/// What a row is to reach.
public enum Target: Sendable, Hashable {
    /// At most so many times the floor of the same run.
    case timesFloor(Double)
    /// At most so much above the floor of the same run, in the unit of the row.
    case aboveFloor(Double)
    /// At most so much, in the unit of the row.
    case atMost(Double)
    /// At least so much, in the unit of the row.
    case atLeast(Double)

    /// Returns whether the figures of a row reach the target.
    ///
    /// - Parameters:
    ///   - ours: Our figure.
    ///   - floor: The floor's figure in the same run; nil without a floor.
    /// - Returns: False, too, when the floor counts and there is none, or a multiple is asked for of one of zero.
    public func isMet(ours: Double, floor: Double?) -> Bool {
        switch self {
        case .timesFloor(let limit): floor.map { $0 != 0 && ours / $0 <= limit } ?? false
        case .aboveFloor(let limit): floor.map { ours <= $0 + limit } ?? false
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
        case .aboveFloor(let limit): "<= floor + \(limit.figure)"
        case .atMost(let limit): "<= \(limit.figure)"
        case .atLeast(let limit): ">= \(limit.figure)"
        }
    }
}

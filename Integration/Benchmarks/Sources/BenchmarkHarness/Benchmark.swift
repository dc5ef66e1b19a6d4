/// One row to be measured: a piece of work, and beside it the same work at its floor.
public struct Benchmark: Sendable {
    /// Does the work once and returns its cost or speed, in the unit of the row.
    public typealias Measure = @Sendable () async throws -> Double

    /// The name of the row.
    public let name: String
    /// The unit of both figures, such as `ns/row`.
    public let unit: String
    /// What is to be reached; nil when nothing was promised.
    public let target: Target?
    /// Which step of a series this is; nil when the work has one size.
    public let step: GrowthStep?
    /// Our work.
    public let ours: Measure
    /// The least that the machine can do the work for; nil when there is no such thing.
    public let floor: Measure?

    /// Creates a benchmark.
    public init(
        _ name: String,
        unit: String,
        target: Target? = nil,
        step: GrowthStep? = nil,
        floor: Measure? = nil,
        ours: @escaping Measure
    ) {
        self.name = name
        self.unit = unit
        self.target = target
        self.step = step
        self.ours = ours
        self.floor = floor
    }

    /// Measures the row.
    ///
    /// Ours and the floor take turns, so that a slow moment of the machine hits both; the first turn warms up and does
    /// not count.
    ///
    /// - Parameter rounds: How many turns count; each figure is the median of them.
    /// - Returns: The row with its figures.
    /// - Throws: What the work throws.
    /// - Precondition: `rounds > 0`.
    public func run(rounds: Int) async throws -> Row {
        precondition(rounds > 0, "A benchmark needs at least one round.")
        var mine: [Double] = []
        var floors: [Double] = []
        for round in 0...rounds {
            let figure = try await ours()
            let least = try await floor?()
            guard round > 0 else { continue }
            mine.append(figure)
            if let least { floors.append(least) }
        }
        return Row(
            name: name,
            ours: median(mine),
            floor: floor == nil ? nil : median(floors),
            unit: unit,
            target: target,
            spread: Spread(ours: mine, floors: floors).fraction,
            step: step
        )
    }
}

/// Returns the middle of some figures, the mean of the two middle ones if their count is even.
///
/// - Precondition: There is at least one figure.
/// - Complexity: O(*n* log *n*) in the count of figures.
public func median(_ figures: [Double]) -> Double {
    precondition(!figures.isEmpty, "There is no median of no figures.")
    let sorted = figures.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// Returns how long some work takes, in nanoseconds.
public func nanoseconds(of work: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(work)
    return duration / .nanoseconds(1)
}

/// Returns how long one of many equal steps takes, in nanoseconds: the median, so that a stall of the disk counts once.
///
/// - Parameters:
///   - count: How many steps are taken.
///   - step: The step; it is given its number, counted from 0.
/// - Returns: The median of the single times.
/// - Throws: What a step throws.
/// - Complexity: O(*n* log *n*) in the count of steps.
public func medianNanoseconds(ofSteps count: Int, _ step: (Int) throws -> Void) rethrows -> Double {
    try median((0..<count).map { number in try nanoseconds { try step(number) } })
}

/// Returns how long some asynchronous work takes, in nanoseconds.
public func asyncNanoseconds(of work: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await work()
    return (clock.now - start) / .nanoseconds(1)
}

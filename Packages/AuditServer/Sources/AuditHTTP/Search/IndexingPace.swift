/// How the search index makes room for uploads: while some arrive it works a quarter of the time, and all of it otherwise.
struct IndexingPace {
    /// How much longer than the work is the rest after it, while uploads arrive.
    private static let restFactor: UInt64 = 3
    /// The longest rest, in nanoseconds.
    private static let longestRest: UInt64 = 1_000_000_000

    private var uploads: UInt64 = 0

    /// Returns how long to rest after some work before there is more.
    ///
    /// - Parameters:
    ///   - nanoseconds: How long the work took.
    ///   - uploads: How many uploads there were since the server started.
    /// - Returns: Nanoseconds; 0 when no upload came since the last call.
    mutating func rest(after nanoseconds: UInt64, uploads: UInt64) -> UInt64 {
        defer { self.uploads = uploads }
        if uploads == self.uploads { return 0 }
        let (rest, isTooLong) = nanoseconds.multipliedReportingOverflow(by: Self.restFactor)
        return isTooLong ? Self.longestRest : min(rest, Self.longestRest)
    }
}

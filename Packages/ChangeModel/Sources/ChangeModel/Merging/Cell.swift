/// What the server keeps of one cell: the newest value, when it was written, and what was added since.
public struct Cell: Sendable, Hashable {
    /// When the value was written.
    public var stamp: Stamp
    /// The value; nil for a removed entry of a map, what is no member of a set, and what was only added to so far.
    public var value: CellValue?
    /// The epoch of the target that the author of a link knew; 0 for other values.
    public var targetEpoch: Int
    /// What was added to the value, by the stamps of the increments, all of which are newer than the value.
    public var increments: [Stamp: Int64]

    /// Creates a cell.
    public init(stamp: Stamp, value: CellValue?, targetEpoch: Int = 0, increments: [Stamp: Int64] = [:]) {
        self.stamp = stamp
        self.value = value
        self.targetEpoch = targetEpoch
        self.increments = increments
    }

    /// The value with everything that was added, wrapping on overflow; what is no integer is not added to.
    ///
    /// - Complexity: O(*n*) in the increments.
    public var total: CellValue? {
        guard case .int(let base) = value else { return value }
        return .int(increments.values.reduce(base, &+))
    }
}

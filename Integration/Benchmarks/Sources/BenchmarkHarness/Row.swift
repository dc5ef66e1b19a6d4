/// A measured row.
public struct Row: Sendable, Hashable {
    /// The name.
    public let name: String
    /// Our figure: the median of the rounds.
    public let ours: Double
    /// The floor's figure in the same run; nil when there is no floor.
    public let floor: Double?
    /// The unit of both figures.
    public let unit: String
    /// What is to be reached; nil when nothing was promised.
    public let target: Target?
    /// How far the middle half of the rounds differed, as a fraction: of their ratios, or of our figures without a floor.
    ///
    /// Nil when nobody looked.
    public let spread: Double?
    /// Which step of a series it is; nil when the work has one size.
    public let step: GrowthStep?

    /// Creates a row.
    public init(
        name: String,
        ours: Double,
        floor: Double?,
        unit: String,
        target: Target?,
        spread: Double? = nil,
        step: GrowthStep? = nil
    ) {
        self.name = name
        self.ours = ours
        self.floor = floor
        self.unit = unit
        self.target = target
        self.spread = spread
        self.step = step
    }

    /// Our figure divided by the floor; nil without a floor or with one of zero.
    public var ratio: Double? {
        floor.flatMap { $0 == 0 ? nil : ours / $0 }
    }

    /// Whether the target is reached; nil when there is none.
    public var met: Bool? {
        target.map { $0.isMet(ours: ours, floor: floor) }
    }

    /// Whether a larger figure is a better one: something done in a second.
    public var isMoreBetter: Bool {
        if case .atLeast = target { return true }
        return unit.hasSuffix("/s")
    }
}

// MARK: - JSON

extension Row: Encodable {
    private enum CodingKeys: CodingKey {
        case name, ours, floor, ratio, unit, target, met, spread
    }

    /// Encodes the row with every key, those without a value as null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(ours, forKey: .ours)
        try container.encode(floor, forKey: .floor)
        try container.encode(ratio, forKey: .ratio)
        try container.encode(unit, forKey: .unit)
        try container.encode(target?.description, forKey: .target)
        try container.encode(met, forKey: .met)
        try container.encode(spread, forKey: .spread)
    }
}

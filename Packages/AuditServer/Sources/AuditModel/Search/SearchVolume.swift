public import EventModel

/// How many events of a search happened when.
public struct SearchVolume: Sendable, Hashable, Codable {
    /// When the first bar starts, ISO 8601; nil when there are no events.
    public let start: EventInstant?
    /// How long each bar is, in microseconds.
    public let width: Int64
    /// The number of events of each bar.
    public let counts: [Int64]
    /// Whether the numbers are exact.
    ///
    /// They are not when the time for counting was not enough, when texts are looked for, which are not counted, or an object
    /// whose key others may have too.
    public let isExact: Bool

    /// Says what was counted.
    public init(start: EventInstant?, width: Int64, counts: [Int64], isExact: Bool) {
        self.start = start
        self.width = width
        self.counts = counts
        self.isExact = isExact
    }
}

/// Events that arrived after others.
public struct SearchArrivals: Sendable {
    /// Those that fit, in the order of their arrival.
    public let hits: [SearchPage.Hit]
    /// The last event that was looked at.
    public let last: Int64
    /// Whether there are more behind them that may be read.
    public let isMore: Bool

    /// Says what arrived.
    public init(hits: [SearchPage.Hit], last: Int64, isMore: Bool) {
        self.hits = hits
        self.last = last
        self.isMore = isMore
    }
}

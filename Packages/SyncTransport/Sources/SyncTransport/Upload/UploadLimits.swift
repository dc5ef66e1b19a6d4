/// The bounds of uploading.
public struct UploadLimits: Sendable, Hashable {
    /// How many encoded bytes of events one request carries, unless a single event is larger; 1 MiB.
    ///
    /// Large enough that a request's cost does not count, small enough that a slow link loses little when it breaks.
    public var maximumStretchBytes: Int
    /// How many partitions are uploaded at once, each with one request at a time; 4.
    public var maximumPartitionsInFlight: Int
    /// How often partitions are looked at even if nobody reports a change; 60 seconds.
    public var interval: Duration
    /// The ceiling of the first pause after a failure; 0.5 seconds.
    public var minimumBackoff: Duration
    /// The ceiling of every later pause; 300 seconds.
    public var maximumBackoff: Duration

    /// Creates limits; each has the default that its documentation names.
    ///
    /// - Precondition: All are greater than zero.
    public init(
        maximumStretchBytes: Int = 1 << 20,
        maximumPartitionsInFlight: Int = 4,
        interval: Duration = .seconds(60),
        minimumBackoff: Duration = .milliseconds(500),
        maximumBackoff: Duration = .seconds(300)
    ) {
        precondition(
            maximumStretchBytes > 0 && maximumPartitionsInFlight > 0 && interval > .zero && minimumBackoff > .zero
                && maximumBackoff > .zero,
            "The limits of uploading are greater than zero."
        )
        self.maximumStretchBytes = maximumStretchBytes
        self.maximumPartitionsInFlight = maximumPartitionsInFlight
        self.interval = interval
        self.minimumBackoff = minimumBackoff
        self.maximumBackoff = maximumBackoff
    }
}

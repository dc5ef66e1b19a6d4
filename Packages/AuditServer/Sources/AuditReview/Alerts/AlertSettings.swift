/// What reviewers are alerted of.
public struct AlertSettings: Sendable, Hashable {
    /// The rules about events; none by default, because they say what is usual in one place alone.
    public var rules: [AlertRule]
    /// The metadata column that names the person; without one, and where it is missing, the account does.
    public var personColumn: String?
    /// Whether an alert says that a partition is missing between two others; true by default.
    public var findsGaps: Bool
    /// How long a missing partition may come later, in minutes; 60 by default.
    public var gapMinutes: Int
    /// Whether an alert says that a device lost events by its own ledger; true by default.
    public var findsLosses: Bool
    /// Whether an alert says that a review was not done in time; true by default.
    public var findsOverdueReviews: Bool
    /// How many stored events are verified again in a second, in the background; 1000 by default, and 0 turns it off.
    public var verifiedEventsPerSecond: Int

    /// Creates settings.
    public init(
        rules: [AlertRule] = [],
        personColumn: String? = nil,
        findsGaps: Bool = true,
        gapMinutes: Int = 60,
        findsLosses: Bool = true,
        findsOverdueReviews: Bool = true,
        verifiedEventsPerSecond: Int = 1000
    ) {
        self.rules = rules
        self.personColumn = personColumn
        self.findsGaps = findsGaps
        self.gapMinutes = gapMinutes
        self.findsLosses = findsLosses
        self.findsOverdueReviews = findsOverdueReviews
        self.verifiedEventsPerSecond = verifiedEventsPerSecond
    }
}

import AuditModel
import AuditReview
import EventModel

/// A review as it is answered: what is to be reviewed, and how it stands.
public struct ReviewLine: Sendable, Hashable, Codable {
    /// The id.
    public let id: String
    /// The name of its view.
    public let name: String
    /// The filter, as the query of a search.
    public let query: String
    /// `daily`, `weekly` or `monthly`.
    public let period: String
    /// The time zone of the periods.
    public let zone: String
    /// Who is to do it.
    public let who: String?
    /// The time of receipt from which events are to be reviewed, ISO 8601.
    public let from: String
    /// The time of receipt that can be signed off now, ISO 8601.
    public let through: String
    /// When it is due, ISO 8601.
    public let due: String
    /// `waiting`, `due` or `overdue`.
    public let state: String
    /// How many events there are in that time; nil when whoever asks may not know it.
    public let events: Int64?
    /// Whether that is all of them; false when there are more than could be counted.
    public let isExact: Bool
    /// How many alerts were raised in that time.
    public let alerts: Int
    /// The last signature.
    public let last: SignOffLine?

    init(
        _ state: ReviewState,
        through: EventInstant,
        now: EventInstant,
        events: (count: Int64, isExact: Bool)?,
        alerts: Int,
        last: ReviewBook.Placed<SignOff>?
    ) {
        id = state.review.id
        name = state.review.name
        query = state.review.query
        period = state.review.schedule.period.rawValue
        zone = state.review.schedule.zone
        who = state.review.who
        from = state.from.description
        self.through = through.description
        due = state.due.description
        self.state = now >= state.overdue ? "overdue" : now >= state.due ? "due" : "waiting"
        self.events = events?.count
        isExact = events?.isExact ?? false
        self.alerts = alerts
        self.last = last.map(SignOffLine.init)
    }
}

/// A signature under a review, as it is answered.
public struct SignOffLine: Sendable, Hashable, Codable {
    /// The first time of receipt that is covered, ISO 8601.
    public let from: String
    /// The time of receipt that is not covered any more, ISO 8601.
    public let through: String
    /// `noFinding` or `finding`.
    public let outcome: String
    /// What was found.
    public let note: String?
    /// How many events there were; nil when they could not be counted exactly.
    public let events: Int64?
    /// How many alerts there were.
    public let alerts: Int
    /// How many partitions the log of sealed partitions had.
    public let logSize: UInt64
    /// The root of that log.
    public let logRoot: String
    /// Who signed off.
    public let author: String
    /// When, ISO 8601.
    public let signed: String
    /// The event of the auditors' trail that says so, which has a proof of its own.
    public let event: EventPlaceLine

    init(_ signOff: ReviewBook.Placed<SignOff>) {
        let value = signOff.value
        from = value.from.description
        through = value.through.description
        outcome = value.outcome.rawValue
        note = value.note
        events = value.events
        alerts = value.alerts
        logSize = value.logSize
        logRoot = value.logRoot.hex
        author = value.author.name
        signed = signOff.place.time.description
        event = EventPlaceLine(signOff.place.address)
    }
}

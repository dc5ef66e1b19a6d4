package import AuditModel
package import EventModel
import EventProofs

/// A search that somebody looks through again and again.
package struct Review: Sendable, Hashable, Codable {
    /// How many reviews there may be at once.
    package static let maximumCount = 200

    /// The id, 24 hexadecimal digits.
    package let id: String
    /// The view that it was planned from.
    package let view: String
    /// The name of the view at that time.
    package let name: String
    /// The filter of the view at that time: what is reviewed never changes silently.
    package let query: String
    /// The apps that it is about.
    package let scope: AppScope
    /// How often it is due.
    package let schedule: ReviewSchedule
    /// Who is to do it, in words; nil for any reviewer.
    package let who: String?
    /// The time of receipt from which events are reviewed, by the server's clock; before or after the review was planned.
    package let begins: EventInstant
    /// Who planned it.
    package let author: Author

    package init(
        id: String,
        view: String,
        name: String,
        query: String,
        scope: AppScope,
        schedule: ReviewSchedule,
        who: String?,
        begins: EventInstant,
        author: Author
    ) {
        self.id = id
        self.view = view
        self.name = name
        self.query = query
        self.scope = scope
        self.schedule = schedule
        self.who = who
        self.begins = begins
        self.author = author
    }
}

/// The record of a review that was done.
package struct SignOff: Sendable, Hashable, Codable {
    /// What somebody says of the events.
    package enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nothing was found.
        case noFinding
        /// Something was found.
        case finding
    }

    /// How many of a review are kept in mind; all are in the auditors' trail.
    package static let keptCount = 50

    /// The review.
    package let review: String
    /// The filter that was reviewed.
    package let query: String
    /// The first time of receipt that is covered, by the server's clock.
    package let from: EventInstant
    /// The time of receipt that is not covered any more.
    package let through: EventInstant
    /// How many events there were; nil when they could not be counted exactly.
    package let events: Int64?
    /// How many alerts there were.
    package let alerts: Int
    /// How many partitions the log of sealed partitions had when it was signed off.
    package let logSize: UInt64
    /// The root of that log.
    package let logRoot: Digest
    /// What was found.
    package let outcome: Outcome
    /// What there is to say about it; of a finding there is something.
    package let note: String?
    /// Who signed off.
    package let author: Author

    package init(
        review: String,
        query: String,
        from: EventInstant,
        through: EventInstant,
        events: Int64?,
        alerts: Int,
        logSize: UInt64,
        logRoot: Digest,
        outcome: Outcome,
        note: String?,
        author: Author
    ) {
        self.review = review
        self.query = query
        self.from = from
        self.through = through
        self.events = events
        self.alerts = alerts
        self.logSize = logSize
        self.logRoot = logRoot
        self.outcome = outcome
        self.note = note
        self.author = author
    }
}

import AuditModel
import EventModel
import EventProofs

/// A search that somebody looks through again and again.
struct Review: Sendable, Hashable, Codable {
    /// How many reviews there may be at once.
    static let maximumCount = 200

    /// The id, 24 hexadecimal digits.
    let id: String
    /// The view that it was planned from.
    let view: String
    /// The name of the view at that time.
    let name: String
    /// The filter of the view at that time: what is reviewed never changes silently.
    let query: String
    /// The apps that it is about.
    let scope: AppScope
    /// How often it is due.
    let schedule: ReviewSchedule
    /// Who is to do it, in words; nil for any reviewer.
    let who: String?
    /// The time of receipt from which events are reviewed, by the server's clock; before or after the review was planned.
    let begins: EventInstant
    /// Who planned it.
    let author: Author
}

/// The record of a review that was done.
struct SignOff: Sendable, Hashable, Codable {
    /// What somebody says of the events.
    enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nothing was found.
        case noFinding
        /// Something was found.
        case finding
    }

    /// How many of a review are kept in mind; all are in the auditors' trail.
    static let keptCount = 50

    /// The review.
    let review: String
    /// The filter that was reviewed.
    let query: String
    /// The first time of receipt that is covered, by the server's clock.
    let from: EventInstant
    /// The time of receipt that is not covered any more.
    let through: EventInstant
    /// How many events there were; nil when they could not be counted exactly.
    let events: Int64?
    /// How many alerts there were.
    let alerts: Int
    /// How many partitions the log of sealed partitions had when it was signed off.
    let logSize: UInt64
    /// The root of that log.
    let logRoot: Digest
    /// What was found.
    let outcome: Outcome
    /// What there is to say about it; of a finding there is something.
    let note: String?
    /// Who signed off.
    let author: Author
}

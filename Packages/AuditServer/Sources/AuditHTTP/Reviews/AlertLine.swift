public import AuditModel
import AuditReview
import AuditSearch
import EventModel

/// An alert as it is answered.
public struct AlertLine: Sendable, Hashable, Codable {
    /// What a reviewer said to an alert.
    public struct Answer: Sendable, Hashable, Codable {
        /// The reviewer's words.
        public let reason: String
        /// Who acknowledged it.
        public let author: String
        /// When, ISO 8601.
        public let acknowledged: String
        /// The event of the auditors' trail that says so.
        public let event: EventPlaceLine
    }

    /// What the event says that raised an alert, as far as a list shows it; masked as everywhere.
    public struct Shown: Sendable, Hashable, Codable {
        /// How many objects are named.
        private static let maximumObjects = 5

        /// The activity.
        public let activity: String
        /// The metadata columns, such as a reason.
        public let metadata: [String: String]  // TEXT: no event has two such keys, see EventUpload.
        /// The first objects that it shows or changes.
        public let objects: [EventObject]
        /// How many there are.
        public let objectCount: Int
        /// The start of a payload that names no objects.
        public let excerpt: String?

        init(_ event: AuditEvent) {
            let all = EventObject.all(in: event)
            activity = event.activity
            metadata = event.metadata.entries.reduce(into: [:]) { $0[$1.key] = $1.value }
            objects = Array(all.prefix(Self.maximumObjects))
            objectCount = all.count
            excerpt = all.isEmpty ? event.data.map { SearchLine.excerpt(of: $0) } : nil
        }
    }

    /// The id.
    public let id: String
    /// The name of the rule.
    public let rule: String
    /// Why it was raised, such as `massRead`.
    public let kind: String
    /// The app; nil when it is about the whole server.
    public let app: String?
    /// The person, or the account.
    public let person: String?
    /// The partition that it is about.
    public let partition: String?
    /// The place of the event that raised it.
    public let sequence: UInt64?
    /// The class of the object that it is about.
    public let objectClass: String?
    /// The key of that object.
    public let key: String?
    /// The review that it is about.
    public let review: String?
    /// How many objects, events or problems there are.
    public let count: UInt64?
    /// When it began, ISO 8601.
    public let from: String
    /// When it ended, ISO 8601.
    public let through: String
    /// What was found.
    public let detail: String?
    /// When it was raised, ISO 8601.
    public let raised: String
    /// The event of the auditors' trail that raised it.
    public let event: EventPlaceLine
    /// What a reviewer said to it; nil while it is open.
    public let answer: Answer?
    /// What the event of an emergency access says; nil of other alerts, and of an event that is not what was received.
    public let shown: Shown?

    private enum CodingKeys: String, CodingKey {
        case id, rule, kind, app, person, partition, sequence, key, review, count, from, through, detail, raised
        case event, answer, shown
        case objectClass = "class"
    }

    init(_ raised: ReviewBook.Raised, shown: Shown?) {
        let alert = raised.alert
        id = alert.id
        rule = alert.rule
        kind = alert.kind.rawValue
        app = alert.app
        person = alert.person
        partition = alert.partition?.value
        sequence = alert.sequence
        objectClass = alert.objectClass
        key = alert.key
        review = alert.review
        count = alert.count
        from = alert.from.description
        through = alert.through.description
        detail = alert.detail
        self.raised = raised.place.time.description
        event = EventPlaceLine(raised.place.address)
        self.shown = shown
        answer = raised.acknowledged.map { acknowledged in
            Answer(
                reason: acknowledged.value.reason,
                author: acknowledged.value.author.name,
                acknowledged: acknowledged.place.time.description,
                event: EventPlaceLine(acknowledged.place.address)
            )
        }
    }
}

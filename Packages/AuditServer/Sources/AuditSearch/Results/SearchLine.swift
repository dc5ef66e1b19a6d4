public import AuditModel
import EventModel

/// A result of a search in short: what a list shows, without the payload.
public struct SearchLine: Sendable, Hashable, Encodable {
    /// How many objects are named.
    private static let maximumObjects = 12
    /// How much of a payload that names no objects is shown, in characters.
    private static let excerptCount = 240
    /// The same of what an auditor did, whose reason is read in lists.
    private static let trailExcerptCount = 2048

    /// Where the result is among the results of a search; nil elsewhere.
    public let cursor: String?
    /// The partition.
    public let partition: String
    /// The place in the partition, from 1.
    public let sequence: UInt64
    /// The id; nil when the event is damaged.
    public let id: String?
    /// The activity; nil when the event is damaged.
    public let activity: String?
    /// The type of event.
    public let event: String?
    /// When it happened by the device's clock, ISO 8601; nil when the event is damaged.
    public let timestamp: String?
    /// When the server received it, ISO 8601.
    public let received: String?
    /// The app.
    public let app: String?
    /// The user.
    public let user: String?
    /// The metadata columns.
    public let metadata: [String: String]  // TEXT: no event has two keys that Unicode takes for one, see EventUpload.
    /// How the recording ended.
    public let outcome: EventOutcome
    /// Whether the event is not what was received.
    public let changed: Bool
    /// Whether values are masked.
    public let masked: Bool
    /// The first objects that it shows or changes.
    public let objects: [EventObject]
    /// How many there are.
    public let objectCount: Int
    /// The first values that it changes.
    public let changes: [EventChange]
    /// The start of a payload that names no objects; of a search that found nothing, what was asked for.
    public let excerpt: String?

    package init(_ hit: SearchPage.Hit, _ labels: ObjectLabels = .none, cursor: String? = nil) {
        let event = hit.stored.event
        let all = EventObject.all(in: hit.stored, labels)
        self.cursor = cursor
        partition = hit.stored.partition.value
        sequence = hit.stored.sequence
        id = event?.id.stringValue
        activity = event?.activity
        self.event = event?.event
        timestamp = event?.timestamp.description
        received = hit.stored.received?.description
        app = hit.stored.owner?.app
        user = hit.stored.owner?.user
        metadata = (event?.metadata.entries ?? []).reduce(into: [:]) { $0[$1.key] = $1.value }
        outcome = hit.stored.outcome
        changed = hit.isChanged
        masked = hit.stored.isMasked
        objects = Array(all.prefix(Self.maximumObjects))
        objectCount = all.count
        changes = event.map { EventChange.first(in: $0) } ?? []
        let count = app == TrailEvent.app ? Self.trailExcerptCount : Self.excerptCount
        if let search = EmptySearch(event: event?.event, data: event?.data) {
            excerpt = String(search.description.prefix(Self.excerptCount))
        } else {
            excerpt = all.isEmpty ? event?.data.map { Self.excerpt(of: $0, count) } : nil
        }
    }

    /// The start of a payload as a list shows it.
    package static func excerpt(of data: [UInt8]) -> String { excerpt(of: data, excerptCount) }

    /// Cuts a payload before it is decoded, as it may have megabytes.
    private static func excerpt(of data: [UInt8], _ count: Int) -> String {
        String(String(decoding: data.prefix(count * 4), as: UTF8.self).prefix(count))
    }
}

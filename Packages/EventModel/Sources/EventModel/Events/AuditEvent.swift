/// One recorded event, as the `AuditEvent` collection stores it.
///
/// Field names and meanings come from the Event Library's schema; ``scopeCommitted``, ``clock``, ``marks-swift.property`` and ``sync``
/// are ours.
public struct AuditEvent: Sendable, Hashable {
    /// What is unusual about an event.
    public struct Marks: OptionSet, Sendable, Hashable {
        /// One bit for each mark.
        public let rawValue: UInt8

        /// Creates marks from their bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The scope ended with the process, not by a commit.
        public static let interrupted = Marks(rawValue: 1)
        /// The payload could not be made; `data` says why.
        public static let incomplete = Marks(rawValue: 2)
    }

    /// Unique, increasing in the order of recording within a process.
    public let id: ObjectId
    /// The clocks at the read, write or call; `clock.wall` is the column `timestamp`.
    public let clock: ClockReading
    /// The name of the scope, or of the custom event.
    public let activity: String
    /// `read`, `write`, or the type of a custom event.
    public let event: String?
    /// The payload as UTF-8: JSON of a scoped event, any text of a custom one.
    public let data: [UInt8]?
    /// The columns that the app added.
    public let metadata: EventMetadata
    /// When the scope was committed; nil for a custom event and for a scope that was interrupted by the end of its process.
    public let scopeCommitted: EventInstant?
    /// What is unusual.
    public let marks: Marks
    /// Where the realm was in sync: what was known when something was read, and the changes that a write became.
    ///
    /// Nil for a custom event, for a realm that does not sync, and for events of programs that did not say it yet.
    public let sync: SyncReference?

    /// Creates an event; whoever stores it checks its bounds.
    public init(
        id: ObjectId,
        clock: ClockReading,
        activity: String,
        event: String? = nil,
        data: [UInt8]? = nil,
        metadata: EventMetadata = .empty,
        scopeCommitted: EventInstant? = nil,
        marks: Marks = [],
        sync: SyncReference? = nil
    ) {
        self.id = id
        self.clock = clock
        self.activity = activity
        self.event = event
        self.data = data
        self.metadata = metadata
        self.scopeCommitted = scopeCommitted
        self.marks = marks
        self.sync = sync
    }

    /// When the event happened: the column `timestamp`.
    public var timestamp: EventInstant { clock.wall }

    /// The payload as text; nil when there is none.
    public var dataText: String? { data.map { String(decoding: $0, as: UTF8.self) } }
}

public import EventModel

/// Which events a listing or a search holds; every property that is set must fit.
public struct EventFilter: Sendable, Hashable {
    /// The partition.
    public var partition: PartitionID?
    /// The app, exactly.
    public var app: String?
    /// The person: the id of the account, or the value of any metadata column, exactly.
    public var person: String?
    /// The class of an object that was read or written, exactly.
    public var objectClass: String?
    /// The primary key of an object that was read or written, as text, exactly.
    ///
    /// Of an object that was shown inside another one the class is unknown, so that the key alone must fit.
    public var objectKey: String?
    /// The activity, exactly.
    public var activity: String?
    /// The type of event, exactly: `read`, `write` or a custom one.
    public var event: String?
    /// How the recording ended.
    public var outcome: EventOutcome?
    /// Metadata columns and their values, exactly; all of them must fit.
    public var metadata: [ExactText: String]
    /// The run of a device's system, 32 hexadecimal digits.
    public var boot: String?
    /// The public key of the device that sealed the partition; a partition that is open has none yet.
    public var device: [UInt8]?
    /// The earliest time of an event by the device's clock, inclusive.
    public var since: EventInstant?
    /// The time by the device's clock that events are before, exclusive.
    public var until: EventInstant?
    /// The earliest time that the server received an event, inclusive.
    public var receivedSince: EventInstant?
    /// The time that the server received events before, exclusive.
    public var receivedUntil: EventInstant?
    /// A text that the activity, the type, the payload or a value of metadata has in it; `A` to `Z` fit `a` to `z`.
    public var text: String?
    /// Whether events are listed again that a recorder offered twice; false by default, as each counts once.
    public var includesRepeated: Bool
    /// What may be read at all; everything by default.
    public var access: EventAccess
    /// What nobody finds an event by, because it is not shown; nothing by default.
    package var masks = EventMasks.none

    /// Creates a filter; without arguments every event fits.
    public init(
        partition: PartitionID? = nil,
        app: String? = nil,
        person: String? = nil,
        objectClass: String? = nil,
        objectKey: String? = nil,
        activity: String? = nil,
        event: String? = nil,
        outcome: EventOutcome? = nil,
        metadata: [ExactText: String] = [:],
        boot: String? = nil,
        device: [UInt8]? = nil,
        since: EventInstant? = nil,
        until: EventInstant? = nil,
        receivedSince: EventInstant? = nil,
        receivedUntil: EventInstant? = nil,
        text: String? = nil,
        includesRepeated: Bool = false,
        access: EventAccess = .all
    ) {
        self.partition = partition
        self.app = app
        self.person = person
        self.objectClass = objectClass
        self.objectKey = objectKey
        self.activity = activity
        self.event = event
        self.outcome = outcome
        self.metadata = metadata
        self.boot = boot
        self.device = device
        self.since = since
        self.until = until
        self.receivedSince = receivedSince
        self.receivedUntil = receivedUntil
        self.text = text
        self.includesRepeated = includesRepeated
        self.access = access
    }
}

public import EventModel

/// Which events a listing holds; every property that is set must fit.
public struct EventFilter: Sendable, Hashable {
    /// The partition.
    public var partition: PartitionID?
    /// The activity, exactly.
    public var activity: String?
    /// The type of event, exactly: `read`, `write` or a custom one.
    public var event: String?
    /// The earliest time of an event, inclusive.
    public var since: EventInstant?
    /// The time that events are before, exclusive.
    public var until: EventInstant?
    /// Whether events are listed again that a recorder offered twice; false by default, as each counts once.
    public var includesRepeated: Bool
    /// What may be read at all; everything by default.
    public var access: EventAccess

    /// Creates a filter; without arguments every event fits.
    public init(
        partition: PartitionID? = nil,
        activity: String? = nil,
        event: String? = nil,
        since: EventInstant? = nil,
        until: EventInstant? = nil,
        includesRepeated: Bool = false,
        access: EventAccess = .all
    ) {
        self.partition = partition
        self.activity = activity
        self.event = event
        self.since = since
        self.until = until
        self.includesRepeated = includesRepeated
        self.access = access
    }

    /// Returns whether an event fits; one whose columns are damaged fits every filter, so that nobody misses it.
    public func matches(_ stored: StoredEvent) -> Bool {
        if let owner = stored.owner, !access.includes(stored.partition, of: owner) { return false }
        if let partition, stored.partition != partition { return false }
        if stored.isRepeated && !includesRepeated { return false }
        guard let found = stored.event else { return true }
        if let activity, found.activity != activity { return false }
        if let event, found.event != event { return false }
        if let since, found.timestamp < since { return false }
        if let until, found.timestamp >= until { return false }
        return true
    }
}

public import EventModel

/// Which events a hold keeps, or an erasure takes; every property that is set must fit.
public struct KeepingFilter: Sendable, Hashable {
    /// The app, exactly.
    public var app: String?
    /// The person: the id of the account, or the value of any metadata column, exactly.
    public var person: String?
    /// The class of an object that was read or written, exactly.
    public var objectClass: String?
    /// The primary key of an object that was read or written, as text, exactly.
    public var objectKey: String?
    /// What the prefix of the partition begins with.
    public var prefix: String?
    /// The partition.
    public var partition: PartitionID?
    /// The activity, exactly.
    public var activity: String?
    /// The type of event, exactly.
    public var event: String?
    /// The earliest time by the device's clock, inclusive.
    public var since: EventInstant?
    /// The time by the device's clock that events are before, exclusive.
    public var until: EventInstant?
    /// The earliest time of receipt, inclusive.
    public var receivedSince: EventInstant?
    /// The time of receipt that events are before, exclusive.
    public var receivedUntil: EventInstant?

    /// Creates a filter; without arguments every event fits.
    public init(
        app: String? = nil,
        person: String? = nil,
        objectClass: String? = nil,
        objectKey: String? = nil,
        prefix: String? = nil,
        partition: PartitionID? = nil,
        activity: String? = nil,
        event: String? = nil,
        since: EventInstant? = nil,
        until: EventInstant? = nil,
        receivedSince: EventInstant? = nil,
        receivedUntil: EventInstant? = nil
    ) {
        self.app = app
        self.person = person
        self.objectClass = objectClass
        self.objectKey = objectKey
        self.prefix = prefix
        self.partition = partition
        self.activity = activity
        self.event = event
        self.since = since
        self.until = until
        self.receivedSince = receivedSince
        self.receivedUntil = receivedUntil
    }
}

extension KeepingFilter {
    /// Whether it says more than an app and a time: what an erasure must say.
    package var isSpecific: Bool {
        [person, objectKey, prefix, activity, event].contains { $0 != nil } || objectClass != nil || partition != nil
    }

    /// The texts that it names.
    package var texts: [String] {
        [app, person, objectClass, objectKey, prefix, activity, event].compactMap(\.self)
    }

    /// The same as a filter of listings, but for the prefix; events that a recorder offered twice are listed, too.
    package var eventFilter: EventFilter {
        EventFilter(
            partition: partition,
            app: app,
            person: person,
            objectClass: objectClass,
            objectKey: objectKey,
            activity: activity,
            event: event,
            since: since,
            until: until,
            receivedSince: receivedSince,
            receivedUntil: receivedUntil,
            includesRepeated: true
        )
    }

    /// Returns whether an event fits.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload when an object is looked for.
    package func fits(_ stored: StoredEvent) -> Bool {
        if let prefix, !stored.partition.prefix.utf8.starts(with: prefix.utf8) { return false }
        return eventFilter.matches(stored)
    }
}

// MARK: - Codable

extension KeepingFilter: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case app, person
        case objectClass = "class"
        case objectKey = "key"
        case prefix, partition, activity, event, since, until, receivedSince, receivedUntil
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Writes what is set; times in ISO 8601.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(app, forKey: .app)
        try container.encodeIfPresent(person, forKey: .person)
        try container.encodeIfPresent(objectClass, forKey: .objectClass)
        try container.encodeIfPresent(objectKey, forKey: .objectKey)
        try container.encodeIfPresent(prefix, forKey: .prefix)
        try container.encodeIfPresent(partition, forKey: .partition)
        try container.encodeIfPresent(activity, forKey: .activity)
        try container.encodeIfPresent(event, forKey: .event)
        try container.encodeIfPresent(since?.description, forKey: .since)
        try container.encodeIfPresent(until?.description, forKey: .until)
        try container.encodeIfPresent(receivedSince?.description, forKey: .receivedSince)
        try container.encodeIfPresent(receivedUntil?.description, forKey: .receivedUntil)
    }

    /// Reads a filter.
    ///
    /// - Throws: `DecodingError` for a key that is not known: a misspelt one would take more than was meant.
    public init(from decoder: any Decoder) throws {
        for key in try decoder.container(keyedBy: AnyKey.self).allKeys
        where CodingKeys(stringValue: key.stringValue) == nil {
            let reason = "A filter has no such key."
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath + [key], debugDescription: reason))
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func instant(_ key: CodingKeys) throws -> EventInstant? {
            try container.contains(key) ? EventInstant(text: key, in: container) : nil
        }
        app = try container.decodeIfPresent(String.self, forKey: .app)
        person = try container.decodeIfPresent(String.self, forKey: .person)
        objectClass = try container.decodeIfPresent(String.self, forKey: .objectClass)
        objectKey = try container.decodeIfPresent(String.self, forKey: .objectKey)
        prefix = try container.decodeIfPresent(String.self, forKey: .prefix)
        partition = try container.decodeIfPresent(PartitionID.self, forKey: .partition)
        activity = try container.decodeIfPresent(String.self, forKey: .activity)
        event = try container.decodeIfPresent(String.self, forKey: .event)
        since = try instant(.since)
        until = try instant(.until)
        receivedSince = try instant(.receivedSince)
        receivedUntil = try instant(.receivedUntil)
    }
}

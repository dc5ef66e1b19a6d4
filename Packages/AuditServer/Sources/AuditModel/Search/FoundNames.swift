public import EventModel

/// Which names are looked for.
public enum NameQuestion: Sendable, Hashable {
    /// The names that have words which begin so, in any order, without case and accents.
    case words(String)
    /// The names that one object had.
    case object(objectClass: String, key: String)
}

/// What an object was called in events.
public struct FoundName: Sendable, Hashable, Codable {
    /// The app.
    public let app: String
    /// The class.
    public let objectClass: String
    /// The primary key as text.
    public let key: String
    /// What it was called.
    public let label: String
    /// How many events call it so; nil for somebody who may not read all of them.
    public let events: Int64?
    /// When it was called so last, by the device's clock, of the events that may be read.
    public let lastSeen: EventInstant

    /// Describes a name.
    public init(
        app: String,
        objectClass: String,
        key: String,
        label: String,
        events: Int64?,
        lastSeen: EventInstant
    ) {
        self.app = app
        self.objectClass = objectClass
        self.key = key
        self.label = label
        self.events = events
        self.lastSeen = lastSeen
    }

    private enum CodingKeys: String, CodingKey {
        case objectClass = "class"
        case app, key, label, events, lastSeen
    }
}

/// The names that were found.
public struct FoundNames: Sendable, Hashable, Codable {
    /// The names.
    public let names: [FoundName]
    /// Whether no other name fits.
    public let isWhole: Bool

    /// Describes what was found.
    public init(names: [FoundName], isWhole: Bool) {
        self.names = names
        self.isWhole = isWhole
    }
}

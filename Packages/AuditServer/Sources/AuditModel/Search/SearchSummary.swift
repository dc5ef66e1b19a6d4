public import EventModel

/// What the events of a search have in common: when they happened, who recorded them, in which activities, with what.
public struct SearchSummary: Sendable, Hashable, Encodable {
    /// How many events, of which type, and when.
    public struct Tally: Sendable, Hashable, Encodable {
        /// All events.
        public package(set) var events: Int64 = 0
        /// Those that are reads.
        public package(set) var reads: Int64 = 0
        /// Those that are writes.
        public package(set) var writes: Int64 = 0
        /// The time of the first, by the device's clock.
        public package(set) var first = EventInstant(microseconds: .max)
        /// The time of the last, by the device's clock.
        public package(set) var last = EventInstant(microseconds: .min)

        package init() {}
    }

    /// A value that some of the events have.
    public struct Part: Sendable, Hashable, Encodable {
        /// The value; of metadata the key, a zero byte and the value.
        public let value: String
        /// The app, of an account.
        public let app: String?
        /// The events that have it.
        public let tally: Tally

        package init(value: String, app: String?, tally: Tally) {
            self.value = value
            self.app = app
            self.tally = tally
        }
    }

    /// The values of one kind.
    public struct Parts: Sendable, Hashable, Encodable {
        /// Those that most events have.
        public let most: [Part]
        /// How many values there are in all.
        public let count: Int

        package init(most: [Part], count: Int) {
            self.most = most
            self.count = count
        }
    }

    /// All events; nil when there are none.
    public let all: Tally?
    /// Whether every event was counted: false when the time was not enough, or texts are looked for, which are not counted.
    public let isExact: Bool
    /// The accounts.
    public let accounts: Parts
    /// The activities.
    public let activities: Parts
    /// The types of events.
    public let types: Parts
    /// The columns of metadata with their values.
    public let metadata: Parts
    /// The classes of objects that were shown or changed.
    public let classes: Parts
    /// The keys of these objects.
    public let keys: Parts
    /// The runs of devices.
    public let boots: Parts

    package init(
        all: Tally?,
        isExact: Bool,
        accounts: Parts,
        activities: Parts,
        types: Parts,
        metadata: Parts,
        classes: Parts,
        keys: Parts,
        boots: Parts
    ) {
        self.all = all
        self.isExact = isExact
        self.accounts = accounts
        self.activities = activities
        self.types = types
        self.metadata = metadata
        self.classes = classes
        self.keys = keys
        self.boots = boots
    }
}

extension SearchSummary.Tally {
    /// Counts an event.
    package mutating func add(_ type: SearchSummary.EventType, at time: Int64) {
        events += 1
        switch type {
        case .read: reads += 1
        case .write: writes += 1
        case .other: break
        }
        first = min(first, EventInstant(microseconds: time))
        last = max(last, EventInstant(microseconds: time))
    }

    /// Counts the events of another tally too.
    package mutating func add(_ other: SearchSummary.Tally) {
        events += other.events
        reads += other.reads
        writes += other.writes
        first = min(first, other.first)
        last = max(last, other.last)
    }
}

extension SearchSummary {
    package enum EventType {
        case read, write, other
    }
}

public import EventModel

/// What somebody is to be told of when it happens in an app.
public struct AlertRule: Sendable, Hashable {
    /// What has to happen.
    public enum Condition: Sendable, Hashable {
        /// An event while the app's hours are over; one alert for each person and each time between two working hours.
        case afterHours(WorkingHours)
        /// More reads than usual; one alert for each person and each stretch of that time.
        case massRead(MassRead)
        /// An event that fits; one alert for each event.
        case breakGlass(EventPattern)
        /// An event that shows or changes one of these records; one alert for each person, record and day in UTC.
        case namedRecords(Set<NamedRecord>)
    }

    /// The name, which tells its alerts apart from those of other rules.
    public var name: String
    /// The app; nil for all.
    public var app: String?
    /// What has to happen.
    public var condition: Condition

    /// Creates a rule.
    public init(_ name: String, app: String? = nil, _ condition: Condition) {
        self.name = name
        self.app = app
        self.condition = condition
    }
}

/// How much reading is too much.
public struct MassRead: Sendable, Hashable {
    /// What is counted.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        /// Different objects.
        case objects
        /// Events.
        case events
    }

    /// The class of the objects; nil for any.
    public var objectClass: String?
    /// How many are allowed.
    public var limit: Int
    /// In how many minutes, by the device's clock.
    public var minutes: Int
    /// What is counted.
    public var unit: Unit

    /// Describes too much reading.
    public init(objectClass: String? = nil, limit: Int, minutes: Int, unit: Unit = .objects) {
        self.objectClass = objectClass
        self.limit = limit
        self.minutes = minutes
        self.unit = unit
    }
}

/// Which events fit; every property that is set must.
public struct EventPattern: Sendable, Hashable {
    /// The activity, exactly.
    public var activity: String?
    /// The type of event, exactly.
    public var event: String?
    /// Metadata columns and their values, exactly; `*` stands for any value.
    public var metadata: [ExactText: String]

    /// Describes events.
    public init(activity: String? = nil, event: String? = nil, metadata: [ExactText: String] = [:]) {
        self.activity = activity
        self.event = event
        self.metadata = metadata
    }
}

/// An object that is watched by name.
public struct NamedRecord: Sendable {
    /// The class.
    public var objectClass: String
    /// The primary key as text.
    public var key: String

    /// Names an object.
    public init(objectClass: String, key: String) {
        self.objectClass = objectClass
        self.key = key
    }
}

extension NamedRecord: Hashable {
    /// Compares the bytes of class and key.
    public static func == (left: NamedRecord, right: NamedRecord) -> Bool {
        left.objectClass.hasSameBytes(as: right.objectClass) && left.key.hasSameBytes(as: right.key)
    }

    /// Feeds the bytes of class and key to the hasher.
    public func hash(into hasher: inout Hasher) {
        objectClass.hashBytes(into: &hasher)
        key.hashBytes(into: &hasher)
    }
}

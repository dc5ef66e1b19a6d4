public import EventModel

/// What is odd about the clock of a device in one run of its system.
public struct ClockFinding: Sendable, Hashable, Encodable {
    /// A stretch of events whose wall clock differed from what the monotonic clock made of the run's first reading.
    public struct Step: Sendable, Hashable, Encodable {
        /// By how much, in microseconds: greater than zero when the clock was set forward, or stood still while the device slept.
        public let microseconds: Int64
        /// The first event of the stretch.
        public let first: Place
        /// Its last event.
        public let last: Place

        /// Describes a stretch.
        public init(microseconds: Int64, first: Place, last: Place) {
            self.microseconds = microseconds
            self.first = first
            self.last = last
        }
    }

    /// Where an event lies, and what the device's clock said.
    public struct Place: Sendable, Hashable, Encodable {
        /// The partition.
        public let partition: String
        /// The place in the partition.
        public let sequence: Int64
        /// The device's clock.
        public let time: EventInstant

        /// Names a place.
        public init(partition: String, sequence: Int64, time: EventInstant) {
            self.partition = partition
            self.sequence = sequence
            self.time = time
        }
    }

    /// The app.
    public let app: String
    /// The account.
    public let account: String
    /// The run.
    public let boot: String
    /// The stretches in the order of the monotonic clock, without the first, which the others are compared with.
    public let steps: [Step]
    /// How far an event's time was ahead of the server's clock when it arrived, at most, in microseconds; 0 when it was not.
    public let ahead: Int64

    /// Describes a run.
    public init(app: String, account: String, boot: String, steps: [Step], ahead: Int64) {
        self.app = app
        self.account = account
        self.boot = boot
        self.steps = steps
        self.ahead = ahead
    }
}

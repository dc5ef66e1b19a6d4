import EventDestinations
import EventModel
import EventModelTesting

typealias Destination = SharedDestination<FakeEventFiles, InMemoryScopeJournals, FakeEventUploader>
typealias Destinations = OpenDestinations<FakeEventFiles, InMemoryScopeJournals, FakeEventUploader>

extension Destination.Parts {
    /// Parts without a user, unless an upload is given.
    static func sample(
        files: FakeEventFiles = FakeEventFiles(),
        uploader: FakeEventUploader? = nil,
        logger: @escaping @Sendable (SyncLogLevel, String) -> Void = { _, _ in }
    ) -> Self {
        Self(files: files, journals: InMemoryScopeJournals(), uploader: uploader, logger: logger)
    }
}

extension AuditEvent {
    /// An event with a number.
    static func sample(_ number: UInt32 = 1) -> AuditEvent {
        let clock = ClockReading(
            wall: EventInstant(microseconds: Int64(number)),
            monotonicNanoseconds: UInt64(number),
            boot: Boot(high: 1, low: 1)
        )
        return AuditEvent(id: ObjectId(high: 0, low: number), clock: clock, activity: "event \(number)")
    }
}

import EventModel
import EventRecording
import EventSerialization
import SyncTransport

/// What a realm's configuration carries for the recorder: the user it was made for and the event configuration.
struct EventAttachment: RealmAttachment {
    var user: User?
    var events: EventConfiguration?
    /// Whether the user's app is one of flexible sync, which has no partitions for events to go to.
    var isFlexible = false

    func observer(
        for realm: RealmIdentity,
        notes: (any CommitNotes)?,
        existing: (any RealmObserver)?
    ) throws -> (any RealmObserver)? {
        guard var events else { return existing }
        if let recorder = existing as? Recorder {
            try recorder.didReopen(with: events)
            return recorder
        }
        try events.validate()
        if isFlexible, events.syncUser.map({ $0.id == user?.id && $0.appID == user?.appID }) ?? true {
            throw EventModelError.invalidParameter(
                "syncUser",
                reason: "the realm uses flexible sync, so its events need a user of a partition-based app"
            )
        }
        events.logger = events.logger ?? EventLogger.standard
        let destination = try EventDestination.shared(for: events, user: user, beside: realm.path)
        return try Recorder(
            configuration: events,
            encoder: JSONSnapshotEncoder(dataRepresentation: events.dataRepresentation),
            sink: destination,
            journals: destination.journals,
            realm: realm,
            notes: notes
        )
    }
}

import EventModel
import EventRecording
import EventSerialization
import SyncTransport

/// What a realm's configuration carries for the recorder: the user it was made for and the event configuration.
struct EventAttachment: RealmAttachment {
    var user: User?
    var events: EventConfiguration?

    func observer(for realm: RealmIdentity, existing: (any RealmObserver)?) throws -> (any RealmObserver)? {
        guard let events else { return existing }
        if let recorder = existing as? Recorder {
            try recorder.didReopen(with: events)
            return recorder
        }
        try events.validate()
        var configuration = events
        configuration.logger = events.logger ?? EventLogger.standard
        let destination = try EventDestinations.shared.destination(
            for: configuration,
            user: configuration.syncUser ?? user,
            beside: realm.path
        )
        return try Recorder(configuration: configuration, encoder: JSONSnapshotEncoder(), sink: destination)
    }
}

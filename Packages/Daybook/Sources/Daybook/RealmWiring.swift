import EventModel
import EventRecording
import ObjectStore
import RealmSync
import SyncTransport

/// What a realm's configuration carries past the store: its user, and what is joined to the realm when it opens.
///
/// Each room that meets the store has a property here and is joined in a folder of its own: `Recording/` joins the recorder, `Syncing/`
/// the session.
package struct RealmWiring: RealmAttachment {
    /// The user that the realm was opened for.
    var user: User?
    /// Whether the user's app is one of flexible sync.
    var isFlexible = false
    /// What the realm syncs with; nil when it does not.
    var sync: SyncConfiguration?
    /// How events are recorded; nil when they are not.
    var recording: EventConfiguration?

    package func observer(
        for realm: RealmIdentity,
        notes: (any CommitNotes)?,
        existing: (any RealmObserver)?
    ) throws -> (any RealmObserver)? {
        guard let recording else { return existing }
        return try recorder(recording, for: realm, notes: notes, existing: existing as? Recorder)
    }
}

extension Realm.Configuration {
    /// What is joined to the realm.
    var wiring: RealmWiring {
        get { attachment as? RealmWiring ?? RealmWiring() }
        set { attachment = newValue }
    }
}

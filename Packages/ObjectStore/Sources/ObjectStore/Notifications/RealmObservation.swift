/// A handler of the realm as a whole.
final class RealmObservation: ChangeObservation {
    private let handler: Realm.NotificationBlock

    init(_ realm: RealmCore, _ handler: @escaping Realm.NotificationBlock) {
        self.handler = handler
        super.init(realm)
    }

    func call(_ notification: Realm.Notification) {
        if notification == .didChange {
            // What a commit was to skip is known already.
            guard version != realm.store.version else { return }
            version = realm.store.version
        }
        handler(notification, Realm(core: realm))
    }

    /// Calls the handler of a commit that changed nothing, as programs that wait for the end of a write expect.
    func callForEmptyCommit() { handler(.didChange, Realm(core: realm)) }

    override func skip(_ version: UInt64) -> () -> Void {
        { self.version = version }
    }
}

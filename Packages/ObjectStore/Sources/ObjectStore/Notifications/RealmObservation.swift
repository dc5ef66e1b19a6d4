/// A handler of the realm as a whole.
final class RealmObservation: Observation {
    private let handler: Realm.NotificationBlock

    init(_ realm: RealmCore, _ handler: @escaping Realm.NotificationBlock) {
        self.handler = handler
        super.init(realm)
    }

    func call(_ notification: Realm.Notification) {
        handler(notification, Realm(core: realm))
    }
}

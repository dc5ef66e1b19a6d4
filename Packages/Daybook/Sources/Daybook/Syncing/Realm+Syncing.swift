public import ObjectStore
public import RealmSync

extension Realm.Configuration {
    /// What the realm syncs with; nil for one that stays on the device.
    ///
    /// `User.configuration(partitionValue:)` sets it where the app syncs its realms.
    public var syncConfiguration: SyncConfiguration? { wiring.sync }
}

extension Realm {
    /// What keeps the realm and the server's alike; nil for one that stays on the device.
    ///
    /// All instances of a file in the process share one. It goes on after the last of them until what was pending is on the server, or
    /// the session is suspended.
    public var syncSession: SyncSession? { (companion as? OpenSession)?.session }
}

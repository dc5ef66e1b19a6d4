import Foundation
public import ObjectStore
public import SyncTransport

extension User {
    /// Returns the configuration of the user's realm for a partition value: a file of its own below the app's folder.
    ///
    /// Where the app's configuration says that realms sync, the file keeps its changes, and a `SyncSession` keeps it and the server's realm of
    /// this value alike for as long as the realm is open; all users who share the realm see the same. Else the file stays on the device.
    ///
    /// - Parameters:
    ///   - partitionValue: A string, an integer, an object id or a UUID; different values have different files.
    ///   - cancelAsyncOpenOnNonFatalErrors: Whether the first error of the connection ends an asynchronous opening that downloads; else it goes on
    ///     until the server is reached.
    /// - Returns: The configuration, without recording.
    public func configuration(
        partitionValue: some PartitionValue,
        cancelAsyncOpenOnNonFatalErrors: Bool = false
    ) -> Realm.Configuration {
        var configuration = configuration(of: realmPath(partitionValue: partitionValue), isFlexible: false)
        guard syncsRealms else { return configuration }
        configuration.keepsChanges = true
        configuration.changeClock = clock
        configuration.wiring.sync = SyncConfiguration(
            user: self,
            partitionValue: partitionValue,
            cancelAsyncOpenOnNonFatalErrors: cancelAsyncOpenOnNonFatalErrors
        )
        return configuration
    }

    /// Returns the configuration of the user's realm in an app of flexible sync: one file for the user below the app's folder.
    ///
    /// Events of such a realm need an `EventConfiguration.syncUser` of a partition-based app; without one, opening throws.
    ///
    /// - Returns: The configuration, without recording.
    public func flexibleSyncConfiguration() -> Realm.Configuration {
        configuration(of: "\(directory)/flx_sync_default.realm", isFlexible: true)
    }

    private func configuration(of path: String, isFlexible: Bool) -> Realm.Configuration {
        var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
        configuration.wiring = RealmWiring(user: self, isFlexible: isFlexible)
        return configuration
    }
}

import EventModel
import EventPartitions
import EventRecording
import SyncTransport
import Synchronization

/// Finds the destination of a folder, so that all realms of the process that record into it share one.
final class EventDestinations: Sendable {
    private struct Weak {
        weak let destination: EventDestination?
    }

    static let shared = EventDestinations()

    private let open = Mutex<[String: Weak]>([:])

    /// Returns the destination for a realm, made at the first use.
    ///
    /// The first configuration of a folder decides who is told about its upload. Events of a user lie in the folder of
    /// the user's app, other ones beside the realm, unless the configuration names a directory.
    ///
    /// - Throws: When the folder cannot be used.
    func destination(
        for configuration: EventConfiguration,
        user: (any EventUser)?,
        beside realm: String
    ) throws -> EventDestination {
        let account = user as? User
        let beside = realm.lastIndex(of: "/").map { String(realm[..<$0]) } ?? "/"
        let folder = try EventFolder(
            root: configuration.directory ?? account?.appDirectory ?? beside,
            appID: user?.appID ?? "local",
            userID: user?.id ?? "local",
            prefix: configuration.partitionPrefix
        )
        // Opening a folder recovers what is in it; a second opener must wait for that, not repeat it.
        return try open.withLock { open in
            if let destination = open[folder.path]?.destination { return destination }
            let destination = try EventDestination(folder: folder, configuration: configuration, user: account)
            open[folder.path] = Weak(destination: destination)
            return destination
        }
    }
}

public import EventRecording
import Foundation
public import ObjectStore
public import SyncTransport

extension Realm.Configuration {
    /// How events of the realm are recorded; nil, the default, records nothing.
    ///
    /// The configuration of the first instance that opens a file holds for all instances of the file in the process.
    public var eventConfiguration: EventConfiguration? {
        get { (attachment as? EventAttachment)?.events }
        set {
            var attachment = attachment as? EventAttachment ?? EventAttachment()
            attachment.events = newValue
            self.attachment = attachment
        }
    }
}

extension Realm {
    /// Begins scopes and records events of the program's own; nil when no instance of the file records.
    public var events: Events? {
        (observer as? Recorder).map { Events(recorder: $0, owner: self) }
    }

    /// Where the recorded events go: their files and their upload; nil when no instance of the file records.
    public var eventDestination: EventDestination? {
        (observer as? Recorder)?.sink as? EventDestination
    }
}

extension User {
    /// Returns the configuration of the user's realm for a partition value: a file of its own below the app's folder.
    ///
    /// - Parameter partitionValue: A string, an integer, an object id or a UUID; different values have different files.
    /// - Returns: The configuration, without recording.
    public func configuration(partitionValue: some PartitionValue) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: realmPath(partitionValue: partitionValue))
        )
        configuration.attachment = EventAttachment(user: self)
        return configuration
    }
    /// Returns the configuration of the user's realm in an app of flexible sync: one file for the user below the app's folder.
    ///
    /// Events of such a realm need an `EventConfiguration.syncUser` of a partition-based app; without one, opening throws.
    ///
    /// - Returns: The configuration, without recording.
    public func flexibleSyncConfiguration() -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "\(directory)/flx_sync_default.realm")
        )
        configuration.attachment = EventAttachment(user: self, isFlexible: true)
        return configuration
    }
}

import Dispatch
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

extension Events {
    /// Stores all that was committed or recorded before the call, and closes the event file that it went into.
    ///
    /// The device signs what is in a closed file: nobody can change, add or remove an event of it any more without being noticed. A
    /// program calls it when something ends that should be evidence at once, such as a shift or a sign-out. All realms that record
    /// into the same folder share the file.
    ///
    /// - Throws: `PartitionError` when the seal cannot be written; the events are safe, and it is tried again.
    public func closePartition() async throws {
        await flush()
        guard let destination = sink as? EventDestination else { return }
        // Syncs take milliseconds and more, in which the caller's actor may do something else.
        let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Result { try destination.closePartition() }) }
        }
        try result.get()
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

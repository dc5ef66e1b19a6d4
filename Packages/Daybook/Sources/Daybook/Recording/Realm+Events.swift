public import EventDestinations
public import EventPartitions
public import EventRecording
public import ObjectStore
public import SyncTransport

/// Where a realm's events go: the files of one user and prefix, and with a user the upload that empties them.
///
/// All realms of the process that record into the same folder share one.
public typealias EventDestination = SharedDestination<PartitionedEventFiles, ScopeJournalFiles, Uploader>

extension Realm.Configuration {
    /// How events of the realm are recorded; nil, the default, records nothing.
    ///
    /// The configuration of the first instance that opens a file holds for all instances of the file in the process.
    public var eventConfiguration: EventConfiguration? {
        get { wiring.recording }
        set { wiring.recording = newValue }
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
        try await (sink as? EventDestination)?.closingPartition().get()
    }
}

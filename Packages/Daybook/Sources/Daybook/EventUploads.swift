public import EventModel
public import EventRecording
public import SyncTransport

/// The way of a realm's events from memory over the disk to the server.
///
/// ```swift
/// let uploads = realm.eventUploads!
/// await uploads.waitUntilPersisted()
/// try uploads.seal()
/// try await uploads.waitForUploads()
/// ```
public struct EventUploads: Sendable {
    let recorder: Recorder
    let destination: EventDestination

    /// What the recorder of the realm's file counted.
    public var recording: RecordingStatistics { recorder.statistics }

    /// What the upload counted, for all realms that share the folder; nil without a user.
    public var statistics: UploadStatistics? { destination.uploader?.statistics }

    /// Returns a stream of the upload's progress, the present one first; nil without a user.
    ///
    /// Keeps only the newest for a watcher that is slow; ends with the realm's recorder.
    public func progress() -> AsyncStream<UploadProgress>? { destination.uploader?.progress() }

    /// The partitions that this process wrote, oldest first.
    public var partitionsWritten: [PartitionID] { destination.partitionsWritten }

    /// What lies on the disk, oldest first.
    ///
    /// - Throws: When the folder cannot be read.
    public func partitions() throws -> [PartitionSummary] { try destination.files.partitions() }

    /// Returns when all that was committed or recorded before the call is durable, and its completions have run.
    public func waitUntilPersisted() async { await recorder.flush() }

    /// Closes the partition that is written to, so that it can be proven as a whole and deleted.
    ///
    /// - Throws: When the seal cannot be written; the events are safe.
    public func seal() throws { try destination.files.seal() }

    /// Waits until everything that was persisted before the call is proven to be stored by the server.
    ///
    /// Suspends for as long as the server is away. Without a user it returns at once: there is nowhere to upload to.
    ///
    /// - Throws: `SyncTransportError` when partitions are set aside or stopped; `CancellationError`.
    public func waitForUploads() async throws { try await destination.uploader?.waitForUploads() }
}

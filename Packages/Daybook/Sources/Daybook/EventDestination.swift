import EventModel
import EventPartitions
import EventRecording
import SyncTransport
import Synchronization

/// Where the events of one user and prefix go: their files, and with a user the upload that empties them.
///
/// Lives as long as a recorder that writes to it. The upload is the one task that this library starts by itself, because
/// opening a realm is synchronous; it ends with the destination and forgets nothing.
final class EventDestination: EventSink {
    let files: PartitionedEventFiles
    let uploader: Uploader?
    private let uploading: Task<Void, Never>?
    private let written = Mutex<[PartitionID]>([])

    init(folder: EventFolder, configuration: EventConfiguration, user: User?) throws {
        let files = try PartitionedEventFiles(folder)
        self.files = files
        guard let user else {
            uploader = nil
            uploading = nil
            return
        }
        let uploader = Uploader(
            source: files,
            transport: HTTPEventTransport(user: user),
            reporting: UploadReporting(
                errorHandler: configuration.errorHandler,
                logger: configuration.logger ?? EventLogger.standard
            )
        )
        let changes = files.changes()
        self.uploader = uploader
        uploading = Task { await uploader.run(waking: changes) }
    }

    deinit {
        uploading?.cancel()
    }

    /// The partitions that this process wrote, oldest first.
    var partitionsWritten: [PartitionID] { written.withLock(\.self) }

    func append(_ events: [AuditEvent]) throws -> AppendReceipt {
        let receipt = try files.append(events)
        written.withLock { written in
            for place in receipt.places where written.last != place.partition { written.append(place.partition) }
        }
        return receipt
    }
}

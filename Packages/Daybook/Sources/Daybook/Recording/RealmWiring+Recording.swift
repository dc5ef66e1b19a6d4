package import EventDestinations
import EventModel
package import EventPartitions
import EventRecording
import EventSerialization
package import SyncTransport

extension RealmWiring {
    /// The destinations of the process.
    package static let destinations = OpenDestinations<PartitionedEventFiles, ScopeJournalFiles, Uploader>()

    /// Joins a realm to the recorder that an earlier instance brought, or to a new one.
    func recorder(
        _ events: EventConfiguration,
        for realm: RealmIdentity,
        notes: (any CommitNotes)?,
        existing: Recorder?
    ) throws -> Recorder {
        if let existing {
            try existing.didReopen(with: events)
            return existing
        }
        try events.validate()
        var events = events
        events.logger = events.logger ?? EventLogger.standard
        let destination = try destination(of: events, for: realm)
        return try Recorder(
            configuration: events,
            encoder: JSONSnapshotEncoder(dataRepresentation: events.dataRepresentation),
            sink: destination,
            journals: destination.journals,
            realm: realm,
            notes: notes
        )
    }

    private func destination(of events: EventConfiguration, for realm: RealmIdentity) throws -> EventDestination {
        let plan = try DestinationPlan(realmUser: user, isFlexible: isFlexible, eventUser: events.syncUser)
        let account = plan.account as? User
        let folder = try EventFolder(
            root: plan.root(chosen: events.directory, appDirectory: account?.appDirectory, besides: realm.path),
            appID: plan.owner.app,
            userID: plan.owner.user,
            prefix: events.partitionPrefix
        )
        let logger = events.logger ?? EventLogger.standard
        return try Self.destinations.destination(at: folder.path, key: events.encryptionKey) {
            let files = try PartitionedEventFiles(
                folder,
                limits: PartitionLimits(partitionBytes: events.partitionBytes),
                policy: StoragePolicy(
                    quota: events.quota,
                    retention: plan.retention(events.retention),
                    durability: events.durability,
                    closing: plan.closing(after: events.partitionDuration)
                ),
                encryptionKey: events.encryptionKey,
                notices: { logger(.warn, "Events: \($0)") },
                errorHandler: events.errorHandler
            )
            let reporting = UploadReporting(errorHandler: events.errorHandler, logger: logger)
            return EventDestination.Parts(
                files: files,
                journals: ScopeJournalFiles(folder, encryptionKey: events.encryptionKey),
                uploader: account.map {
                    Uploader(source: files, user: $0, deviceKey: files.deviceKey, reporting: reporting)
                },
                logger: logger
            )
        }
    }
}

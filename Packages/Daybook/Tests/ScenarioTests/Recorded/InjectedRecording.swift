import Daybook

/// Records into files beside the realm, with a clock and limits of the test's choice; all else is the real thing.
struct InjectedRecording: RealmAttachment {
    var configuration = EventConfiguration(recordedReads: .handedOut)
    var clock: any EventClock = SystemClock()
    var limits = PartitionLimits()

    func observer(
        for realm: RealmIdentity,
        notes: (any CommitNotes)?,
        existing: (any RealmObserver)?
    ) throws -> (any RealmObserver)? {
        if let existing { return existing }
        let folder = try EventFolder(
            root: URL(fileURLWithPath: realm.path).deletingLastPathComponent().path,
            appID: "local",
            userID: "local",
            prefix: configuration.partitionPrefix
        )
        return try Recorder(
            configuration: configuration,
            encoder: JSONSnapshotEncoder(),
            sink: PartitionedEventFiles(folder, limits: limits),
            journals: ScopeJournalFiles(folder),
            realm: realm,
            notes: notes,
            clock: clock
        )
    }
}

import AuditAccounts
import AuditAdmission
import AuditExport
import AuditKeeping
import AuditModel
import AuditReview
import EventProofs
import LogPublishing
import Logging
import SyncServer

/// What the routes share with the work beside them: made once for each application.
struct ServiceParts: Sendable {
    /// What is counted for supervisors.
    let metrics: ServerMetrics
    /// What users and apps have used of their quotas.
    let quotas: QuotaBook
    /// Where everything that auditors do is recorded; one, so that its events are in one partition.
    let trail: AuditTrail
    /// Views, notes, reviews and alerts.
    let desk: ReviewDesk
    /// Exports; nil where none are made.
    let exports: ExportJobs?
    /// Holds, erasures and what expires.
    let keeper: EventKeeper
    /// Realms that devices share; nil where there are none.
    let realms: SharedRealms?
    /// What publishes the log of sealed partitions; nil where it is not published.
    let publisher: LogPublisher?
    /// What witnesses have cosigned of it; nil likewise.
    let cosigned: CosignedLog?
    /// What an authority has time-stamped of it; nil likewise.
    let stamped: StampedLog?
    /// What a bucket has of it; nothing likewise.
    let copied = CopiedLog()
    /// Which uploads go on, and how much of them is in memory.
    let gate = UploadGate()
    /// Which bodies arrive too slowly.
    let slow = SlowBodies()

    /// Makes the parts of a service.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - logger: Where problems in the background are noted; nowhere by default.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the folder of exports cannot be used, `ProofError` when the log's name
    ///   is none.
    init(
        of service: AuditService,
        logger: Logger = Logger(label: "daybook", factory: { _ in SwiftLogNoOpLogHandler() })
    ) throws {
        let configuration = service.configuration
        metrics = ServerMetrics()
        quotas = QuotaBook(
            configuration.quotas,
            apps: Set(configuration.apps.keys),
            clock: service.clock,
            metrics: metrics
        )
        trail = AuditTrail(
            store: service.store,
            index: service.index,
            key: service.key,
            clock: service.clock,
            ids: service.ids,
            earlierKeys: service.earlierKeys,
            file: service.trailFile.map { TrailFile($0) }
        )
        desk = ReviewDesk(
            events: service.shown,
            log: service.store,
            index: service.index,
            trail: trail,
            keys: service.receiptKeys,
            clock: service.clock,
            settings: configuration.alerts,
            metrics: metrics,
            logger: logger,
            checkFile: service.checkFile.map { CheckFile($0) }
        )
        publisher = try service.logFolder.map { folder in
            LogPublisher(
                log: service.store,
                folder: folder,
                signer: try service.key.checkpointSigner(origin: service.logOrigin),
                formerKeys: try service.formerLogKeys
            )
        }
        cosigned = try publisher.map {
            try CosignedLog(configuration.witnesses, of: $0.verifierKey, formerKeys: $0.formerKeys)
        }
        let stamps = publisher.map { StampedLog(in: $0.folder) }
        stamped = stamps
        var published: (@Sendable () -> PublishedLog)?
        if let cosigned, let key = publisher?.verifierKey { published = { cosigned.exported(by: key) } }
        let keys = desk
        exports = try service.exports.map { folder in
            try ExportJobs(
                events: service.shown,
                proofs: service.store,
                collections: service.store,
                key: service.key,
                log: published,
                stamps: stamps,
                revokedKeys: { try await keys.revokedKeys() },
                folder: folder,
                limits: configuration.exports,
                clock: service.clock,
                ids: service.ids,
                logger: logger
            )
        }
        realms = service.realms.map { SharedRealms(store: $0, clock: service.clock) }
        keeper = EventKeeper(
            store: service.store,
            index: service.index,
            trail: trail,
            rules: configuration.apps.compactMapValues(\.retention),
            retentionShare: configuration.retentionShare,
            clock: service.clock,
            clockGuard: service.clockGuard,
            exports: exports,
            history: realms.map {
                RealmHistory(logs: $0, days: configuration.apps.compactMapValues(\.realmHistoryDays))
            }
        )
        service.index.observe(by: desk)
    }
}

extension StampedLog: StampedCheckpoints {
    package func files(of size: UInt64) throws -> (checkpoint: [UInt8], reply: [UInt8])? {
        guard let checkpoint = try bytes(of: .checkpoint, at: size), let reply = try bytes(of: .reply, at: size) else {
            return nil
        }
        return (checkpoint, reply)
    }
}

extension CosignedLog {
    /// What an export carries of the log: as in a proof of one partition, the checkpoint with a quorum, or else the newest.
    func exported(by key: NoteVerifierKey) -> PublishedLog {
        PublishedLog(key: key, checkpoint: (settings.quorum > 0 ? cosigned?.signed : nil) ?? newest)
    }
}

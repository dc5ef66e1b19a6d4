import AuditAccounts
import AuditAdmission
import AuditModel
import EventModel
import EventProofs
import HTTPTypes
import HummingbirdCore
import NIOCore

/// What a user's device does: send a stretch of a partition, and ask how far one is stored.
struct UploadRoutes: Sendable {
    let store: any EventIngest
    let events: any EventReading
    let configuration: ServerConfiguration
    let index: any SearchFilling
    let key: SigningKey
    let clock: any EventClock
    let metrics: ServerMetrics
    let quotas: QuotaBook
    let gate: UploadGate

    func add(to api: API) {
        api.post("partitions/:partition/events", .user, accept)
        api.get("partitions/:partition", .userOrAuditor, proof)
    }

    private func accept(_ request: Request, _ context: AuditRequestContext, _ owner: EventOwner) async throws
        -> Response
    {
        let partition = try context.partition()
        let settings = try configuration.served.servedSettings(of: owner.app)
        try settings.partitionRules.checkWriting(partition, by: owner.user)
        guard request.headers[.contentType] == PartitionStretch.mediaType else {
            throw AuditServerError.rejected(reason: "the content type of a stretch is \(PartitionStretch.mediaType)")
        }
        try quotas.checkUpload(of: owner)
        // Refused by its announced length before anything of it is read.
        let announced = request.headers[.contentLength].flatMap { Int($0) } ?? EventUpload.maximumBytes
        guard announced <= EventUpload.maximumBytes else {
            throw AuditServerError.tooLarge(limit: EventUpload.maximumBytes)
        }
        return try await gate.upload(of: owner) { arrival in
            // Under pressure a connection reads in small parts, since some of them wait in memory unread.
            let part = gate.isRoomy ? announced : 0
            let arrived = try await SmallReads.admitting(part, from: context.channel) {
                try await read(request.body, of: partition, arrival)
            }
            return try await store(arrived, of: owner)
        }
    }

    /// Decodes the events of a body as they arrive.
    private func read(
        _ body: RequestBody,
        of partition: PartitionID,
        _ arrival: UploadGate.Arrival
    ) async throws -> ArrivingUpload {
        var upload = ArrivingUpload()
        for try await part in body {
            try await arrival.charge(part.readableBytes)
            let byteCount = try part.withUnsafeReadableBytes { try upload.add($0) }
            guard upload.head.map({ $0.partition == partition }) ?? true else {
                throw AuditServerError.rejected(reason: "the path and the body name different partitions")
            }
            try await arrival.charge(byteCount)
        }
        return upload
    }

    private func store(_ arrived: ArrivingUpload, of owner: EventOwner) async throws -> Response {
        // Nothing is stored behind a gap, so that a partition begins with its first event.
        let beginsPartition = arrived.head?.firstSequence == 1
        if beginsPartition { try quotas.checkPartition(of: owner) }
        let upload = try EventUpload(
            arrived,
            owner: owner,
            received: clock.now().wall,
            signedBy: key,
            extendsSchema: configuration.extendsSchema(of: owner.app),
            columnLimit: configuration.quotas.developmentColumns
        )
        let proof = try await accept(upload)
        quotas.didUpload(arrived.byteCount, beginsPartition: beginsPartition, of: owner)
        index.didStore(upload.partition)
        metrics.didStore(events: upload.events.count, byteCount: arrived.byteCount)
        return try .json(signed(proof, of: upload))
    }

    /// Answers with the receipt that lies with the events, or with one for what is stored instead: more of the partition, or less.
    private func signed(_ proof: DurabilityProof, of upload: EventUpload) throws -> DurabilityProof {
        let (stored, whole) = (proof, upload.proof)
        let isWhole =
            stored.durableThrough == whole.durableThrough && stored.root == whole.root
            && stored.isSealed == whole.isSealed
        return isWhole ? whole : try key.signed(proof, for: upload.owner, at: upload.received)
    }

    private func accept(_ upload: EventUpload) async throws -> DurabilityProof {
        do {
            return try await store.accept(upload)
        } catch let error as AuditServerError {
            if case .invalidSchemaChange(let column?, _) = error, error == .tooManyDevelopmentColumns(adding: column) {
                quotas.didRefuseColumn(of: upload.owner.app)
            }
            throw error
        }
    }

    /// Answers the owner, who wants to resume, and an auditor, who compares the root.
    ///
    /// Whoever may not know of a partition gets the answer of one that never came.
    private func proof(_: Request, _ context: AuditRequestContext, _ asker: PartitionAsker) async throws -> Response {
        let partition = try context.partition()
        switch asker {
        case .owner(let owner):
            try configuration.served.servedSettings(of: owner.app).partitionRules
                .checkReading(partition, by: owner.user)
            guard let record = try await store.acknowledgedPartition(partition), record.owner == owner else { break }
            return try .json(key.signed(record.proof, for: owner, at: clock.now().wall))
        case .auditor(let access):
            guard let record = try await events.partition(partition), access.includes(partition, of: record.owner)
            else {
                break
            }
            return try .json(record.proof)
        }
        let nothing = DurabilityProof(
            partition: partition,
            durableThrough: 0,
            root: MerkleFrontier().root,
            isSealed: false
        )
        return try .json(nothing)
    }
}

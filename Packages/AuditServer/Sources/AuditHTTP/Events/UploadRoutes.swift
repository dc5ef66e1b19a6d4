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
    /// What is allocated for a body before anything of it came, in bytes.
    private static let usualBytes = 1_048_576

    let store: any EventIngest
    let events: any EventReading
    let configuration: ServerConfiguration
    let index: any SearchFilling
    let key: SigningKey
    let clock: any EventClock
    let metrics: ServerMetrics
    let quotas: QuotaBook
    let gates: UploadGates

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
        return try await gates.bodies.pass(of: owner) { room in
            // Under pressure a connection reads in small parts, since some of them wait in memory unread.
            let part = gates.bodies.isRoomy ? announced : 0
            let body = try await SmallReads.admitting(part, from: context.channel) {
                try await collect(request.body, announced, room, context.channel.allocator)
            }
            return try await gates.events.pass(bytes: body.readableBytes) {
                try await store(body, as: partition, of: owner)
            }
        }
    }

    /// Reads a body into a buffer of its announced size, as far as that is usual: one that grows is copied time and again.
    private func collect(
        _ body: RequestBody,
        _ announced: Int,
        _ room: BodyRoom.Body,
        _ allocator: ByteBufferAllocator
    ) async throws -> ByteBuffer {
        var whole = allocator.buffer(capacity: min(announced, Self.usualBytes))
        for try await part in body {
            try await room.charge(part.readableBytes)
            guard whole.readableBytes + part.readableBytes <= EventUpload.maximumBytes else {
                throw AuditServerError.tooLarge(limit: EventUpload.maximumBytes)
            }
            whole.writeImmutableBuffer(part)
        }
        return whole
    }

    private func store(_ body: ByteBuffer, as partition: PartitionID, of owner: EventOwner) async throws -> Response {
        let stretch = try stretch(in: body)
        guard stretch.partition == partition else {
            throw AuditServerError.rejected(reason: "the path and the body name different partitions")
        }
        // Nothing is stored behind a gap, so that a partition begins with its first event.
        let beginsPartition = stretch.firstSequence == 1
        if beginsPartition { try quotas.checkPartition(of: owner) }
        let upload = try EventUpload(
            stretch,
            owner: owner,
            received: clock.now().wall,
            signedBy: key,
            extendsSchema: configuration.extendsSchema(of: owner.app),
            columnLimit: configuration.quotas.developmentColumns
        )
        let proof = try await accept(upload)
        quotas.didUpload(body.readableBytes, beginsPartition: beginsPartition, of: owner)
        index.didStore(upload.partition)
        metrics.didStore(events: upload.events.count, byteCount: body.readableBytes)
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

    private func stretch(in body: ByteBuffer) throws(AuditServerError) -> PartitionStretch {
        do {
            return try body.withUnsafeReadableBytes { try PartitionStretch(wireBytes: $0) }
        } catch EventModelError.longSeal {
            throw .refused(.longSeal)
        } catch {
            throw .rejected(reason: "the stretch cannot be read: \(error)")
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

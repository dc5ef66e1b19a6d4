import AuditAccounts
import AuditAdmission
import AuditModel
import ChangeModel
import Deflate
import EventModel
import HTTPTypes
import HummingbirdCore
import NIOCore
import ServiceLifecycle
import SyncServer

/// What devices do with the realms that they share: bind a file, send changes, wait for entries, take a snapshot.
struct RealmRoutes: Sendable {
    /// The realms; nil on a server that has none.
    let realms: SharedRealms?
    let configuration: ServerConfiguration
    let metrics: ServerMetrics
    let quotas: QuotaBook
    let gate: UploadGate

    /// The bytes of an answer with entries or objects, by default and at least; one entry or object may have more.
    private static let answerBytes = 4096...ChangeLimits.batchBytes
    /// What decoded changes take in memory, as a multiple of their bytes.
    private static let decodedFactor = 3

    func add(to api: API) {
        api.post("sync/:value/bind", .user, bind)
        api.post("sync/:value/changes", .user, send)
        api.get("sync/:value/changes", .user, late: entries)
        api.get("sync/:value/objects", .user, objects)
    }

    private func bind(_ request: Request, _ context: AuditRequestContext, _ owner: EventOwner) async throws -> Response
    {
        let share = try share(request, context, owner)
        try quotas.checkUpload(of: owner)
        let (asked, byteCount) = try await gate.upload(of: owner) { arrival in
            let bytes = try await read(request, upTo: ChangeLimits.bindBytes, arrival)
            return (try BindRequest(bytes: bytes), bytes.count)
        }
        // A file takes room for as long as the realm is there.
        if asked.binding == nil { try quotas.checkPartition(of: owner) }
        let answer = try await share.realms.bind(
            asked,
            to: share.realm,
            user: ExactText(owner.user),
            mayWrite: share.mayWrite,
            isExtending: configuration.extendsSchema(of: owner.app)
        )
        quotas.didUpload(byteCount, beginsPartition: asked.binding == nil, of: owner)
        return .sync(answer.encoded, nil)
    }

    private func send(_ request: Request, _ context: AuditRequestContext, _ owner: EventOwner) async throws -> Response
    {
        let share = try share(request, context, owner)
        guard share.mayWrite else { throw AuditServerError.foreignRealm }
        try quotas.checkUpload(of: owner)
        let limit = ChangeLimits.changeBytes + SignedBatch.frameBytes
        let (taken, count, byteCount) = try await gate.upload(of: owner) { arrival in
            let bytes = try await read(request, upTo: limit, arrival)
            try await arrival.charge(bytes.count * Self.decodedFactor)
            let batch = try SignedBatch(bytes: bytes)
            let taken = try await share.realms.take(batch, of: ExactText(owner.user), in: share.realm)
            return (taken, batch.changes.count, bytes.count)
        }
        quotas.didUpload(byteCount, beginsPartition: false, of: owner)
        metrics.didTake(changes: count, byteCount: byteCount)
        let answer = SendAnswer(
            acknowledged: taken.acknowledged,
            head: taken.head,
            clocks: Dictionary(taken.lowered.map { ($0.change, $0.clock) }, uniquingKeysWith: { $1 })
        )
        return .sync(answer.encoded, nil)
    }

    private func entries(_ request: Request, _ context: AuditRequestContext, _ owner: EventOwner) async throws
        -> LateAnswer.Wait
    {
        let share = try share(request, context, owner)
        let position = try request.number("after", in: 0...Int.max, default: 0)
        let history = try history(request)
        let reader = RealmHub.Reader(
            user: ExactText(owner.user),
            file: try request.number("file", in: 0...UInt32.max, default: 0)
        )
        let seconds = try request.number("wait", in: 0...SyncWire.longestWait, default: 0)
        let bytes = try bytes(request)
        let acceptsDeflate = request.acceptsDeflate
        return { [metrics] in
            // Here, and not in a service: the server waits for its requests before it tells the services that it ends.
            let page = try await withGracefulShutdownHandler {
                try await share.realms.entries(
                    of: share.realm,
                    after: position,
                    history: history,
                    for: reader,
                    seconds: seconds,
                    maximumBytes: bytes
                )
            } onGracefulShutdown: {
                share.realms.end()
            }
            metrics.didSend(entries: page.count)
            return .sync(page.bytes, acceptsDeflate ? page.packed : nil)
        }
    }

    private func objects(_ request: Request, _ context: AuditRequestContext, _ owner: EventOwner) async throws
        -> Response
    {
        let share = try share(request, context, owner)
        var cursor: SnapshotCursor?
        if let text = request.query("after") {
            guard let read = SnapshotCursor(text: text) else {
                throw AuditServerError.rejected(reason: "'after' is what the page before said")
            }
            cursor = read
        }
        let page = try await share.realms.objects(
            of: share.realm,
            after: cursor,
            history: try history(request),
            maximumBytes: try bytes(request)
        )
        metrics.didSend(objects: page.count)
        return .sync(page.bytes, request.acceptsDeflate ? page.packed : nil)
    }
}

// MARK: - What is asked for

extension RealmRoutes {
    /// A realm that somebody may use.
    private struct Share {
        let realms: SharedRealms
        let realm: RealmName
        let mayWrite: Bool
    }

    /// Checks the version and the right to the realm that the path names.
    private func share(_ request: Request, _ context: AuditRequestContext, _ owner: EventOwner) throws -> Share {
        guard let realms else { throw AuditServerError.noRealms }
        let version = HTTPField.Name(SyncWire.versionHeader).flatMap { request.headers[$0] }
        guard version == "\(SyncWire.version)" else { throw RealmRefusal.unsupportedVersion }
        let settings = try configuration.served.servedSettings(of: owner.app)
        let value = try context.realmValue()
        let rules = settings.realmRules ?? (configuration.extendsSchema(of: owner.app) ? .all : RealmRules())
        guard rules.mayRead(value.text, owner.user) else { throw AuditServerError.foreignRealm }
        return Share(
            realms: realms,
            realm: RealmName(app: ExactText(owner.app), value: ExactText(value.typedText)),
            mayWrite: rules.mayWrite(value.text, owner.user)
        )
    }

    private func history(_ request: Request) throws(AuditServerError) -> HistoryID {
        guard let history = request.query("history").flatMap({ Hexadecimal.bytes($0) }).flatMap({ HistoryID($0) })
        else {
            throw .rejected(reason: "'history' has \(2 * HistoryID.byteCount) hexadecimal digits")
        }
        return history
    }

    private func bytes(_ request: Request) throws(AuditServerError) -> Int {
        try request.number("bytes", in: Self.answerBytes, default: Self.answerBytes.upperBound)
    }

    /// Reads a body of the protocol, for which there is room, and restores it where it was made smaller for the way.
    private func read(_ request: Request, upTo limit: Int, _ arrival: UploadGate.Arrival) async throws -> [UInt8] {
        guard request.headers[.contentType] == SyncWire.mediaType else {
            throw AuditServerError.rejected(reason: "the content type of a message is \(SyncWire.mediaType)")
        }
        let coding = request.headers[.contentEncoding] ?? Self.identity
        guard [Self.identity, Deflate.coding].contains(coding) else {
            throw AuditServerError.rejected(reason: "the content encoding of a message is \(Deflate.coding), or none")
        }
        let announced = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard announced <= limit else { throw AuditServerError.tooLarge(limit: limit) }
        var bytes: [UInt8] = []
        for try await part in request.body {
            guard bytes.count + part.readableBytes <= limit else { throw AuditServerError.tooLarge(limit: limit) }
            try await arrival.charge(part.readableBytes)
            bytes.append(contentsOf: part.readableBytesView)
        }
        return coding == Self.identity ? bytes : try await restored(bytes, upTo: limit, arrival)
    }

    /// Restores a body piece by piece, as there is room: a few bytes may stand for very many.
    private func restored(_ packed: [UInt8], upTo limit: Int, _ arrival: UploadGate.Arrival) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            let inflater = try Inflater(packed, limit: limit)
            while let piece = try inflater.next() {
                try await arrival.charge(piece.count)
                bytes += piece
            }
            return bytes
        } catch let error as DeflateError {
            switch error {
            case .tooLarge(let limit): throw AuditServerError.tooLarge(limit: limit)
            case .malformed: throw AuditServerError.rejected(reason: "the body is not what its content encoding says")
            case .noMemory: throw AuditServerError.unavailable(reason: error.description)
            }
        }
    }

    /// The content encoding of a body that is as it is.
    private static let identity = "identity"
}

extension Request {
    /// Whether the answer may be made smaller for the way (RFC 9110, 12.5.3); only where it is said, so that nobody is surprised.
    fileprivate var acceptsDeflate: Bool {
        headers[values: .acceptEncoding].joined(separator: ",").split(separator: ",")
            .contains { coding in
                let parts = coding.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
                return parts.first == Deflate.coding && !parts.dropFirst().contains { Self.refusals.contains($0) }
            }
    }

    /// The weights that mean that a coding is not wanted.
    private static let refusals: Set = ["q=0", "q=0.", "q=0.0", "q=0.00", "q=0.000"]
}

extension AuditServerError {
    /// What somebody gets who may not use a realm, the same whether it exists or not.
    static let foreignRealm = forbidden(reason: "the user may not use this realm")
    /// What everybody gets from a server without realms.
    static let noRealms = forbidden(reason: "this server shares no realms; its events are in PostgreSQL")
}

extension Response {
    /// Answers with a message of the protocol of realms, made smaller where there is such a form of it.
    static func sync(_ bytes: [UInt8], _ packed: [UInt8]?) -> Response {
        var headers: HTTPFields = [.contentType: SyncWire.mediaType, .cacheControl: "no-store"]
        if packed != nil { headers[.contentEncoding] = Deflate.coding }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: packed ?? bytes))
        )
    }
}

import AuditExport
import AuditFormats
import AuditModel
import AuditReview
import AuditVerifying
import EventModel
import Foundation
import HTTPTypes
import HummingbirdCore

/// Exports: an auditor asks for one, watches it being made, and fetches its files.
///
/// Each request that shows or makes something of events is entered in the ``AuditTrail`` before it is answered.
struct ExportRoutes: Sendable {
    /// The largest body of a request for an export, in bytes.
    private static let maximumBytes = 16_384
    /// The most characters of a reason.
    private static let maximumReason = 1000

    /// nil when the server has no folder for exports.
    let jobs: ExportJobs?
    let masks: EventMasks
    let trail: AuditTrail

    func add(to api: API) {
        api.post("exports", .auditor, create)
        api.get("exports", .auditor, list)
        api.get("exports/:export", .auditor, show)
        api.delete("exports/:export", .auditor, remove)
        api.get("exports/:export/files/:file", .auditor, file)
    }

    /// Returns the exports and who asks for them.
    private func open(_ context: AuditRequestContext) throws -> (ExportJobs, ExportManifest.Author) {
        guard let identity = context.identity else { throw AuditServerError.unauthorized(reason: "there is none") }
        guard let jobs else { throw AuditServerError.rejected(reason: "this server has no folder for exports") }
        let author = ExportManifest.Author(
            role: identity.role,
            token: context.tokenID,
            apps: identity.apps?.sorted()
        )
        return (jobs, author)
    }

    private func id(_ context: AuditRequestContext) throws(AuditServerError) -> String {
        guard let id = context.pathPart("export") else {
            throw .rejected(reason: "the path does not name an export")
        }
        return id
    }

    private struct Asked: Decodable {
        let formats: [String]
        let reason: String?
    }

    private func create(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let (jobs, author) = try open(context)
        var filter = try request.filter(besides: [])
        filter.access = access
        try masks.check(filter)
        let asked = try await request.json(
            Asked.self,
            upTo: Self.maximumBytes,
            form: #"{"formats": ["csv", "jsonl", "fhir", "ocsf"], "reason": "…"}"#
        )
        let formats = asked.formats.compactMap(ExportFormat.init)
        guard !formats.isEmpty, formats.count == asked.formats.count, Set(formats).count == formats.count else {
            let known = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw AuditServerError.rejected(reason: "'formats' lists some of \(known), each once")
        }
        let reason = asked.reason.flatMap { $0.isEmpty ? nil : $0 }
        guard reason?.count ?? 0 <= Self.maximumReason else {
            throw AuditServerError.rejected(reason: "a reason has at most \(Self.maximumReason) characters")
        }
        try await trail.record("export", about: request.uri.query, because: reason, by: context)
        let job = try jobs.add(filter, named: names(of: request), as: formats, by: author, because: reason)
        var response = try Response.json(ExportStatus(job))
        response.status = .accepted
        response.headers[.location] = "/api/v1/exports/\(job.id)"
        return response
    }

    /// The filter as it was asked for, decoded.
    private func names(of request: Request) -> [String: String] {  // TEXT: our names.
        request.uri.queryParameters.reduce(into: [:]) { names, parameter in
            names[parameter.key.removingPercentEncoding ?? String(parameter.key)] = String(parameter.value)
        }
    }

    private func list(_: Request, _ context: AuditRequestContext, _: EventAccess) async throws -> Response {
        let (jobs, author) = try open(context)
        return try .json(jobs.jobs(of: author).map(ExportStatus.init))
    }

    private func show(_: Request, _ context: AuditRequestContext, _: EventAccess) async throws -> Response {
        let (jobs, author) = try open(context)
        return try .json(ExportStatus(jobs.job(id(context), of: author)))
    }

    private func remove(_: Request, _ context: AuditRequestContext, _: EventAccess) async throws -> Response {
        let (jobs, author) = try open(context)
        let job = try jobs.job(id(context), of: author)
        try await trail.record("delete export", about: job.id, by: context)
        try jobs.remove(job.id, of: author)
        return Response(status: .noContent)
    }

    private func file(_ request: Request, _ context: AuditRequestContext, _: EventAccess) async throws -> Response {
        let (jobs, author) = try open(context)
        let job = try jobs.job(id(context), of: author)
        guard let name = context.pathPart("file"), let file = job.files.first(where: { $0.name == name }) else {
            throw AuditServerError.missing(what: "a file with this name in this export, or it is not made yet")
        }
        let tag = "\"\(file.sha256.hex)\""
        // A part of another file must never be taken for a part of this one.
        let isSame = HTTPField.Name("If-Range").flatMap { request.headers[$0] }.map { $0 == tag } ?? true
        let range = isSame ? ByteRange(request.headers[.range], of: file.bytes) : .whole
        var headers: HTTPFields = [
            .contentType: file.mediaType, .cacheControl: "no-store", .acceptRanges: "bytes", .eTag: tag,
            .contentDisposition: "attachment; filename=\"\(name)\"", .xContentTypeOptions: "nosniff",
        ]
        if range == .unsatisfiable {
            headers[.contentRange] = "bytes */\(file.bytes)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        try await trail.record("download export", about: "\(job.id)/\(name)", by: context)
        let bytes: Range<UInt64>
        switch range {
        case .part(let part):
            bytes = part
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.bytes)"
        case .whole, .unsatisfiable: bytes = 0..<file.bytes
        }
        guard !bytes.isEmpty else { return Response(status: .ok, headers: headers) }
        let body = try await ResponseBody.file(jobs.path(of: file, in: job), bytes, context)
        return Response(status: range == .whole ? .ok : .partialContent, headers: headers, body: body)
    }
}

extension ExportManifest.File {
    /// The media type.
    fileprivate var mediaType: String {
        if let format { return format.mediaType }
        return switch name {
        case ExportManifest.proofsName: "application/x-ndjson"
        case ExportManifest.checkpointName, ExportManifest.stampedName: "text/plain; charset=utf-8"
        case ExportManifest.stampName: "application/timestamp-reply"
        case ExportManifest.coverName: "text/html; charset=utf-8"
        default: "application/json"
        }
    }
}

import AuditModel
import HTTPTypes
import HummingbirdCore
import LogPublishing
import NIOCore
import TimeStamping

/// The time-stamps of the log, for everybody: which there are, and for each the checkpoint and the authority's answer as `openssl ts` reads them.
///
/// Nothing of it asks the database or the authority. A checkpoint says how many entries there are and the root over them, and no more.
struct TimeStampRoutes: Sendable {
    let stamped: StampedLog?

    func add(to api: API) {
        api.root.get("log/time-stamps", .anyone, list)
        api.root.get("log/time-stamps/:file", .anyone, file)
    }

    /// Answers with the numbers of entries, a line each, from the oldest on.
    private func list(_: Request, _: AuditRequestContext, _: Anyone) throws -> Response {
        guard let stamped else { throw missing }
        let lines = try stamped.sizes().map { "\($0)\n" }.joined()
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: lines))
        )
    }

    private func file(_: Request, _ context: AuditRequestContext, _: Anyone) throws -> Response {
        let parts = (context.pathPart("file") ?? "").split(separator: ".", omittingEmptySubsequences: false)
        // Exactly as the list names it, so that no other file can be meant.
        guard let stamped, parts.count == 2, let size = UInt64(parts[0]), "\(size)" == parts[0],
            let file = StampFolder.File(rawValue: String(parts[1])), let bytes = try stamped.bytes(of: file, at: size)
        else { throw missing }
        let type = file == .reply ? "application/timestamp-reply" : "text/plain; charset=utf-8"
        return Response(
            status: .ok,
            headers: [
                .contentType: type, .xContentTypeOptions: "nosniff",
                .cacheControl: "public, max-age=31536000, immutable",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    private var missing: AuditServerError { .missing(what: "time-stamp of the log") }
}

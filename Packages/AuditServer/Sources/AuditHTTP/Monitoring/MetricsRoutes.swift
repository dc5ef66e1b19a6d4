import AuditModel
import HTTPTypes
import HummingbirdCore
import NIOCore

/// What Prometheus asks; the counts show how busy people are, so that a token is needed.
struct MetricsRoutes: Sendable {
    let metrics: ServerMetrics

    func add(to api: API) {
        api.get("metrics", .supervisor, show)
    }

    private func show(_: Request, _: AuditRequestContext, _: Supervisor) async throws -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text))
        )
    }
}

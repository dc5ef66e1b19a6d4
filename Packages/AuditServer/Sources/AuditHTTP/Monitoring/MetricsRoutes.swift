import AuditModel
import AuditReview
import EventModel
import HTTPTypes
import HummingbirdCore
import NIOCore

/// What Prometheus asks; the counts show how busy people are, so that a token is needed.
struct MetricsRoutes: Sendable {
    let metrics: ServerMetrics
    let findings: FindingBook

    func add(to api: API) {
        api.get("metrics", .supervisor, show)
    }

    private func show(_: Request, _: AuditRequestContext, _: Supervisor) async throws -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text + checkText))
        )
    }

    /// What the checks of what is stored found, as of now.
    private var checkText: String {
        let page = findings.page
        let ended = (page.last?.ended?.microseconds).map { "\($0 / 1_000_000)" } ?? "0"
        return """
            # HELP daybook_findings What is stored and not as it should be, see SERVER.md.
            # TYPE daybook_findings gauge
            daybook_findings \(page.findings.count)
            # HELP daybook_verified_timestamp_seconds When all that is stored had been verified the last time; 0 before.
            # TYPE daybook_verified_timestamp_seconds gauge
            daybook_verified_timestamp_seconds \(ended)

            """
    }
}

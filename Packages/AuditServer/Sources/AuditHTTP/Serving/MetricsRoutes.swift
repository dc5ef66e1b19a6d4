import AuditModel
import Hummingbird

/// What Prometheus asks, with an auditor's, a reviewer's or an administrator's token: the counts tell how busy people are.
struct MetricsRoutes: Sendable {
    let metrics: ServerMetrics

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.get("metrics") { _, context in
            switch context.identity {
            case .auditor(nil), .reviewer(nil), .administrator: break
            case .auditor, .reviewer, .uploader, nil:
                throw AuditServerError.forbidden(reason: "only who watches all apps may read the metrics")
            }
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text))
            )
        }
    }
}

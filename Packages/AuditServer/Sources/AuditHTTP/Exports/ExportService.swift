import AuditExport
import ServiceLifecycle

/// Makes exports in the background for as long as the server runs.
struct ExportService: Service {
    let jobs: ExportJobs

    func run() async throws { await cancelWhenGracefulShutdown { await jobs.run() } }
}

import HTTPTypes
import HummingbirdTesting

@testable import AuditExport
@testable import AuditHTTP
@testable import AuditVerifying

/// What the server says of an export.
struct ExportStatus: Decodable {
    let id: String
    let state: String
    let progress: ExportProgress
    let problem: String?
    let filter: [String: String]
    let files: [ExportManifest.File]
}

extension TestClientProtocol {
    func export(_ id: String, as headers: HTTPFields) async throws -> ExportStatus {
        try await get("/api/v1/exports/\(id)", as: headers).decoded()
    }

    /// Asks until an export is over, as every client of the routes does; the making of one takes a few milliseconds.
    func finishedExport(_ id: String, as headers: HTTPFields) async throws -> ExportStatus {
        while true {
            let status = try await export(id, as: headers)
            if status.state != "waiting", status.state != "running" { return status }
            await Task.yield()
        }
    }
}

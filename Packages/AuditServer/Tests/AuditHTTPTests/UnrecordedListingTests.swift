import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModelTesting
import GRDB
import HTTPTypes
import HummingbirdTesting
import SQLiteStore
import Testing

@Suite("Listings that cannot be recorded")
struct UnrecordedListingTests {
    @Test("a listing that cannot be recorded is not answered")
    func unrecorded() async throws {
        let folder = try TestFolder.made()
        let server = try await TestServer(store: SQLiteEventStore(path: folder.file("db")))
        let auditor = try await server.headers(.auditor)
        try await DatabaseQueue.beside(folder.file("db"))
            .write {
                try $0.execute(
                    sql: "CREATE TRIGGER no BEFORE INSERT ON AuditEvent BEGIN SELECT RAISE(ABORT, 'no'); END"
                )
            }

        try await server.run { client in
            for path in ["events", "partitions", "partitions/ward-000000000000000700000001/leaves"] {
                let response = try await client.get("/api/v1/\(path)", as: auditor)
                #expect(response.status == .serviceUnavailable, "\(path)")
            }
        }
    }
}

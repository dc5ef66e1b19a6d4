import AuditAccounts
import AuditHTTP
import AuditServerTesting
import EventModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import PostgreSQLStore
import SQLiteStore
import Testing

/// The server's routes over PostgreSQL; what they do over any store is shown in AuditServerTests.
@Suite("Uploads to PostgreSQL", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct UploadTests {
    /// Runs a test against the routes of a server over a database.
    private func run(
        _ address: String,
        _ body: @Sendable (any TestClientProtocol, HTTPFields) async throws -> Void
    ) async throws {
        let store = try await PostgreSQLEventStore(PostgreSQLConfiguration.patient(address))
        let tokens = try await TokenIssuer(key: TokenIssuer.makeKey(), clock: SystemClock())
        let accounts = InMemoryAccountStore()
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: store,
            index: try SearchIndex(),
            accounts: accounts,
            tokens: tokens,
            key: SampleDevice.serverKey
        )
        let token = try await tokens.signIn(SampleDevice.owner, in: accounts, clock: SystemClock())
        try await service.application(logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
            .test(.router) { try await body($0, [.authorization: "Bearer \(token)"]) }
    }

    private func upload(
        _ stretch: PartitionStretch,
        to client: any TestClientProtocol,
        as headers: HTTPFields
    ) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = PartitionStretch.mediaType
        return try await client.execute(
            uri: "/api/v1/partitions/\(stretch.partition.value)/events",
            method: .post,
            headers: headers,
            body: ByteBuffer(bytes: try stretch.wireBytes())
        )
    }

    private func proof(_ response: TestResponse) throws -> DurabilityProof {
        try JSONDecoder().decode(DurabilityProof.self, from: Data(response.body.readableBytesView))
    }

    @Test("a device uploads, sends again, and asks where to resume")
    func uploading() async throws {
        try await run(PostgreSQLServer.shared().makeDatabase()) { client, headers in
            var device = SampleDevice()
            device.record(["a", "b", "c"])

            let first = try proof(try await upload(device.stretch(1...2), to: client, as: headers))
            let again = try proof(try await upload(device.stretch(1...3), to: client, as: headers))
            let resume = try await client.execute(
                uri: "/api/v1/partitions/\(device.partition.value)",
                method: .get,
                headers: headers
            )

            #expect(first.durableThrough == 2)
            #expect(again.durableThrough == 3)
            #expect(try proof(resume) == again)
        }
    }

    @Test("another history is answered with 409, and a database that is gone with 503 and no word about it")
    func refusals() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        try await run(address) { client, headers in
            var device = SampleDevice()
            device.record(["a"])
            var other = SampleDevice()
            other.record(["x"])
            _ = try await upload(device.stretch(1...1), to: client, as: headers)

            let conflict = try await upload(other.stretch(1...1), to: client, as: headers)
            let database = String(try #require(address.split(separator: "=").last))
            // Lets nobody in and ends the sessions of whoever is, under one lock: the server's background work comes again.
            try await server.sql("DROP DATABASE \(database) WITH (FORCE)")
            let gone = try await upload(device.stretch(1...1), to: client, as: headers)

            #expect(conflict.status == .conflict)
            #expect(gone.status == .serviceUnavailable)
            #expect(!String(buffer: gone.body).contains(database))
        }
    }
}

import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import GRDB
import SQLiteStore
import Testing

@testable import DaybookCommand

@Suite("Verification of what was erased")
struct ErasureVerificationTests {
    private struct Order: Encodable {
        let filter: KeepingFilter
        let reason: String
        let events: Int
    }

    @Test(
        "erased events are counted and verified, and a record that somebody changed is found",
        arguments: [
            ("SELECT 1", nil),
            ("UPDATE ErasedRange SET last = last + 1", "the events of erasure 1 are not those of its record."),
            (
                "UPDATE Erasure SET result = json_set(result, '$.events', 9)",
                "the events of erasure 1 are not those of its record."
            ),
            (
                "UPDATE AuditEvent SET activity = 'x' WHERE activity = 'erased events'",
                "the trail says nothing of erasure 1 as it is recorded."
            ),
            ("DELETE FROM ErasedRange", "the columns of event 2 no longer make up an event."),
        ]
    )
    func verifying(sql: String, problem: String?) async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.path)
        let store = try SQLiteEventStore(path: data.databasePath)
        var device = SampleDevice()
        device.record(["a", "b", "c"])
        _ = try await store.accept(device.upload(1...3, seal: device.seal()))
        let tokens = try await data.tokenIssuer(clock: SystemClock())
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: store,
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: tokens,
            key: SampleDevice.serverKey
        )
        try await RunningServer.with(service) { port in
            let address = "http://127.0.0.1:\(port)"
            let administrator = try RemoteServer(address, token: await tokens.issue(.administrator, for: .access))
            let order = Order(filter: KeepingFilter(activity: "b"), reason: "asked", events: 1)
            try await administrator.change("POST", "erasures", order)
            try await DatabaseQueue.beside(data.databasePath).write { try $0.execute(sql: sql) }
            let auditor = try RemoteServer(address, token: await tokens.issue(.auditor, for: .access))

            var found: [VerifiedPartition] = []
            try await RemoteEventArchive(auditor).verify([]) { verified, _ in found.append(verified) }

            let verified = try #require(found.first { $0.partition == device.partition.value })
            if let problem {
                #expect(verified.problems.contains { $0.hasSuffix(problem) }, "\(verified.problems)")
            } else {
                #expect(verified.problems == [])
                #expect(verified.events == 3)
                #expect(verified.erased == 1)
            }
        }
    }
}

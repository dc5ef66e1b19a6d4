import AuditModel
import AuditServerTesting
import EventModel
import EventProofs
import Testing

@testable import PostgreSQLStore

@Suite("A backup of PostgreSQL", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct PostgreSQLBackupTests {
    private func open(_ address: String) async throws -> PostgreSQLEventStore {
        let configuration = PostgreSQLConfiguration.patient(address)
        return try await PostgreSQLEventStore(configuration)
    }

    private func everything(_ store: PostgreSQLEventStore) async throws -> EventPage {
        try await store.events(EventFilter(), after: nil, limit: 10_000, maximumBytes: 100_000_000)
    }

    @Test("a dump that was restored has every event, the same log, and goes on")
    func dumpAndRestore() async throws {
        let server = try await PostgreSQLServer.shared()
        let (address, restored) = (try await server.makeDatabase(), try await server.makeDatabase())
        let store = try await open(address)
        var devices: [SampleDevice] = []
        for number in 1...4 as ClosedRange<UInt32> {
            var device = SampleDevice(number)
            device.record(device.event("\u{0} a", data: "\u{1A}", metadata: try EventMetadata(["k": "v"])))
            device.record(["b", "c"])
            _ = try await store.accept(device.upload(1...2, seal: number < 4 ? device.seal(through: 2) : nil))
            devices.append(device)
        }

        try await server.copyDatabase(address, to: restored)

        let copy = try await open(restored)
        let head = try await store.withLog(durably: true) { try $0.root(at: 3) }
        #expect(try await everything(copy).events == everything(store).events)
        #expect(try await copy.withLog(durably: true) { try $0.root(at: 3) } == head)
        let proof = try await copy.accept(devices[3].upload(2...3, seal: devices[3].seal()))
        #expect(proof.root == devices[3].frontier(through: 3).root)
        #expect(try await copy.logEntry(of: devices[3].partition)?.index == 3)
    }
}

import AuditModel
import AuditServerTesting
import EventModel
import Testing

@testable import PostgreSQLStore

@Suite("Months of PostgreSQL", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct PartitionMonthTests {
    private func open(_ address: String) async throws -> PostgreSQLEventStore {
        try await PostgreSQLEventStore(.patient(address))
    }

    private func everything(_ store: PostgreSQLEventStore) async throws -> EventPage {
        try await store.events(EventFilter(), after: nil, limit: 10_000, maximumBytes: 100_000_000)
    }

    @Test("events lie in the month in which their partition began to arrive")
    func months() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let store = try await open(address)
        var early = SampleDevice(1)
        early.record(["a", "b"])
        var late = SampleDevice(2)
        late.record(["c"])
        let december = try #require(EventInstant("2023-12-01T00:00:00Z"))

        _ = try await store.accept(early.upload(1...1))
        _ = try await store.accept(
            EventUpload(
                early.stretch(2...2),
                owner: SampleDevice.owner,
                received: december,
                signedBy: SampleDevice.serverKey,
                extendsSchema: true
            )
        )
        _ = try await store.accept(
            EventUpload(
                late.stretch(1...1),
                owner: SampleDevice.owner,
                received: december,
                signedBy: SampleDevice.serverKey,
                extendsSchema: true
            )
        )

        let found = try await server.texts(
            "SELECT tableoid::regclass || ' ' || activity FROM AuditEvent ORDER BY activity",
            at: address
        )
        #expect(found == ["auditevent_202311 a", "auditevent_202311 b", "auditevent_202312 c"])
        #expect(try await everything(store).events.compactMap(\.event) == early.events + late.events)
    }

    @Test("an event that comes again in a later month is known as a repetition")
    func repetitionAcrossMonths() async throws {
        let store = try await open(PostgreSQLServer.shared().makeDatabase())
        var first = SampleDevice(1)
        first.record(["a"])
        var second = SampleDevice(2)
        second.record(first.events[0])
        let december = try #require(EventInstant("2023-12-01T00:00:00Z"))

        _ = try await store.accept(first.upload(1...1))
        _ = try await store.accept(
            EventUpload(
                second.stretch(1...1),
                owner: SampleDevice.owner,
                received: december,
                signedBy: SampleDevice.serverKey,
                extendsSchema: true
            )
        )
        let all = try await store.events(
            EventFilter(includesRepeated: true),
            after: nil,
            limit: 10,
            maximumBytes: 1000
        )

        #expect(all.events.map(\.isRepeated) == [false, true])
    }
}

import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview

@Suite("Keys of devices that are revoked")
struct KeyStatementRoutesTests {
    private static let path = "/api/v1/devices/statements"
    private let lost = DeviceKey()
    private let kept = DeviceKey()

    private func body(
        _ key: DeviceKey,
        isRevoked: Bool = true,
        since: String? = nil,
        reason: String = "stolen"
    ) -> String {
        let owner = SampleDevice.owner
        let digits = Hexadecimal.text(key.publicKey)
        let time = since.map { #","since":"\#($0)""# } ?? ""
        return #"{"app":"\#(owner.app)","user":"\#(owner.user)","publicKey":"\#(digits)","isRevoked":\#(isRevoked)"#
            + #","reason":"\#(reason)"\#(time)}"#
    }

    /// Stores a partition that a key has sealed, received at the time of the clock.
    private func seal(
        _ number: UInt32,
        by key: DeviceKey,
        _ client: any TestClientProtocol,
        as headers: HTTPFields
    ) async throws {
        var device = SampleDevice(number)
        device.record(["a"])
        let upload = try device.stretch(1...1, seal: device.signed(by: key))
        #expect(try await client.upload(upload, as: headers).status == .ok)
    }

    private func alerts(_ client: any TestClientProtocol, as headers: HTTPFields) async throws -> [AlertLine] {
        let page = try await client.get("/api/v1/alerts", as: headers).decoded(AlertPage.self)
        return page.alerts.filter { $0.kind == "revokedKey" }
    }

    @Test("what a revoked key seals later is stored, and an alert says what it is; other keys are as they were")
    func later() async throws {
        let server = try await TestServer()
        let (admin, auditor) = (try await server.headers(.administrator), try await server.headers(.auditor))
        let owner = try await server.headers(.uploader(SampleDevice.owner))
        try await server.run { client async throws in
            try await seal(1, by: lost, client, as: owner)
            server.clock.advance(microseconds: 1_000_000)
            let said: KeyStatementLine = try await client.post(Self.path, body(lost), as: admin).decoded()
            #expect(said.publicKey == Hexadecimal.text(lost.publicKey) && said.reason == "stolen")
            #expect(said.revokedSince == server.clock.now().wall.description)
            #expect(try await alerts(client, as: auditor).isEmpty, "what was received before is believed")

            try await seal(2, by: lost, client, as: owner)
            try await seal(3, by: kept, client, as: owner)
            let found = try await alerts(client, as: auditor)
            #expect(found.map(\.partition) == [SampleDevice(2).partition.value])
            #expect(found.first?.detail == "sealed with a device key that was revoked: stolen")
            let list: [KeyStatementLine] = try await client.get(Self.path, as: auditor).decoded()
            let same: [KeyStatementLine] = try await client.get(Self.path, as: admin).decoded()
            #expect(list.count == 1 && list == same)
        }
    }

    @Test("a key that is revoked from a time on that has passed is looked for in all of the log, also after a restart")
    func past() async throws {
        let server = try await TestServer()
        let (admin, auditor) = (try await server.headers(.administrator), try await server.headers(.auditor))
        let owner = try await server.headers(.uploader(SampleDevice.owner))
        let start = server.clock.now().wall.microseconds
        try await server.run { client async throws in
            for number in 1...3 as ClosedRange<UInt32> {
                server.clock.advance(microseconds: 1_000_000)
                try await seal(number, by: lost, client, as: owner)
            }
            #expect(try await alerts(client, as: auditor).isEmpty)
            let since = EventInstant(microseconds: start + 1_500_000)
            #expect(try await client.post(Self.path, body(lost, since: "\(since)"), as: admin).status == .ok)
            let found = try await alerts(client, as: auditor)
            #expect(Set(found.map(\.partition)) == [SampleDevice(2).partition.value, SampleDevice(3).partition.value])
        }
        try await server.beside()
            .run { client async throws in
                #expect(try await alerts(client, as: auditor).count == 2, "nothing is raised twice")
                server.clock.advance(microseconds: 1_000_000)
                let earlier = EventInstant(microseconds: start)
                #expect(try await client.post(Self.path, body(lost, since: "\(earlier)"), as: admin).status == .ok)
                #expect(try await alerts(client, as: auditor).count == 3)
            }
    }

    @Test("a key that is believed again raises nothing any more, and both statements stay in the trail")
    func reinstated() async throws {
        let server = try await TestServer()
        let (admin, auditor) = (try await server.headers(.administrator), try await server.headers(.auditor))
        let owner = try await server.headers(.uploader(SampleDevice.owner))
        try await server.run { client async throws in
            #expect(try await client.post(Self.path, body(lost), as: admin).status == .ok)
            server.clock.advance(microseconds: 1_000_000)
            let order = body(lost, isRevoked: false, reason: "found")
            let said: KeyStatementLine = try await client.post(Self.path, order, as: admin).decoded()
            #expect(said.revokedSince == nil)
            try await seal(1, by: lost, client, as: owner)
            #expect(try await alerts(client, as: auditor).isEmpty)
            let list: [KeyStatementLine] = try await client.get(Self.path, as: auditor).decoded()
            #expect(list.map(\.reason) == ["found"])
        }
        let page = try await server.store.events(
            EventFilter(app: TrailEvent.app, activity: "state device key"),
            after: nil,
            limit: 10,
            maximumBytes: 1_000_000
        )
        #expect(page.events.count == 2)
    }

    @Test("a statement that cannot be is refused with what it should be, and by whom")
    func refused() async throws {
        let server = try await TestServer()
        let (admin, auditor) = (try await server.headers(.administrator), try await server.headers(.auditor))
        try await server.run { client async throws in
            let whole = body(lost)
            let digits = Hexadecimal.text(lost.publicKey)
            for wrong in [
                "{}", whole.replacing(digits, with: digits.dropLast()), whole.replacing(digits, with: "x"),
                whole.replacing("stolen", with: " "), whole.replacing("true", with: "1"),
                whole.replacing("ward-app", with: "daybook/auditors"), body(lost, since: "2126-01-31T08:00:00Z"),
                body(lost, since: "yesterday"), body(lost, isRevoked: false, since: "2020-01-31T08:00:00Z"),
                whole.replacing("stolen", with: String(repeating: "x", count: 1025)),
            ] {
                #expect(try await client.post(Self.path, wrong, as: admin).status == .badRequest, "\(wrong)")
            }
            #expect(try await client.post(Self.path, whole, as: auditor).status == .forbidden)
            let bounded = try await server.headers(.auditor(apps: ["ward-app"]))
            #expect(try await client.get(Self.path, as: bounded).status == .forbidden)
            let list: [KeyStatementLine] = try await client.get(Self.path, as: admin).decoded()
            #expect(list.isEmpty)
        }
    }
}

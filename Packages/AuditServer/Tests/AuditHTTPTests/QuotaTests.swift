import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import AuditAccounts
@testable import AuditAdmission
@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

@Suite("Quotas")
struct QuotaTests {
    private static let hour: Int64 = 3_600_000_000
    private static let other = EventOwner(app: "ward-app", user: "0000000000000000000000bb")

    private static func quotas(_ change: (inout ServerQuotas) -> Void) -> ServerQuotas {
        var quotas = ServerQuotas()
        change(&quotas)
        return quotas
    }

    private static func device(_ number: UInt32 = 1, _ events: Int = 9) -> SampleDevice {
        var device = SampleDevice(number)
        device.record((1...events).map { "Rounds \($0)" })
        return device
    }

    private static func server(
        _ apps: [String: AppSettings] = ["ward-app": AppSettings(), "lab": AppSettings()],
        _ change: (inout ServerQuotas) -> Void
    ) async throws -> TestServer {
        try await TestServer(
            configuration: ServerConfiguration(isDevelopmentMode: true, apps: apps, quotas: quotas(change))
        )
    }

    // MARK: - Uploads

    @Test("a user who used up the bytes of a day is refused in words, keeps what is stored, and goes on later")
    func userBytes() async throws {
        let server = try await Self.server { $0.userBytesPerDay = 1000 }
        let device = Self.device(1, 30)
        let (mine, others) = (
            try await server.headers(.uploader(SampleDevice.owner)), try await server.headers(.uploader(Self.other))
        )

        try await server.run { client in
            // What is under way when the quota ends is stored.
            let first = try await client.upload(device.stretch(1...30), as: mine)
            #expect(first.status == .ok)
            let refused = try await client.upload(device.stretch(1...30), as: mine)
            #expect(refused.status == .tooManyRequests && refused.code == "unavailable")
            #expect(try refused.decoded(Refusal.self).message == AuditModel.Refusal.userBytes.sentence)
            let seconds = try #require(refused.headers[.retryAfter].flatMap { Int64($0) })
            #expect(try await client.upload(Self.device(2).stretch(1...9), as: others).status == .ok)
            let proof = try await client.get("/api/v1/partitions/\(device.partition.value)", as: mine)
            #expect(try proof.decoded(DurabilityProof.self).durableThrough == 30)

            server.clock.advance(microseconds: seconds * 1_000_000)
            let again = try await server.headers(.uploader(SampleDevice.owner))
            #expect(try await client.upload(device.stretch(1...30), as: again).status == .ok)
            let metrics = try await client.get("/api/v1/metrics", as: server.headers(.auditor))
            #expect(String(buffer: metrics.body).contains(#"daybook_refusals_total{refusal="userBytes"} 1"#))
            #expect(String(buffer: metrics.body).contains(#"daybook_refused_requests_total{code="unavailable"} 1"#))
        }
    }

    @Test("the users of an app have its bytes together, and another app has its own")
    func appBytes() async throws {
        let server = try await Self.server { $0.appBytesPerDay = 100 }

        try await server.run { client in
            let mine = try await server.headers(.uploader(SampleDevice.owner))
            #expect(try await client.upload(Self.device(1).stretch(1...9), as: mine).status == .ok)
            let refused = try await client.upload(
                Self.device(2).stretch(1...9),
                as: server.headers(.uploader(Self.other))
            )
            #expect(refused.status == .tooManyRequests)
            let lab = try await server.headers(.uploader(EventOwner(app: "lab", user: "0000000000000000000000cc")))
            #expect(try await client.upload(Self.device(3).stretch(1...9), as: lab).status == .ok)
        }
    }

    @Test("a user begins as many partitions as a quota says, and goes on with those that are begun")
    func partitions() async throws {
        let server = try await Self.server { $0.userPartitionsPerDay = 2 }
        let mine = try await server.headers(.uploader(SampleDevice.owner))

        try await server.run { client in
            for number in UInt32(1)...2 {
                #expect(try await client.upload(Self.device(number).stretch(1...3), as: mine).status == .ok)
            }
            let refused = try await client.upload(Self.device(3).stretch(1...3), as: mine)
            #expect(refused.status == .tooManyRequests)
            #expect(try refused.decoded(Refusal.self).message == AuditModel.Refusal.userPartitions.sentence)
            #expect(try await client.upload(Self.device(2).stretch(4...9), as: mine).status == .ok)
            #expect(try await server.store.partition(Self.device(3).partition) == nil)
        }
    }

    // MARK: - New users

    @Test("an app gets as many new users in an hour as a quota says, by either way, and those who are known sign in")
    func newUsers() async throws {
        let settings = AppSettings(emailPassword: .registration)
        let server = try await Self.server(["a": settings, "b": settings]) { $0.newUsersPerHour = 2 }
        let nurse = #"{"email": "nurse@ward.example", "password": "a long password"}"#
        let known = #"{"provider": "local-userpass", "username": "nurse@ward.example", "password": "a long password"}"#

        try await server.run { client in
            func logIn(_ app: String, _ body: String = #"{"provider": "anon-user"}"#) async throws -> TestResponse {
                try await client.post("/api/v1/apps/\(app)/login", body)
            }
            #expect(try await client.post("/api/v1/apps/a/register", nurse).status == .ok)
            #expect(try await logIn("a").status == .ok)
            let refused = try await logIn("a")
            #expect(refused.status == .tooManyRequests && refused.code == "unavailable")
            #expect(try refused.decoded(Refusal.self).message == AuditModel.Refusal.newUsers.sentence)
            #expect(try await client.post("/api/v1/apps/a/register", nurse).status == .tooManyRequests)
            #expect(try await logIn("a", known).status == .ok)
            #expect(try await logIn("b").status == .ok)
            server.clock.advance(microseconds: Self.hour)
            #expect(try await logIn("a").status == .ok)
        }
    }

    @Test("apps that are not set up have one quota together, because anybody can think of another id")
    func unknownApps() async throws {
        let server = try await Self.server([:]) { $0.newUsersPerHour = 1 }

        try await server.run { client in
            #expect(try await client.post("/api/v1/apps/x/login", #"{"provider": "anon-user"}"#).status == .ok)
            let refused = try await client.post("/api/v1/apps/y/login", #"{"provider": "anon-user"}"#)
            #expect(refused.status == .tooManyRequests)
        }
    }

    // MARK: - Development Mode

    @Test("Development Mode adds as many columns as a quota says; an administrator adds more")
    func columns() async throws {
        let server = try await Self.server { $0.developmentColumns = 2 }
        let mine = try await server.headers(.uploader(SampleDevice.owner))
        @Sendable func device(_ number: UInt32, _ keys: [String]) throws -> SampleDevice {
            var device = SampleDevice(number)
            let values = Dictionary(keys.map { ($0, "x") }, uniquingKeysWith: { first, _ in first })
            device.record(device.event("a", metadata: try EventMetadata(values)))
            return device
        }

        try await server.run { client in
            #expect(try await client.upload(device(1, ["a", "b"]).stretch(1...1), as: mine).status == .ok)
            let refused = try await client.upload(device(2, ["c"]).stretch(1...1), as: mine)
            #expect(refused.status == .unprocessableContent && refused.code == "invalidSchemaChange")
            #expect(try refused.decoded(Refusal.self).message.contains("quotas.developmentColumns"))
            let metrics = try await client.get("/api/v1/metrics", as: server.headers(.auditor))
            #expect(String(buffer: metrics.body).contains(#"daybook_refusals_total{refusal="developmentColumns"} 1"#))
            try await server.store.extendCollection(of: "ward-app", by: ["c"])
            #expect(try await client.upload(device(2, ["c"]).stretch(1...1), as: mine).status == .ok)
        }
    }

    @Test(
        "Development Mode is on where the server listens on this machine alone, and elsewhere when somebody says so",
        arguments: [
            ("127.0.0.1", true), ("127.8.0.1", true), ("localhost", true), ("::1", true), ("0.0.0.0", false),
            ("::", false),
            ("10.0.0.7", false), ("127.0.0.1.example.org", false), ("127.example.org", false), ("127.0.0", false),
            ("", false),
        ]
    )
    func developmentMode(host: String, isOn: Bool) {
        #expect(ServerConfiguration(host: host).isDevelopmentMode == isOn)
        #expect(ServerConfiguration(host: host, isDevelopmentMode: true).isDevelopmentMode)
        #expect(!ServerConfiguration(host: host, isDevelopmentMode: false).isDevelopmentMode)
        #expect((ServerConfiguration(host: host).settings(of: "any") != nil) == isOn)
    }

    // MARK: - Alerts

    @Test("an alert says whose quota is used up, once a day, and is for those who may see all of the app")
    func alerts() async throws {
        let server = try await Self.server { $0.newUsersPerHour = 0 }
        let index = try SearchIndex()
        let parts = try server.service.parts(index)
        let (desk, quotas) = (parts.desk, parts.quotas)
        func watchQuotas() async throws { for alert in quotas.takeConcerns() { try await desk.raise(alert) } }
        func refuse(_ app: String) { #expect(throws: AuditServerError.self) { try quotas.countNewUser(of: app) } }

        for app in ["ward-app", "ward-app", "x", "y"] { refuse(app) }
        try await watchQuotas()
        refuse("ward-app")
        try await watchQuotas()

        let alerts = desk.book.alerts.values.map(\.alert)
        #expect(alerts.count == 2)
        #expect(alerts.allSatisfy { $0.kind == .quota && $0.detail?.contains("newUsersPerHour of the quotas") == true })
        #expect(Set(alerts.map(\.app)) == ["ward-app", nil])
        for alert in alerts {
            #expect(alert.isVisible(to: EventAccess(apps: ["ward-app"], prefixes: [:])) == (alert.app == "ward-app"))
        }

        server.clock.advance(microseconds: 25 * Self.hour)
        refuse("ward-app")
        try await watchQuotas()
        #expect(desk.book.alerts.count == 3)
    }
}

import AuditAccounts
import AuditHTTP
import AuditModel
import Daybook
import EventModelTesting
import Foundation
import Testing

@MainActor
@Suite("Accounts, with the real server", .serialized)
struct AccountScenarioTests {
    /// Signed with ``secret`` for `dr-keller` and the audience `ward`; good until the year 2100.
    private static let token = """
        eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJkci1rZWxsZXIiLCJhdWQiOiJ3YXJkIiwiZXhwIjo0MTAyNDQ0ODAwfQ.\
        8GTBk3oi1xcdUcQipbyaeCKcS4HXBuBHnoaOa8-FIGI
        """
    private static let secret = [UInt8](repeating: 0x6B, count: 32)
    private static let password = "a long password"
    private static let nurse = Credentials.emailPassword(email: "nurse@ward.example", password: password)

    /// Runs a test on a server whose app takes every kind of credentials.
    private func run(
        clock: any EventClock = SystemClock(),
        _ body: @MainActor (ServerUnderTest, DeviceUnderTest) async throws -> Void
    ) async throws {
        let settings = AppSettings(
            apiKeys: [APIKey(app: "ward", secret: "K1")],
            emailPassword: .registration,
            customTokens: try await CustomTokens(key: .secret(Self.secret), audience: "ward")
        )
        let configuration = ServerConfiguration(apps: ["ward": settings], passwordCost: 10)
        try await ServerUnderTest.run(configuration, clock: clock) { server in
            try await body(server, DeviceUnderTest(server))
        }
    }

    @Test("a user logs in with each kind of credentials, is the same one the next time, and uploads")
    func everyCredential() async throws {
        try await run { server, device in
            let app = device.app()
            try await app.emailPasswordAuth.registerUser(email: "nurse@ward.example", password: Self.password)
            let kinds: [Credentials] = [
                .anonymous, .userAPIKey("K1"), .serverAPIKey("K1"), Self.nurse, .jwt(token: Self.token),
            ]

            var users: [User] = []
            for (number, credentials) in kinds.enumerated() {
                let user = try await app.login(credentials: credentials)
                #expect(app.currentUser == user)
                #expect(user.isLoggedIn)
                #expect(try await app.login(credentials: credentials) == user)
                users.append(user)
                let realm = try device.open(user)
                try await realm.record("\(number)")
                try await realm.uploader.waitForUploads()
            }

            // Both kinds of API key are one user; the others are users of their own.
            #expect(users[1] == users[2])
            #expect(Set(users).count == 4)
            #expect(app.allUsers.count == 4)
            let stored = try await server.storedEvents()
            #expect(Set(stored.compactMap(\.owner?.user)) == Set(users.map(\.id)))
        }
    }

    /// Whether the device keeps what the server signed of its key.
    private func isRegistered(_ user: User) -> Bool {
        let folder = "\(user.appDirectory)/server.registrations/\(user.id)"
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.contains { $0.hasSuffix(".note") }
    }

    @Test("the key of a device is registered for each of its users, by the realm's own uploader, and once")
    func registration() async throws {
        try await run { server, device in
            let app = device.app()
            var users: [User] = []
            for credentials in [Credentials.anonymous, .userAPIKey("K1")] {
                let user = try await app.login(credentials: credentials)
                users.append(user)
                let realm = try device.open(user)
                for number in 0..<2 {
                    try await realm.record("\(number)")
                    try await realm.uploader.uploadEverything()
                }
                // Beside the uploads, which do not wait for it.
                while !isRegistered(user) { await Task.yield() }
            }
            let trail = try await server.registrations()
            let texts = trail.map { String(decoding: $0.event?.data ?? [], as: UTF8.self) }
            #expect(texts.count == 2)
            for (user, text) in zip(users, texts) {
                #expect(text.contains("daybook device key v1") && text.contains("user \(user.id)"))
            }
        }
    }

    @Test(
        "wrong credentials are refused with the server's sentence, and nobody is logged in",
        arguments: [
            Credentials.emailPassword(email: "nurse@ward.example", password: "hunter3"),
            .emailPassword(email: "nobody@ward.example", password: "a long password"),
            .userAPIKey("K2"),
            .jwt(token: "a.b.c"),
        ]
    )
    func wrongCredentials(credentials: Credentials) async throws {
        try await run { _, device in
            let app = device.app()
            try await app.emailPasswordAuth.registerUser(email: "nurse@ward.example", password: Self.password)

            let error = await #expect(throws: SyncTransportError.self) { try await app.login(credentials: credentials) }

            guard case .loginFailed(let cause) = error else {
                Issue.record("The error is \(String(describing: error)).")
                return
            }
            #expect(cause.code == .unauthorized)
            #expect(!cause.message.isEmpty)
            #expect(!cause.message.contains("hunter3"))
            #expect(app.currentUser == nil)
        }
    }

    @Test("an address is registered once")
    func registersOnce() async throws {
        try await run { _, device in
            let auth = device.app().emailPasswordAuth
            try await auth.registerUser(email: "nurse@ward.example", password: Self.password)

            let error = await #expect(throws: SyncTransportError.self) {
                try await auth.registerUser(email: "Nurse@ward.example", password: Self.password)
            }

            guard case .registrationFailed = error else {
                Issue.record("The error is \(String(describing: error)).")
                return
            }
        }
    }

    @Test("a user who logs out keeps nothing of the session, and is the same after the next log-in")
    func logsOut() async throws {
        try await run { _, device in
            let app = device.app()
            try await app.emailPasswordAuth.registerUser(email: "nurse@ward.example", password: Self.password)
            let user = try await app.login(credentials: Self.nurse)

            try await user.logOut()

            #expect(user.state == .loggedOut)
            await #expect(throws: SyncTransportError.notLoggedIn(user: user.id)) { try await user.refreshSession() }
            #expect(device.app().currentUser == nil)
            #expect(try await app.login(credentials: Self.nurse) == user)
            #expect(device.app().currentUser?.id == user.id)
        }
    }

    @Test("a token that has expired is renewed by the upload, and the refresh token's end asks for a sign-in")
    func expiry() async throws {
        let clock = ManualClock()
        try await run(clock: clock) { server, device in
            let app = device.app()
            try await app.emailPasswordAuth.registerUser(email: "nurse@ward.example", password: Self.password)
            let user = try await app.login(credentials: Self.nurse)
            let realm = try device.open(user)
            try await realm.record("fresh")
            try await realm.uploader.waitForUploads()

            clock.advance(microseconds: Int64(TokenIssuer.accessSeconds + 1) * 1_000_000)
            try await realm.record("expired")
            try await realm.uploader.waitForUploads()
            #expect(device.errors.count == 0)

            clock.advance(microseconds: Int64(UserSession.lifetimeSeconds + 1) * 1_000_000)
            try await realm.record("too late")
            await #expect(throws: SyncTransportError.signInRequired(realm.destination.partitionsWritten)) {
                try await realm.uploader.waitForUploads()
            }
            await #expect(throws: SyncTransportError.self) { try await user.refreshSession() }
            #expect(user.isLoggedIn)
            #expect(try await server.storedEvents().count == 2)

            _ = try await app.login(credentials: Self.nurse)
            try await realm.uploader.waitForUploads()
            #expect(try await server.activities() == ["fresh", "expired", "too late"])
        }
    }

    @Test("a user who is removed on the server cannot log in any more, and leaves what the server holds")
    func deletes() async throws {
        try await run { server, device in
            let app = device.app()
            try await app.emailPasswordAuth.registerUser(email: "nurse@ward.example", password: Self.password)
            let user = try await app.login(credentials: Self.nurse)
            let realm = try device.open(user)
            try await realm.record("round")
            try await realm.uploader.waitForUploads()

            try await user.delete()

            #expect(user.state == .removed)
            await #expect(throws: SyncTransportError.self) { try await app.login(credentials: Self.nurse) }
            #expect(try await server.activities() == ["round"])
        }
    }

    @Test("a user who is removed here is asked for again, and is the same to the server")
    func removes() async throws {
        try await run { _, device in
            let app = device.app()
            let user = try await app.login(credentials: .userAPIKey("K1"))

            try await user.remove()

            #expect(user.state == .removed)
            #expect(app.allUsers == [:])
            #expect(try await app.login(credentials: .userAPIKey("K1")) == user)
        }
    }
}

import AuditAccounts
import AuditHTTP
import AuditModel
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

@Suite("Accounts and keys in PostgreSQL", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct AccountTests {
    private func configuration(_ address: String) -> PostgreSQLConfiguration {
        PostgreSQLConfiguration.patient(address, storingConnections: 2, readingConnections: 1)
    }

    private func keys(_ address: String, _ cipher: KeyCipher? = nil) async throws -> PostgreSQLKeyStore {
        try await PostgreSQLKeyStore(configuration(address), cipher: cipher)
    }

    @Test("the PostgreSQL store of accounts keeps the contract")
    func contract() async throws {
        let server = try await PostgreSQLServer.shared()
        let conformance = AccountStoreConformance {
            try await PostgreSQLAccountStore(configuration(server.makeDatabase()))
        }

        #expect(try await conformance.violations() == [])
    }

    // MARK: - Keys

    @Test("servers that start at once on an empty database get the same keys")
    func sameKeys() async throws {
        let address = try await PostgreSQLServer.shared().makeDatabase()
        let found = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
            for _ in 1...4 {
                group.addTask {
                    let store = try await keys(address)
                    return try await store.tokenKeys() + [store.signingKey().publicKey]
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(found.count == 1)
        #expect(found.first?.map(\.count) == [32, 32])
    }

    @Test("a new key signs once every server had the time to learn of it, and the one before stays until the next")
    func rotation() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let store = try await keys(address)
        func age() async throws {
            try await server.sql("UPDATE ServerKey SET created = created - interval '2 minutes'", at: address)
        }
        let first = try await store.tokenKeys()
        let signing = try await store.signingKey().publicKey
        try await age()

        try await store.rotateTokenKey()
        let fresh = try await store.tokenKeys()
        try await age()
        let second = try await store.tokenKeys()
        try await store.rotateTokenKey()
        try await age()
        let third = try await store.tokenKeys()

        #expect(fresh.count == 2)
        #expect(fresh.first == first.first)
        #expect(second == fresh.reversed())
        #expect(third.count == 2)
        #expect(third.last == second.first)
        #expect(!third.contains(first[0]))
        #expect(try await store.signingKey().publicKey == signing)
    }

    @Test("keys are encrypted under a key that the database does not have, and open with no other")
    func encryption() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let cipher = try KeyCipher(key: Array(repeating: 7, count: 32))
        let secrets = try await keys(address, cipher).tokenKeys()
        _ = try await keys(address, cipher).signingKey()

        #expect(try await keys(address, cipher).tokenKeys() == secrets)
        let stored = try await server.texts("SELECT encode(secret, 'hex') FROM ServerKey", at: address)
        #expect(stored.count == 2)
        #expect(stored.allSatisfy { $0?.contains(Hexadecimal.text(secrets[0])) == false })
        for other in [nil, try KeyCipher(key: Array(repeating: 8, count: 32))] {
            let error = await #expect(throws: AuditServerError.self) { try await keys(address, other).tokenKeys() }
            #expect(error?.description.contains("its keys are encrypted") == true)
        }
        try await server.sql("UPDATE ServerKey SET purpose = 'token'", at: address)
        await #expect(throws: AuditServerError.self) { try await keys(address, cipher).tokenKeys() }
        #expect(throws: AuditServerError.self) { try KeyCipher(key: [1]) }
    }

    @Test("the first server brings its keys along, and no later one replaces them")
    func adopting() async throws {
        let address = try await PostgreSQLServer.shared().makeDatabase()
        let (token, signing) = (TokenIssuer.makeKey(), SigningKey.makeKey())
        try await keys(address).adopt(tokenKey: token, signingKey: signing)
        try await keys(address).adopt(tokenKey: TokenIssuer.makeKey(), signingKey: SigningKey.makeKey())
        try await keys(address).adopt(tokenKey: nil, signingKey: nil)

        #expect(try await keys(address).tokenKeys() == [token])
        #expect(try await keys(address).signingKey().publicKey == SigningKey(signing).publicKey)
    }

    // MARK: - Several servers

    private func service(_ address: String) async throws -> AuditService {
        let keys = try await keys(address)
        return AuditService(
            configuration: ServerConfiguration(passwordCost: 10),
            store: try await PostgreSQLEventStore(configuration(address)),
            index: try SearchIndex(),
            accounts: try await PostgreSQLAccountStore(configuration(address)),
            tokens: try await TokenIssuer(sharing: keys, clock: SystemClock()),
            key: try await keys.signingKey()
        )
    }

    private struct Session: Decodable {
        let userID: String
        let accessToken: String
        let refreshToken: String
    }

    private struct Issued: Decodable {
        let id: String
        let token: String
    }

    private func post(
        _ client: any TestClientProtocol,
        _ path: String,
        _ body: String,
        _ token: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.authorization] = token.map { "Bearer \($0)" }
        return try await client.execute(
            uri: "/api/v1/\(path)",
            method: .post,
            headers: headers,
            body: ByteBuffer(string: body)
        )
    }

    private func decode<T: Decodable>(_ type: T.Type, _ response: TestResponse) throws -> T {
        try JSONDecoder().decode(type, from: Data(response.body.readableBytesView))
    }

    @Test("two servers on one database know each other's users, tokens, revocations and receipts")
    func twoServers() async throws {
        let address = try await PostgreSQLServer.shared().makeDatabase()
        let (one, two) = (try await service(address), try await service(address))
        let keys = try await keys(address)
        let administrator = try await TokenIssuer(sharing: keys, clock: SystemClock())
            .issue(.administrator, for: .access)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        var device = SampleDevice()
        device.record(["a", "b"])
        let (start, end) = (device.stretch(1...1), device.stretch(2...2))

        try await one.application(logger: logger)
            .test(.router) { first in
                try await two.application(logger: logger)
                    .test(.router) { second in
                        // A user who registered at one signs in at the other, and uploads to both.
                        let nurse = #"{"email":"a@b","password":"correct horse"}"#
                        #expect(try await post(first, "apps/ward-app/register", nurse).status == .ok)
                        let logIn = #"{"provider":"local-userpass","username":"a@b","password":"correct horse"}"#
                        let session = try decode(
                            Session.self,
                            try await post(second, "apps/ward-app/login", logIn)
                        )
                        var proofs: [DurabilityProof] = []
                        for (client, stretch) in [(first, start), (second, end)] {
                            let response = try await client.execute(
                                uri: "/api/v1/partitions/\(stretch.partition)/events",
                                method: .post,
                                headers: [
                                    .authorization: "Bearer \(session.accessToken)",
                                    .contentType: PartitionStretch.mediaType,
                                ],
                                body: ByteBuffer(bytes: try stretch.wireBytes())
                            )
                            proofs.append(try decode(DurabilityProof.self, response))
                        }
                        #expect(proofs.map(\.durableThrough) == [1, 2])
                        #expect(Set(proofs.map(\.receipt?.publicKey)).count == 1)

                        // A token that one issued is good at the other, until the other revokes it.
                        let order = #"{"role":"auditor","name":"x"}"#
                        let issued = try decode(Issued.self, try await post(first, "tokens", order, administrator))
                        func list(_ client: any TestClientProtocol) async throws -> HTTPResponse.Status {
                            try await client.execute(
                                uri: "/api/v1/events",
                                method: .get,
                                headers: [.authorization: "Bearer \(issued.token)"]
                            )
                            .status
                        }
                        #expect(try await list(second) == .ok)
                        _ = try await second.execute(
                            uri: "/api/v1/tokens/\(issued.id)",
                            method: .delete,
                            headers: [.authorization: "Bearer \(administrator)"]
                        )
                        #expect(try await list(first) == .unauthorized)

                        // A user who was removed at one gets no new tokens at the other.
                        #expect(try await post(second, "token/refresh", "", session.refreshToken).status == .ok)
                        _ = try await first.execute(
                            uri: "/api/v1/apps/ward-app/users/\(session.userID)",
                            method: .delete,
                            headers: [.authorization: "Bearer \(administrator)"]
                        )
                        #expect(try await post(second, "token/refresh", "", session.refreshToken).status == .forbidden)
                    }
            }
    }
}

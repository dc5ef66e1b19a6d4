import AuditAccounts
import AuditHTTP
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import SQLiteStore
import Testing

@testable import AuditModel
@testable import PostgreSQLStore

@Suite(
    "Keys that servers on one database share, when one takes others",
    .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped)
)
struct SharedRotationTests {
    private let now = EventInstant(microseconds: 1_700_000_000_000_000)
    private let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    private func configuration(_ address: String) -> PostgreSQLConfiguration {
        PostgreSQLConfiguration.patient(address, storingConnections: 2, readingConnections: 1)
    }

    private func keys(_ address: String, _ cipher: KeyCipher? = nil) async throws -> PostgreSQLKeyStore {
        try await PostgreSQLKeyStore(configuration(address), cipher: cipher)
    }

    /// A server as `daybook serve` makes it, and the term of its key.
    private func service(
        _ address: String
    ) async throws -> (service: AuditService, term: SigningTerm, identity: SharedIdentity) {
        let keys = try await keys(address)
        let identity = try await keys.identity()
        let term = SigningTerm(of: identity.key.publicKey, clock: SystemClock()) {
            try await keys.identity().key.publicKey
        }
        let service = AuditService(
            configuration: ServerConfiguration(passwordCost: 10),
            store: try await PostgreSQLEventStore(configuration(address)),
            index: try SearchIndex(),
            accounts: try await PostgreSQLAccountStore(configuration(address)),
            tokens: try await TokenIssuer(sharing: keys, clock: SystemClock()),
            key: identity.key,
            keyHistory: identity.history,
            term: term
        )
        return (service, term, identity)
    }

    @Test("the old key signs that the new one follows, both are there at once or neither, and the old one is gone")
    func rotates() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let store = try await keys(address)
        let first = try await store.identity()
        #expect(first.history == KeyHistory() && first.wait == .zero)
        for count in 1...3 {
            let before = try await store.identity()
            try await store.rotateSigningKey(at: now)
            let after = try await keys(address).identity()
            #expect(after.history.successions.count == count)
            #expect(after.history.present == (try after.key.publicKeys))
            #expect(after.history.former.last == (try before.key.publicKeys))
            #expect(after.history.successions.last?.time.microseconds == now.microseconds + 30_000_000)
            // Other servers stop before it signs.
            #expect(after.wait > .seconds(20) && after.wait <= .seconds(30))
            // A database whose clock was put back keeps nobody waiting for longer.
            try await server.sql("UPDATE ServerKey SET created = created + interval '1 day'", at: address)
            #expect(try await store.identity().wait == SigningTerm.handover)
            try await server.sql("UPDATE ServerKey SET created = created - interval '1 day 31 seconds'", at: address)
            #expect(try await store.identity().wait == .zero)
            #expect(try await store.signingKey().publicKey == after.key.publicKey)
        }
        #expect(
            try await server.texts("SELECT count(*)::text FROM ServerKey WHERE purpose = 'receipt'", at: address) == [
                "1"
            ]
        )
        #expect(try await store.hasAll() == false)
    }

    @Test("a transaction that fails in the middle leaves the old key and no statement, and the next one goes through")
    func fails() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let store = try await keys(address)
        let before = try await store.identity().key.publicKey
        // The statement is the last that is written.
        try await server.sql("ALTER TABLE KeyStatement ADD CONSTRAINT nothing CHECK (false)", at: address)
        await #expect(throws: (any Error).self) { try await store.rotateSigningKey(at: now) }
        let kept = try await keys(address).identity()
        #expect(kept.key.publicKey == before && kept.history == KeyHistory())

        try await server.sql("ALTER TABLE KeyStatement DROP CONSTRAINT nothing", at: address)
        try await store.rotateSigningKey(at: now)
        #expect(try await keys(address).identity().history.former.map(\.receipts) == [before])
    }

    @Test("servers that take other keys at once do so one after the other, without a gap and without a branch")
    func together() async throws {
        let address = try await PostgreSQLServer.shared().makeDatabase()
        let first = try await keys(address).identity().key.publicKey
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...4 {
                group.addTask { try await keys(address).rotateSigningKey(at: now) }
            }
            try await group.waitForAll()
        }
        let identity = try await keys(address).identity()
        #expect(identity.history.successions.count == 4)
        #expect(identity.history.former.first?.receipts == first)
    }

    @Test("the new key is encrypted like the old one, and a thief of the database alone makes no statement")
    func encrypted() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let cipher = try KeyCipher(key: Array(repeating: 7, count: 32))
        let store = try await keys(address, cipher)
        try await store.rotateSigningKey(at: now)
        #expect(try await server.texts("SELECT DISTINCT sealed::text FROM ServerKey", at: address) == ["true"])
        await #expect(throws: AuditServerError.self) { try await keys(address).identity() }
        await #expect(throws: AuditServerError.self) { try await keys(address).rotateSigningKey(at: now) }

        // A key of the thief's own in the place of the present one is not what the statements lead to.
        let stolen =
            "UPDATE ServerKey SET sealed = false, secret = decode(repeat('07', 32), 'hex') WHERE purpose = 'receipt'"
        try await server.sql(stolen, at: address)
        let error = await #expect(throws: AuditServerError.self) { try await store.identity() }
        #expect(error?.description.contains("from one backup") == true)
        await #expect(throws: AuditServerError.self) { try await store.rotateSigningKey(at: now) }
        for lie in ["UPDATE KeyStatement SET statement = statement || 'x'", "UPDATE KeyStatement SET statement = ''"] {
            try await server.sql(lie, at: address)
            await #expect(throws: AuditServerError.self) { try await store.identity() }
        }
    }

    @Test(
        "the statements of a server that had its keys in its folder come along, if they lead to the key that is there"
    )
    func adopted() async throws {
        let address = try await PostgreSQLServer.shared().makeDatabase()
        let secrets = (0..<3).map { _ in SigningKey.makeKey() }
        let statement = try SigningKey(secrets[0]).succession(to: SigningKey(secrets[1]), at: now)
        let foreign = try SigningKey(secrets[0]).succession(to: SigningKey(secrets[2]), at: now)
        let store = try await keys(address)
        try await store.adopt(tokenKey: nil, signingKey: secrets[1])
        try await store.adopt(KeyHistory([foreign]))
        #expect(try await store.identity().history == KeyHistory())
        for _ in 1...2 { try await store.adopt(KeyHistory([statement])) }
        #expect(try await store.identity().history.texts == [statement.text])
        try await store.rotateSigningKey(at: now)
        #expect(try await store.identity().history.successions.first == statement)
    }

    private func upload(
        _ client: any TestClientProtocol,
        _ stretch: PartitionStretch,
        by user: String
    ) async throws -> TestResponse {
        try await client.execute(
            uri: "/api/v1/partitions/\(stretch.partition)/events",
            method: .post,
            headers: [.authorization: "Bearer \(user)", .contentType: PartitionStretch.mediaType],
            body: ByteBuffer(bytes: try stretch.wireBytes())
        )
    }

    private func signer(_ response: TestResponse) throws -> [UInt8]? {
        try JSONDecoder().decode(DurabilityProof.self, from: Data(response.body.readableBytesView)).receipt?.publicKey
    }

    @Test(
        "a server that finds another key signs nothing any more and says so, and one that starts goes on with the new key"
    )
    func twoServers() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let (one, term, before) = try await service(address)
        let store = try await PostgreSQLEventStore(configuration(address))
        var device = SampleDevice()
        device.record(["a", "b", "c"])
        let issuer = try await TokenIssuer(sharing: keys(address), clock: SystemClock())
        let user = try await issuer.signIn(
            SampleDevice.owner,
            for: .access,
            in: PostgreSQLAccountStore(configuration(address)),
            clock: SystemClock()
        )
        let devices = device
        @Sendable func upload(_ client: any TestClientProtocol, _ range: ClosedRange<Int>) async throws -> TestResponse
        {
            try await self.upload(client, devices.stretch(range), by: user)
        }
        try await one.application(logger: logger)
            .test(.router) { client in
                try await term.look()
                let response = try await upload(client, 1...1)
                #expect(try signer(response) == before.key.publicKey)

                try await keys(address).rotateSigningKey(at: now)
                await #expect(throws: AuditServerError.self) { try await term.look() }

                #expect(try await upload(client, 2...2).status == .serviceUnavailable)
                #expect(try await store.partition(devices.partition)?.count == 1)
                let ready = try await client.execute(uri: "/ready", method: .get)
                #expect(ready.status == .ok)
                #expect(
                    String(buffer: ready.body)
                        .contains("another server on the same database took other keys; restart this one")
                )
                let head = try await client.execute(
                    uri: "/api/v1/log/head",
                    method: .get,
                    headers: [.authorization: "Bearer \(try await issuer.issue(.auditor, for: .access))"]
                )
                #expect(head.status == .serviceUnavailable)
            }
        let (two, second, after) = try await service(address)
        try await second.look()
        try await two.application(logger: logger)
            .test(.router) { client in
                let response = try await upload(client, 2...3)
                #expect(try signer(response) == after.key.publicKey)
                let told = String(buffer: try await client.execute(uri: "/api/v1/key", method: .get).body)
                #expect(
                    told.contains(Hexadecimal.text(before.key.publicKey)) && told.contains("daybook key succession v2")
                )
                let ready = String(buffer: try await client.execute(uri: "/ready", method: .get).body)
                #expect(!ready.contains("signs nothing"))
            }
        #expect(after.history.former.map(\.receipts) == [before.key.publicKey])
    }
}

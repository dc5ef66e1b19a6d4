import AuditAdmission
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SQLiteStore
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview

/// What a device, and whoever would like to be one, can have registered.
@Suite("Keys of devices that are registered with a server")
struct KeyRegistrationRoutesTests {
    private static let path = "/api/v1/device-keys"
    private static let list = "/api/v1/devices/registrations"
    private static let owner = SampleDevice.owner
    private static let other = EventOwner(app: owner.app, user: "0000000000000000000000bb")
    private static let serverKey = SampleDevice.serverKey.publicKey
    private static let order = Hexadecimal.bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    private let key = DeviceKey()

    private struct Answer: Decodable {
        let registration: String
    }

    private func claim(
        _ key: DeviceKey,
        of owner: EventOwner = owner,
        to server: [UInt8] = serverKey
    ) throws -> String {
        let time = EventInstant(microseconds: 1_700_000_000_000_000)
        return try DeviceKeyClaim(of: key, for: owner, to: server, at: time).text
    }

    private func body(_ claim: String) throws -> String {
        String(decoding: try JSONEncoder().encode(["claim": claim]), as: UTF8.self)
    }

    private func register(
        _ claim: String,
        _ client: any TestClientProtocol,
        as headers: HTTPFields
    ) async throws -> DeviceRegistration {
        let response = try await client.post(Self.path, body(claim), as: headers)
        #expect(response.status == .ok, "\(String(buffer: response.body))")
        let answer: Answer = try response.decoded()
        return try DeviceRegistration(Array(answer.registration.utf8))
    }

    /// How many registrations the auditors' trail has.
    private func count(_ server: TestServer) async throws -> Int {
        let filter = EventFilter(app: TrailEvent.app, activity: "register device key")
        return try await server.store.events(filter, after: nil, limit: 100, maximumBytes: 10_000_000).events.count
    }

    @Test("a key is registered once, and whoever asks again gets the first statement, also from another server")
    func once() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(.uploader(Self.owner))
        let claim = try claim(key)
        try await server.run { client in
            let made = try await register(claim, client, as: headers)
            #expect(made.claim.text == claim && made.claim.server == Self.serverKey)
            #expect(made.received == server.clock.now().wall)
            server.clock.advance(microseconds: 1_000_000)
            let again = try await register(claim, client, as: headers)
            let now = server.clock.now().wall
            let later = try DeviceKeyClaim(of: key, for: Self.owner, to: Self.serverKey, at: now)
            let third = try await register(later.text, client, as: headers)
            #expect(again == made && third == made)
        }
        #expect(try await count(server) == 1)
        let beside = try server.beside()
        try await beside.run { client in
            server.clock.advance(microseconds: 1_000_000)
            let again = try await register(claim, client, as: headers)
            #expect(again.claim.text == claim)
        }
        #expect(try await count(server) == 1)
    }

    @Test("requests at the same time are answered with one statement")
    func together() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(.uploader(Self.owner))
        let claim = try claim(key)
        try await server.run { client in
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<12 { group.addTask { try await register(claim, client, as: headers).text } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(texts.count == 1)
        }
        #expect(try await count(server) == 1)
    }

    @Test("a claim for another user, app or server, or with something changed, is refused, and nothing is written")
    func foreign() async throws {
        let earlier = DeviceKey().publicKey
        let server = try await TestServer(configuration: ServerConfiguration(earlierKeys: [earlier]))
        let headers = try await server.headers(.uploader(Self.owner))
        let (mine, curve) = (try claim(key), DeviceKey(.p256))
        let spelled = EventOwner(app: Self.owner.app, user: Self.owner.user + "\u{301}")
        let foreign = [
            try claim(key, of: Self.other), try claim(key, of: EventOwner(app: "other-app", user: Self.owner.user)),
            try claim(key, of: spelled), try claim(key, to: DeviceKey().publicKey), try claim(key, to: earlier),
            try claim(key, of: EventOwner(app: TrailEvent.app, user: Self.owner.user)),
            mine.replacing("at 2023", with: "at 2024"), mine + "\n", String(mine.dropLast()), "",
            mine.replacing(Hexadecimal.text(key.publicKey), with: Hexadecimal.text(DeviceKey().publicKey)),
            try greatValue(claim(curve)), String(repeating: "x", count: DeviceKeyClaim.maximumBytes + 1),
        ]
        try await server.run { client in
            for claim in foreign {
                let response = try await client.post(Self.path, body(claim), as: headers)
                #expect(response.status == .badRequest, "\(claim)")
                #expect(try response.decoded(Refusal.self).message.hasSuffix("."))
            }
            for body in ["{}", "[]", "", #"{"claim":1}"#] {
                #expect(try await client.post(Self.path, body, as: headers).status == .badRequest, "\(body)")
            }
            let large = try body(String(repeating: "x", count: 20_000))
            #expect(try await client.post(Self.path, large, as: headers).status != .ok)
            let curved = try await register(claim(curve), client, as: headers)
            #expect(curved.claim.publicKey == curve.publicKey)
        }
        #expect(try await count(server) == 1)
    }

    /// The claim with the other one of the two signatures of P-256.
    private func greatValue(_ text: String) throws -> String {
        let claim = try DeviceKeyClaim(Array(text.utf8))
        let order = try #require(Self.order)
        var (great, borrow) = ([UInt8](repeating: 0, count: 32), 0)
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(claim.signature[32 + index]) - borrow
            great[index] = UInt8(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        let digits = Hexadecimal.text(claim.signature[..<32] + great)
        return text.replacing(Hexadecimal.text(claim.signature), with: digits)
    }

    @Test("one key of two users is registered for each, and the list of auditors has both, page by page")
    func listed() async throws {
        let server = try await TestServer()
        let (one, two) = (
            try await server.headers(.uploader(Self.owner)), try await server.headers(.uploader(Self.other))
        )
        let auditor = try await server.headers(.auditor)
        try await server.run { client in
            let first = try await register(claim(key), client, as: one)
            let second = try await register(claim(key, of: Self.other), client, as: two)
            server.clock.advance(microseconds: 1_000_000)
            let third = try await register(claim(DeviceKey(.p256)), client, as: one)
            let all: [KeyRegistrationLine] = try await client.get(Self.list, as: auditor).decoded()
            #expect(all.map(\.registration) == [first, second, third].map(\.text))
            #expect(all.map(\.user) == [Self.owner.user, Self.other.user, Self.owner.user])
            #expect(Set(all.prefix(2).map(\.publicKey)) == [Hexadecimal.text(key.publicKey)])

            var (found, query): ([KeyRegistrationLine], String) = ([], "?limit=1")
            for _ in 0..<5 {
                let page = try await client.get(Self.list + query, as: auditor)
                found += try page.decoded([KeyRegistrationLine].self)
                guard let next = page.nextCursor else { break }
                query = "?limit=1&after=\(next)"
            }
            #expect(found == all)
            for wrong in ["?after=x", "?limit=0", "?limit=501"] {
                #expect(try await client.get(Self.list + wrong, as: auditor).status == .badRequest)
            }
            for headers in [one, try await server.headers(.auditor(apps: [Self.owner.app]))] {
                #expect(try await client.get(Self.list, as: headers).status == .forbidden)
            }
        }
    }

    @Test("a user has room for so many keys, which are answered still, and takes no room of others")
    func bounded() async throws {
        let server = try await TestServer()
        let (one, two) = (
            try await server.headers(.uploader(Self.owner)), try await server.headers(.uploader(Self.other))
        )
        try await server.run { client in
            for _ in 1..<DeviceRegistration.maximumKeysPerUser {
                _ = try await register(claim(DeviceKey()), client, as: one)
            }
            let last = try await register(claim(key), client, as: one)
            let refused = try await client.post(Self.path, body(claim(DeviceKey())), as: one)
            #expect(refused.status == .badRequest)
            #expect(try refused.decoded(Refusal.self).message.contains("32 keys of this user are registered"))
            let again = try await register(claim(key), client, as: one)
            #expect(again == last)
            _ = try await register(claim(DeviceKey(), of: Self.other), client, as: two)
        }
        #expect(try await count(server) == DeviceRegistration.maximumKeysPerUser + 1)
    }

    private func order(_ key: DeviceKey, _ isRevoked: Bool) -> String {
        let digits = Hexadecimal.text(key.publicKey)
        return #"{"app":"\#(Self.owner.app)","user":"\#(Self.owner.user)","publicKey":"\#(digits)","#
            + #""isRevoked":\#(isRevoked),"reason":"x"}"#
    }

    @Test("a revoked key is registered when it is believed again, and one that was registered before stays so")
    func revoked() async throws {
        let server = try await TestServer()
        let (admin, user) = (try await server.headers(.administrator), try await server.headers(.uploader(Self.owner)))
        let kept = DeviceKey()
        try await server.run { client in
            let before = try await register(claim(kept), client, as: user)
            for key in [key, kept] {
                let said = try await client.post("/api/v1/devices/statements", order(key, true), as: admin)
                #expect(said.status == .ok)
            }
            let refused = try await client.post(Self.path, body(claim(key)), as: user)
            #expect(refused.status == .badRequest)
            #expect(try refused.decoded(Refusal.self).message.contains("revoked"))
            let still = try await register(claim(kept), client, as: user)
            #expect(still == before)
            server.clock.advance(microseconds: 1_000_000)
            let said = try await client.post("/api/v1/devices/statements", order(key, false), as: admin)
            #expect(said.status == .ok)
            _ = try await register(claim(key), client, as: user)
        }
        #expect(try await count(server) == 2)
    }

    @Test(
        "a registration that was changed behind the server's back is shown as none, and no other is written in its place"
    )
    func changed() async throws {
        let folder = try TestFolder.made()
        let server = try await TestServer(store: SQLiteEventStore(path: folder.file("db")))
        let (user, auditor) = (try await server.headers(.uploader(Self.owner)), try await server.headers(.auditor))
        let (kept, claim) = (try claim(DeviceKey()), try claim(key))
        try await server.run { client in
            _ = try await register(claim, client, as: user)
            let whole = try await register(kept, client, as: user)
            let thief = Hexadecimal.text(DeviceKey().publicKey)
            try await DatabaseQueue.beside(folder.file("db"))
                .write { database in
                    try database.execute(
                        sql: """
                            UPDATE AuditEvent SET data = replace(data, ?, ?)
                            WHERE activity = 'register device key' AND daybook_sequence = 1
                            """,
                        arguments: [Hexadecimal.text(key.publicKey), thief]
                    )
                }
            #expect(try await client.post(Self.path, body(claim), as: user).status == .serviceUnavailable)
            let still = try await register(kept, client, as: user)
            #expect(still == whole)
            let list: [KeyRegistrationLine] = try await client.get(Self.list, as: auditor).decoded()
            #expect(list.map(\.registration) == [nil, whole.text])
            #expect(list.first?.publicKey == Hexadecimal.text(key.publicKey))
        }
    }

    @Test("claims use up what a user may upload, so that nobody has signatures checked without an end")
    func quota() async throws {
        var configuration = ServerConfiguration()
        configuration.quotas.userBytesPerDay = 1000
        let server = try await TestServer(configuration: configuration)
        let headers = try await server.headers(.uploader(Self.owner))
        let claim = try claim(key)
        try await server.run { client in
            var statuses: [Int] = []
            for _ in 0..<6 {
                let response = try await client.post(Self.path, body(claim), as: headers)
                statuses.append(Int(response.status.code))
            }
            #expect(statuses.first == 200 && statuses.last == 429)
        }
        #expect(try await count(server) == 1)
    }
}

import EventModel
import EventModelTesting
import EventProofs
import Foundation
import SyncTransportTesting
import Testing

@testable import SyncTransport

/// What a device has registered of its key, and what a server can answer to that.
@Suite("The registration of a device's key")
struct DeviceRegistrarTests {
    private static let path = "api/v1/device-keys"
    private let fixture: LogFixture
    private let key = DeviceKey()

    init() throws {
        fixture = try LogFixture()
    }

    private func file(_ key: DeviceKey) -> String {
        fixture.path("server.registrations/62b3/\(Hexadecimal.text(key.publicKey)).note")
    }

    private func kept(_ key: DeviceKey) throws -> DeviceRegistration {
        let data = try Data(contentsOf: URL(fileURLWithPath: file(key)))
        return try DeviceRegistration(Array(data))
    }

    private func isKept(_ key: DeviceKey) -> Bool { FileManager.default.fileExists(atPath: file(key)) }

    /// Uploads a partition in a process of its own; returns how often it was asked for a registration.
    private func asked(_ number: UInt32, _ key: DeviceKey) async throws -> Int {
        _ = fixture.server.takePaths()
        fixture.seal(number)
        try await fixture.uploader(deviceKey: key).uploadEverything()
        #expect(fixture.isDeleted(number), "no upload waits for it, and no deletion")
        return fixture.server.takePaths().count { $0 == Self.path }
    }

    /// What is done in one run, without uploads: the server is known.
    private func run(of key: DeviceKey) async throws -> DeviceRegistrar {
        let app = fixture.app(serverKey: ServerKey(fixture.server.signer.publicKey))
        let logger = fixture.uploads.reports.reporting().logger
        return DeviceRegistrar(key: key, user: try await fixture.user(app), logger: logger)
    }

    @Test(
        "a key is registered after the first uploads, once, and kept for its owner alone",
        arguments: DeviceKeyAlgorithm.allCases
    )
    func once(_ algorithm: DeviceKeyAlgorithm) async throws {
        let key = DeviceKey(algorithm)
        #expect(try await asked(1, key) == 1)
        let registration = try kept(key)
        #expect(registration.claim.owner == EventOwner(app: "ward", user: "62b3"))
        #expect(registration.claim.publicKey == key.publicKey)
        #expect(registration.claim.server == fixture.server.signer.publicKey)
        let attributes = try FileManager.default.attributesOfItem(atPath: file(key))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)

        #expect(try await asked(2, key) == 0)
        try fixture.server.rotate(seed: 2)
        #expect(try await asked(3, key) == 0, "what the server signed with the key before is its word still")
        let other = DeviceKey()
        #expect(try await asked(4, other) == 1)
        #expect(try kept(other).claim.server == fixture.server.signer.publicKey)
        #expect(fixture.told.isEmpty)
    }

    @Test(
        "a registration that an earlier key of the server signed is believed once the server states how its keys followed"
    )
    func earlierKey() async throws {
        #expect(try await asked(1, key) == 1)
        try fixture.server.rotate(seed: 2)
        try FileManager.default.removeItem(atPath: fixture.path(""))
        #expect(try await asked(2, key) == 1)
        let first = try kept(key)
        #expect(first.claim.server != fixture.server.signer.publicKey)
    }

    @Test("a server that refuses, or knows of no such thing, is asked once in a run", arguments: [400, 403, 404, 413])
    func refused(_ status: Int) async throws {
        let codes: [Int: TransportError.Code] = [403: .forbidden, 413: .tooLarge]
        fixture.server.override(Self.path, with: .refusal(status, codes[status] ?? .rejected))
        var registrar = try await run(of: key)
        for _ in 0..<20 { await registrar.attend() }
        #expect(fixture.server.takePaths().count { $0 == Self.path } == 1)
        #expect(try await asked(1, key) == 1, "another run")
        #expect(!isKept(key) && fixture.told.isEmpty)
        fixture.server.override(Self.path, with: nil)
        #expect(try await asked(2, key) == 1)
        #expect(isKept(key))
    }

    @Test("a server that cannot answer is asked after 1, 2, 4 and 8 rounds, and not kept busy")
    func away() async throws {
        for response in [
            HTTPResponse.refusal(503, .unavailable), .json(502, "<html>"),
            .json(200, "<html>Sign in to the network</html>"),
        ] {
            fixture.server.override(Self.path, with: response)
            var registrar = try await run(of: key)
            var rounds: [Int] = []
            for round in 1...20 {
                await registrar.attend()
                if fixture.server.takePaths().contains(Self.path) { rounds.append(round) }
            }
            #expect(rounds == [1, 3, 6, 11, 20])
        }
        #expect(!isKept(key))
        #expect(try await asked(1, key) > 0)
    }

    @Test(
        "what another server signed, what is about another user or key, and what is cut off is not kept, and uploads go on"
    )
    func lies() async throws {
        let (signer, thief) = (try fixture.server.signer.noteSigner, try SampleSigner().noteSigner)
        let owner = EventOwner(app: "ward", user: "62b3")
        let now = EventInstant(microseconds: 1_700_000_000_000_000)
        func text(_ key: DeviceKey, _ owner: EventOwner, _ signer: EdwardsNoteSigner) throws -> String {
            let claim = try DeviceKeyClaim(of: key, for: owner, to: signer.verifierKey.publicKey, at: now)
            return try DeviceRegistration(claim, receivedAt: now, signedBy: signer).text
        }
        let mine = try text(key, owner, signer)
        var number: UInt32 = 0
        for lie in [
            try text(key, owner, thief), try text(DeviceKey(), owner, signer),
            try text(key, EventOwner(app: "ward", user: "62b4"), signer),
            try text(key, EventOwner(app: "lab", user: "62b3"), signer),
            String(mine.dropLast()), mine + "\n", "", mine.replacing("received 2023", with: "received 2024"),
        ] {
            let body = String(decoding: try JSONEncoder().encode(["registration": lie]), as: UTF8.self)
            fixture.server.override(Self.path, with: .json(200, body))
            number += 1
            #expect(try await asked(number, key) == 1)
            #expect(!isKept(key), "\(lie)")
        }
        #expect(fixture.told.isEmpty)
    }

    @Test(
        "a file that somebody changed, or that is another user's, is not believed, and the first registration comes back"
    )
    func changedFile() async throws {
        #expect(try await asked(1, key) == 1)
        let (first, other) = (try kept(key), DeviceKey())
        #expect(try await asked(2, other) == 1)
        var flipped = first.note.bytes
        flipped[40] ^= 1
        var number: UInt32 = 2
        for bytes in [flipped, Array(first.note.bytes.dropLast()), [], try kept(other).note.bytes] {
            try Data(bytes).write(to: URL(fileURLWithPath: file(key)))
            number += 1
            #expect(try await asked(number, key) == 1)
            #expect(try kept(key) == first)
        }
    }
}

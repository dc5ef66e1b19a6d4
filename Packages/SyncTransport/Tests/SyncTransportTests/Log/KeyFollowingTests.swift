import EventModel
import EventModelTesting
import EventProofs
import Foundation
import SyncTransport
import SyncTransportTesting
import Synchronization
import Testing

@Suite("A device whose server takes other keys", .timeLimit(.minutes(1)))
struct KeyFollowingTests {
    private let fixture: LogFixture
    private var server: ServerWithLog { fixture.server }

    init() throws { fixture = try LogFixture() }

    private func logKey() throws -> String {
        struct Record: Decodable { let key: String }
        let bytes = try Data(contentsOf: URL(filePath: fixture.path("server-log.json")))
        return try JSONDecoder().decode(Record.self, from: bytes).key
    }

    private func statements() throws -> [String] {
        let bytes = try Data(contentsOf: URL(filePath: fixture.path("server.keys")))
        return try JSONDecoder().decode([String].self, from: bytes)
    }

    /// Sends events once as a new process does; returns why they are not believed to be stored.
    private func codeOfSending() async throws -> TransportError.Code? {
        let transport = HTTPEventTransport(user: try await fixture.user(fixture.app()))
        do throws(TransportError) {
            _ = try await transport.send(Sample.stretch(from: 1, count: 2))
            return nil
        } catch {
            return error.code
        }
    }

    @Test("what was said before stays believed: the same log goes on under another key, and nobody has to do anything")
    func follows() async throws {
        try await fixture.upload(1)
        let succession = try server.rotate(seed: 2)
        try server.grow(by: 300)
        _ = server.takePaths()

        try await fixture.upload(2)

        #expect(fixture.told == [])
        #expect(fixture.isDeleted(2))
        #expect(try statements() == [succession.text])
        #expect(try logKey() == server.state.withLock { $0.logKey })
        // It began where the kept checkpoint ended, and not anew.
        #expect(server.takePaths().contains { $0.hasPrefix("log/tile/") })
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path("server.keys"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("keys that changed several times while it was away are followed at once, also by an app with a key of before")
    func severalTimes() async throws {
        let configured = try #require(ServerKey(server.signer.publicKey))
        fixture.seal(1)
        try await fixture.uploader(serverKey: configured).uploadEverything()
        for seed: UInt8 in 2...4 { try server.rotate(seed: seed) }

        for number: UInt32 in 2...3 {
            fixture.seal(number)
            try await fixture.uploader(serverKey: configured).uploadEverything()
        }

        #expect(fixture.told == [])
        #expect(try statements().count == 3)
        #expect((1...3).allSatisfy { fixture.isDeleted($0) })
    }

    @Test("an app that is given the new key knows the log by what the old one had signed")
    func configuredAnew() async throws {
        try await fixture.upload(1)
        try server.rotate(seed: 2)
        try server.grow(by: 300)
        let configured = try #require(ServerKey(server.signer.publicKey))
        _ = server.takePaths()

        fixture.seal(2)
        try await fixture.uploader(serverKey: configured).uploadEverything()

        #expect(fixture.told == [])
        #expect(server.takePaths().contains { $0.hasPrefix("log/tile/") })
    }

    @Test("a log that is rewritten when the keys change is found out, and the proof holds for both keys")
    func rewritten() async throws {
        for number: UInt32 in 1...2 { try await fixture.upload(number) }
        let before = try server.policy.logKeys
        let old = server.signer.publicKey
        try server.rotate(seed: 2)
        try server.rewrite { $0.remove(at: 0) }
        try server.grow(by: 5)

        // The log is looked at after the round; the next one sends nothing any more.
        for number: UInt32 in 3...4 {
            fixture.seal(number)
            _ = try? await fixture.uploader().uploadEverything()
        }

        #expect(!fixture.isDeleted(4))
        let contradiction = try #require(try fixture.app().logContradiction())
        let both = try WitnessPolicy(logKeys: before + server.policy.logKeys)
        try contradiction.verify(by: both, serverKeys: [old, server.signer.publicKey])
    }

    @Test(
        "a server that signs with another key and states nothing, or states it without the known key, is not believed"
    )
    func unstated() async throws {
        try await fixture.upload(1)
        let statement = try server.rotate(seed: 2, isStated: false)
        let foreign = try ServerWithLog(seed: 7)
        let others = [
            [], [try foreign.rotate(seed: 8).text], [String(statement.text.dropLast(2))], ["x"],
            [statement.text, statement.text],
        ]
        fixture.seal(2)
        for stated in others {
            server.state.withLock { $0.successions = stated }
            await #expect(throws: SyncTransportError.self) { try await fixture.uploader().uploadEverything() }
            #expect(!fixture.isDeleted(2))
            #expect(!fixture.exists("server.keys"))
        }
        server.state.withLock { $0.successions = [statement.text] }
        try await fixture.uploader().uploadEverything()
        #expect(fixture.isDeleted(2))
    }

    @Test("who has stolen a key cannot lead a device away that has followed the true statement")
    func stolenKey() async throws {
        try await fixture.upload(1)
        let stolen = server.signer
        try server.rotate(seed: 2)
        try await fixture.upload(2)
        let thief = SampleSigner()
        let lie = try KeySuccession(
            from: ServerKeys(
                receipts: stolen.publicKey,
                log: SampleSigner().publicKey,
                trail: SampleSigner().publicKey
            ),
            to: ServerKeys(receipts: thief.publicKey, log: SampleSigner().publicKey, trail: SampleSigner().publicKey),
            at: EventInstant(microseconds: 0),
            signedBy: [stolen.noteSigner, thief.noteSigner]
        )
        fixture.seal(3)
        for signer in [thief, stolen] {
            server.state.withLock { state in
                state.signer = signer
                state.successions = [lie.text]
            }
            await #expect(throws: SyncTransportError.self) { try await fixture.uploader().uploadEverything() }
            #expect(!fixture.isDeleted(3))
        }
    }

    @Test("a server that does not answer the question for its keys is asked again, and no thief for that")
    func away() async throws {
        try await fixture.upload(1)
        try server.rotate(seed: 2)
        server.override("api/v1/key", with: .refusal(503, .unavailable))
        #expect(try await codeOfSending() == .unavailable)
        server.override("api/v1/key", with: .refusal(404, .rejected))
        #expect(try await codeOfSending() == .untrustedServer)

        server.override("api/v1/key", with: nil)
        #expect(try await codeOfSending() == nil)
    }

    @Test(
        "statements that cannot be read any more are no reason to trust anybody, and those that cannot be kept are not followed"
    )
    func damagedFile() async throws {
        try await fixture.upload(1)
        try server.rotate(seed: 2)
        let folder = fixture.path("server.keys.new/in the way")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(try await codeOfSending() == .notKept)
        try FileManager.default.removeItem(atPath: fixture.path("server.keys.new"))

        #expect(try await codeOfSending() == nil)
        try Data("[".utf8).write(to: URL(filePath: fixture.path("server.keys")))

        #expect(try await codeOfSending() == .untrustedServer)
    }

    @Test("a server that takes a third key while a device still goes over to the second is followed in the same look")
    func whileFollowing() async throws {
        func answer(_ successions: [KeySuccession]) throws -> HTTPResponse {
            struct Answer: Encodable {
                let publicKey: String
                let logKey: String?
                let successions: [String]
            }
            let key = Hexadecimal.text(try #require(successions.last).successor.receipts)
            let answer = Answer(
                publicKey: key,
                logKey: server.state.withLock { $0.logKey },
                successions: successions.map(\.text)
            )
            return HTTPResponse(status: 200, body: Array(try JSONEncoder().encode(answer)))
        }
        try await fixture.upload(1)
        let second = try server.rotate(seed: 2)
        #expect(try await codeOfSending() == nil)
        let signer = server.signer
        let third = try server.rotate(seed: 3)
        server.override("api/v1/key", with: try answer([second, third]))
        server.state.withLock { $0.signer = signer }

        try await fixture.upload(2)

        #expect(fixture.told == [])
        #expect(try logKey() == server.state.withLock { $0.logKey })
        #expect(try statements() == [second.text, third.text])
    }

    @Test("a log whose checkpoint another key signs, of which no upload tells, is followed as well")
    func logAlone() async throws {
        try await fixture.upload(1)
        try await server.rotate(seed: 2, growingBy: 3) {
            fixture.seal(2)
            _ = try? await fixture.uploader().uploadEverything()
        }
        try await fixture.upload(3)

        #expect(fixture.isDeleted(3))
        #expect(try logKey() == server.state.withLock { $0.logKey })
    }
}

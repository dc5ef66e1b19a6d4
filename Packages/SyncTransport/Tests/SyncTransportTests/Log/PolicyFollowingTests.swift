import EventModel
import EventModelTesting
import EventProofs
import Foundation
import SyncTransport
import SyncTransportTesting
import Synchronization
import Testing

@Suite("A device whose app says which log it believes, when that log's key is followed", .timeLimit(.minutes(1)))
struct PolicyFollowingTests {
    private let fixture: LogFixture
    private let policy: WitnessPolicy
    private let given: ServerKey
    private var server: ServerWithLog { fixture.server }
    private let unsigned =
        "The log of the server is not proven, and what it holds is kept here until it is: The checkpoint is not signed by a known key of "
        + "log.example.com/daybook."

    init() throws {
        fixture = try LogFixture()
        policy = try fixture.server.policy
        given = try #require(ServerKey(fixture.server.signer.publicKey))
    }

    /// Seals a partition and sends it as a new process does.
    private func upload(_ number: UInt32, policy: WitnessPolicy? = nil, serverKey: ServerKey?) async throws {
        fixture.seal(number)
        try await fixture.uploader(policy: policy ?? self.policy, serverKey: serverKey).uploadEverything()
    }

    @Test("it goes on with the same log under each key that the server states, and nobody has to do anything")
    func follows() async throws {
        try await upload(1, serverKey: given)
        for seed: UInt8 in 2...4 {
            try server.rotate(seed: seed)
            try server.grow(by: 300)
            _ = server.takePaths()
            try await upload(UInt32(seed), serverKey: given)
            // From the kept checkpoint on, and not anew.
            #expect(server.takePaths().contains { $0.hasPrefix("log/tile/") })
        }
        #expect(fixture.told == [])
        #expect((1...4).allSatisfy { fixture.isDeleted($0) })
    }

    @Test("the log's key is followed where no upload told of the server's, and by an app with the server's new key")
    func logAlone() async throws {
        try await upload(1, serverKey: given)
        try await server.rotate(seed: 2, growingBy: 3) {
            fixture.seal(2)
            _ = try? await fixture.uploader(policy: policy, serverKey: given).uploadEverything()
        }
        try await upload(3, serverKey: ServerKey(server.signer.publicKey))
        #expect(fixture.told == [])

        let fresh = try LogFixture(server)
        fresh.seal(4)
        try await fresh.uploader(policy: policy, serverKey: ServerKey(server.signer.publicKey)).uploadEverything()
        #expect(fresh.told == [])
        #expect(fresh.isDeleted(4))
    }

    @Test("an app that does not know the server's key follows no log's: who is met first could name any log as its own")
    func firstSight() async throws {
        try await upload(1, serverKey: nil)
        try server.rotate(seed: 2)
        try await upload(2, serverKey: nil)
        #expect(fixture.told == [unsigned])

        // A thief with keys of its own, who names the true log's as the one that its own log follows.
        let thief = try LogFixture()
        try thief.server.rotate(seed: 9)
        thief.seal(3)
        try await thief.uploader(policy: policy).uploadEverything()
        thief.seal(4)
        try await thief.uploader(policy: policy).uploadEverything()
        #expect(thief.told == [unsigned, unsigned])
    }

    @Test("a statement of another server, one that names another log before, and none at all lead nowhere")
    func foreign() async throws {
        try await upload(1, serverKey: given)
        let (signer, entries) = (server.signer, server.state.withLock { $0.log.entries })
        let other = try ServerWithLog(seed: 7)
        let statement = try other.rotate(seed: 2)
        let log = try SampleLog(entries, seed: 2)
        let elsewhere = try KeySuccession(
            from: ServerKeys(
                receipts: signer.publicKey,
                log: SampleLog(seed: 5).signer.verifierKey.publicKey,
                trail: SampleSigner().publicKey
            ),
            to: ServerKeys(
                receipts: other.signer.publicKey,
                log: log.signer.verifierKey.publicKey,
                trail: SampleSigner().publicKey
            ),
            at: EventInstant(microseconds: 0),
            signedBy: [signer.noteSigner, other.signer.noteSigner]
        )
        try server.state.withLock { state in
            state.log = log
            try state.publish()
        }
        let lies = [[], [statement.text], ["x"], [elsewhere.text]]
        for (number, stated) in zip((2 as UInt32)..., lies) {
            server.state.withLock { state in
                state.successions = stated
                if stated == [elsewhere.text] { state.signer = other.signer }
            }
            fixture.seal(number)
            _ = try? await fixture.uploader(policy: policy, serverKey: given).uploadEverything()
        }
        #expect(fixture.told == lies.map { _ in unsigned })
    }

    @Test("a key that was followed signs no newest checkpoint any more, and the witnesses that the app asks for stay")
    func stolenKey() async throws {
        try await upload(1, serverKey: given)
        let old = server.state.withLock { $0.log }
        try server.rotate(seed: 2)
        try await upload(2, serverKey: given)
        #expect(fixture.told == [])
        try server.state.withLock { state in
            state.log = old
            try state.publish()
        }
        try await upload(3, serverKey: given)
        #expect(fixture.told == [unsigned])

        let witness = try EdwardsNoteSigner(name: "witness.example/w1", algorithm: .cosignature)
        let strict = try WitnessPolicy(logKeys: policy.logKeys, witnesses: [witness.verifierKey], quorum: 1)
        let another = try LogFixture()
        let key = ServerKey(another.server.signer.publicKey)
        try another.server.rotate(seed: 2)
        another.seal(1)
        try await another.uploader(policy: strict, serverKey: key).uploadEverything()
        #expect(
            another.told.count == 1
                && another.told[0].contains("cosigned by 0 of the known witnesses, and 1 are needed")
        )
    }

    @Test(
        "a log that is rewritten when its key is followed is found out, also by an app that is given the new key alone",
        arguments: [false, true]
    )
    func rewritten(isGivenAnew: Bool) async throws {
        for number: UInt32 in 1...2 { try await upload(number, serverKey: given) }
        let old = server.signer.publicKey
        try server.rotate(seed: 2)
        try server.rewrite { $0.remove(at: 0) }
        try server.grow(by: 5)

        let (now, key) = (try server.policy, ServerKey(server.signer.publicKey))
        // The log is looked at after the round; the next one sends nothing any more.
        for number: UInt32 in 3...4 {
            fixture.seal(number)
            let uploader = try await fixture.uploader(
                policy: isGivenAnew ? now : policy,
                serverKey: isGivenAnew ? key : given
            )
            _ = try? await uploader.uploadEverything()
        }

        #expect(!fixture.isDeleted(4))
        let contradiction = try #require(try fixture.app().logContradiction())
        let both = try WitnessPolicy(logKeys: policy.logKeys + now.logKeys)
        try contradiction.verify(by: both, serverKeys: [old, server.signer.publicKey])
    }
}

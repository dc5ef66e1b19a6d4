import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Testing

@testable import DaybookCommand

@Suite("daybook verify --log-contradiction")
struct ContradictionVerificationTests {
    private let folder: TestFolder
    private let log: EdwardsNoteSigner
    private var path: String { folder.file("server-log.contradiction") }

    init() throws {
        folder = try TestFolder.made()
        log = try EdwardsNoteSigner(name: "log.example/ward", algorithm: .ed25519)
    }

    private func tree(_ count: UInt8, salt: UInt8) -> MerkleTree {
        MerkleTree(leaves: (0..<count).map { MerkleHash.leaf([salt, $0]) })
    }

    private func signed(_ tree: MerkleTree, by key: EdwardsNoteSigner? = nil) throws -> SignedCheckpoint {
        let checkpoint = try Checkpoint(origin: "log.example/ward", size: tree.count, root: tree.root)
        return try SignedCheckpoint(checkpoint, signedBy: [key ?? log])
    }

    private func verify(_ contradiction: LogContradiction, _ more: [String] = []) async throws -> CommandOutcome {
        try PrivateFile.write(contradiction.bytes(), to: path)
        return await CommandOutcome.of(
            ["verify", "--log-contradiction", path, "--log-key", "\(log.verifierKey)"] + more
        )
    }

    @Test("two histories of one log are proven by their signatures, and a log that only grew proves nothing")
    func forks() async throws {
        let (first, second) = (tree(5, salt: 1), tree(9, salt: 2))
        func fork(_ larger: MerkleTree) throws -> LogContradiction {
            .fork(
                smaller: try signed(first),
                larger: try signed(larger),
                root: larger.root(at: 5),
                path: larger.consistencyProof(from: 5, to: larger.count).path
            )
        }
        let proven = try await verify(fork(second))
        #expect(proven.code == 0, "\(proven.fullMessage)")
        #expect(
            proven.output == """
                The log log.example/ward signed a checkpoint of 5 entries and one of 9 that does not begin with them.
                the contradiction is proven

                """
        )
        let same = try await verify(fork(tree(5, salt: 2)), ["--json"])
        #expect(same.code == 0 && same.output.contains(#""proven":true"#))
        let grown = try await verify(fork(tree(9, salt: 1)))
        #expect(grown.code == 1 && grown.output.hasSuffix("nothing is proven\n"))
        let witness = try EdwardsNoteSigner(name: "w", algorithm: .cosignature).verifierKey
        #expect(try await verify(fork(second), ["--witness", "\(witness)"]).code == 1, "it was not cosigned")
    }

    @Test("a log that is rewritten when its key changes is proven by both keys")
    func otherKey() async throws {
        let next = try EdwardsNoteSigner(name: "log.example/ward", algorithm: .ed25519)
        let (first, second) = (tree(5, salt: 1), tree(9, salt: 2))
        let fork = LogContradiction.fork(
            smaller: try signed(first),
            larger: try signed(second, by: next),
            root: second.root(at: 5),
            path: second.consistencyProof(from: 5, to: second.count).path
        )
        #expect(try await verify(fork).code == 1)
        let proven = try await verify(fork, ["--log-key", "\(next.verifierKey)"])
        #expect(proven.code == 0 && proven.output.hasSuffix("the contradiction is proven\n"))
        #expect(try await verify(fork, ["--log-key", "\(log.verifierKey)"]).code != 0, "one key twice")
    }

    @Test("a receipt that the log does not bear out needs the server's key, and says what is proven and what is not")
    func receipts() async throws {
        let proof = DurabilityProof(
            partition: SampleDevice(1).partition,
            durableThrough: 3,
            root: MerkleHash.leaf([7]),
            isSealed: true
        )
        let signedProof = try SampleDevice.serverKey.signed(
            proof,
            for: SampleDevice.owner,
            at: EventInstant(microseconds: 1_700_000_000_000_000)
        )
        let omission = LogContradiction.omission(
            receipt: try #require(signedProof.receipt),
            signed: try signed(tree(5, salt: 1))
        )
        let alone = try await verify(omission)
        #expect(alone.code == 1 && alone.output.contains("another key than the server's"))
        let outcome = try await verify(omission, ["--key", Hexadecimal.text(SampleDevice.serverKey.publicKey)])
        #expect(outcome.code == 0, "\(outcome.fullMessage)")
        #expect(outcome.output.contains("whole partition \(SampleDevice(1).partition)."))
        #expect(outcome.output.contains("That it is not there is to be looked for in the entries"))
    }

    @Test("what is no contradiction, and options that do not fit, are sentences")
    func misuse() async throws {
        let key = "\(log.verifierKey)"
        let missing = await CommandOutcome.of(["verify", "--log-contradiction", path, "--log-key", key])
        #expect(missing.code != 0 && missing.fullMessage.contains("server-log.contradiction"))
        try PrivateFile.write(Array("hello\n".utf8), to: path)
        let noise = await CommandOutcome.of(["verify", "--log-contradiction", path, "--log-key", key])
        #expect(noise.code == 1 && noise.output.hasSuffix("nothing is proven\n"))
        for arguments in [
            ["--log-contradiction", path], ["--log-contradiction", path, "--log-proof", path, "--log-key", key],
            ["--log-contradiction", path, "--log-key", key, "--files", "."],
            ["export", "--log-contradiction", path, "--log-key", key],
        ] {
            let outcome = await CommandOutcome.of(["verify"] + arguments)
            #expect(outcome.code == 64, "\(arguments): \(outcome.fullMessage)")
        }
    }
}

import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@testable import DaybookCommand

@Suite("daybook verify --log-proof")
struct LogProofVerificationTests {
    private let folder: TestFolder
    private let log: EdwardsNoteSigner
    private let witnesses: [EdwardsNoteSigner]
    private var path: String { folder.file("ward.tlog-proof") }

    init() throws {
        folder = try TestFolder.made()
        log = try EdwardsNoteSigner(name: "log.example/ward", algorithm: .ed25519)
        witnesses = try (1...3)
            .map {
                try EdwardsNoteSigner(name: ExactText("witness.example/w\($0)"), algorithm: .cosignature)
            }
    }

    /// The file of a proof, cosigned by some of the witnesses.
    private func proof(_ cosigners: Range<Int>, user: String = SampleDevice.owner.user) throws -> LogProof {
        let entries = try (1...5)
            .map { number in
                var device = SampleDevice(UInt32(number))
                device.record(["a"])
                return PartitionLogEntry(
                    index: UInt64(number - 1),
                    app: "ward-app",
                    user: user,
                    received: EventInstant(microseconds: 1_700_000_000_000_000),
                    seal: try device.seal()
                )
            }
        let tree = MerkleTree(leaves: entries.map(\.leaf))
        let checkpoint = try Checkpoint(origin: "log.example/ward", size: 5, root: tree.root(at: 5))
        let lines = try witnesses[cosigners]
            .map {
                try checkpoint.cosigned(by: $0, at: EventInstant(microseconds: 1_700_000_001_000_000))
            }
        let signed = try SignedCheckpoint(checkpoint, signedBy: [log]).adding(lines)
        return try LogProof(tree.inclusionProof(of: 3, in: 5), in: signed, extra: entries[3].canonicalBytes)
    }

    private func verify(_ bytes: [UInt8], _ more: [String] = []) async throws -> CommandOutcome {
        try PrivateFile.write(bytes, to: path)
        let keys = witnesses.flatMap { ["--witness", "\($0.verifierKey)"] }
        return await CommandOutcome.of(
            ["verify", "--log-proof", path, "--log-key", "\(log.verifierKey)"] + (more.isEmpty ? keys : more)
        )
    }

    @Test("a proof that enough witnesses cosigned says which partition was sealed by whom, and who saw it when")
    func verified() async throws {
        let outcome = try await verify(proof(0..<2).bytes)
        #expect(outcome.code == 0, "\(outcome.fullMessage)")
        let partition = SampleDevice(4).partition
        #expect(
            outcome.output.hasPrefix("partition \(partition) of \(SampleDevice.owner.user) in ward-app: 1 events\n")
        )
        #expect(outcome.output.contains("entry 3 of 5 in the log log.example/ward\n"))
        #expect(outcome.output.contains("  seen by witness.example/w2 at 2023-11-14T22:13:21"))
        #expect(!outcome.output.contains("w3") && outcome.output.hasSuffix("1 partition verified\n"))

        let json = try await verify(proof(0..<3).bytes, ["--json"] + ["--witness", "\(witnesses[2].verifierKey)"])
        struct Line: Decodable {
            struct Cosigned: Decodable { let witness: String }
            let verified: Bool
            let index: UInt64
            let cosignatures: [Cosigned]
        }
        let line = try JSONDecoder().decode(Line.self, from: Data(json.output.utf8))
        #expect(line.verified && line.index == 3 && line.cosignatures.map(\.witness) == ["witness.example/w3"])

        let alone = try await verify(proof(0..<0).bytes, ["--quorum", "0"])
        #expect(alone.code == 0 && alone.output.contains("no witness was named"))
    }

    @Test("too few witnesses, another log, a changed byte and another entry end with 1 and a sentence")
    func refused() async throws {
        let whole = try proof(0..<2).bytes
        let few = try await verify(proof(0..<1).bytes)
        #expect(few.code == 1 && few.output.contains("1 problem found"), "\(few.output)")
        let all = try await verify(
            whole,
            ["--quorum", "3"] + witnesses.flatMap { ["--witness", "\($0.verifierKey)"] }
        )
        #expect(all.code == 1)
        let other = try EdwardsNoteSigner(name: "log.example/ward", algorithm: .ed25519).verifierKey
        let foreign = await CommandOutcome.of(["verify", "--log-proof", path, "--log-key", "\(other)"])
        #expect(foreign.code == 1)

        var random = SeededGenerator(seed: 7)
        for _ in 0..<60 {
            var changed = whole
            changed[random.below(changed.count)] ^= UInt8(1 + random.below(255))
            // Lines of witnesses that are not needed may be damaged: two of three are.
            let outcome = try await verify(
                changed,
                ["--quorum", "2"] + witnesses[..<2].flatMap { ["--witness", "\($0.verifierKey)"] }
            )
            #expect(outcome.code == 1, "\(String(decoding: changed, as: UTF8.self))")
        }
        let entry = try PartitionLogEntry(index: 3, canonicalBytes: #require(proof(0..<2).extra))
        let forged = PartitionLogEntry(
            index: 3,
            app: entry.app,
            user: "somebody-else",
            received: entry.received,
            seal: entry.seal
        )
        let moved = try LogProof(
            InclusionProof(index: 3, count: 5, path: proof(0..<2).path),
            in: proof(0..<2).signed,
            extra: forged.canonicalBytes
        )
        #expect(try await verify(moved.bytes).code == 1)
    }

    @Test("names cannot take over a terminal")
    func terminal() async throws {
        let outcome = try await verify(proof(0..<3, user: "a\u{1B}[2Jb\nc").bytes)
        #expect(
            outcome.code == 0
                && outcome.output.hasPrefix("partition \(SampleDevice(4).partition) of a\u{FFFD}[2Jb\u{FFFD}c in")
        )
    }

    @Test("a missing file, no key of the log, and options that do not fit each other are sentences")
    func misuse() async throws {
        let key = "\(log.verifierKey)"
        let missing = await CommandOutcome.of(["verify", "--log-proof", path, "--log-key", key])
        #expect(missing.code != 0 && missing.fullMessage.contains("ward.tlog-proof"))
        for arguments in [
            ["--log-proof", path], ["--log-proof", path, "--log-key", "x"], ["--quorum", "1"], ["--witness", key],
            ["--log-key", key, "--files", "."],
            ["--log-proof", path, "--log-key", key, "--quorum", "1"],
            ["--log-proof", path, "--log-key", key, "--witness", key],
            ["--log-proof", path, "--log-key", key, "--files", "."],
            ["export", "--log-proof", path, "--log-key", key],
        ] {
            let outcome = await CommandOutcome.of(["verify"] + arguments)
            #expect(outcome.code == 64, "\(arguments): \(outcome.fullMessage)")
        }
    }
}

import EventModel
import EventModelTesting
import EventProofs
import LogWitness
import Testing

@testable import DaybookCommand

@Suite("daybook witness")
struct WitnessCommandTests {
    private let folder: TestFolder
    private let log: EdwardsNoteSigner
    private var path: String { folder.file("w1.json") }

    init() throws {
        folder = try TestFolder.made()
        log = try EdwardsNoteSigner(name: "log.example/ward", algorithm: .ed25519)
    }

    private func signed(_ entry: [UInt8]) throws -> SignedCheckpoint {
        let checkpoint = try Checkpoint(origin: "log.example/ward", size: 1, root: MerkleHash.leaf(entry))
        return try SignedCheckpoint(checkpoint, signedBy: [log])
    }

    @Test("a witness is made, is told of a log, and shows what it saw and who contradicted themselves")
    func commands() async throws {
        let made = await CommandOutcome.of(["witness", "init", path, "--name", "witness.example/w1"])
        let added = await CommandOutcome.of(["witness", "add-log", path, log.verifierKey.description])
        let fresh = await CommandOutcome.of(["witness", "show", path])
        let file = try WitnessFile(at: path)
        let keeper = try WitnessKeeper(file, clock: ManualClock())
        for entry in [UInt8(1), 2] {
            let known: UInt64 = entry == 1 ? 0 : 1
            _ = await keeper.answer(try WitnessRequest(oldSize: known, proof: [], signed: signed([entry])).bytes)
        }
        let shown = await CommandOutcome.of(["witness", "show", path])

        #expect(made.code == 0, "\(made.fullMessage)")
        #expect(made.output.hasPrefix("witness.example/w1+"))
        #expect(added.output == "log.example/ward is known.\n")
        #expect(
            fresh.output == "\(made.output)\nlog.example/ward\n  key  \(log.verifierKey)\n  nothing was cosigned yet\n"
        )
        #expect(shown.output.contains("  size 1, root \(MerkleHash.leaf([1])), cosigned at 2023-11-14T22:13:20"))
        #expect(shown.output.contains("  it showed two histories:\n"))
        for entry in [UInt8(1), 2] {
            #expect(shown.output.contains(String(decoding: try signed([entry]).note.bytes, as: UTF8.self)))
        }
    }

    @Test("what does not work is a sentence: no file, one in use, a wrong key, a wrong name")
    func refusals() async throws {
        let missing = await CommandOutcome.of(["witness", "show", path])
        let name = await CommandOutcome.of(["witness", "init", path, "--name", "a b"])
        _ = await CommandOutcome.of(["witness", "init", path, "--name", "witness.example/w1"])
        let again = await CommandOutcome.of(["witness", "init", path, "--name", "witness.example/w1"])
        let key = await CommandOutcome.of(["witness", "add-log", path, "log.example"])
        let file = try WitnessFile(at: path)
        let used = await CommandOutcome.of(["witness", "add-log", path, log.verifierKey.description])
        let served = await CommandOutcome.of(["witness", "serve", path])
        withExtendedLifetime(file) {}

        for outcome in [missing, name, again, key, used, served] {
            #expect(outcome.code == 1)
            #expect(outcome.message.hasSuffix("."), "\(outcome.message)")
        }
        #expect(missing.message.contains("daybook witness init"))
        #expect(used.message.contains("Another process uses"))
        for address in ["127.0.0.1", "127.0.0.1:x", ":80", "127.0.0.1:70000"] {
            let outcome = await CommandOutcome.of(["witness", "serve", path, "--address", address])
            #expect(outcome.code == 64, "\(address)")
        }
        #expect(await CommandOutcome.of(["witness", "serve", path, "--prefix", "w1"]).code == 64)
    }
}

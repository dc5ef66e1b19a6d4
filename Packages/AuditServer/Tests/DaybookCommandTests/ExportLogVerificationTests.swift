import AuditModel
import AuditServerTesting
import EventModel
import EventProofs
import Foundation
import Testing

@testable import DaybookCommand

@Suite("daybook verify with an export, its log and witnesses")
struct ExportLogVerificationTests {
    private let export: SampleExport
    private let witnesses: [EdwardsNoteSigner]
    private let keys: [String]

    init() async throws {
        witnesses = try (1...3).map { try SampleExport.witness($0) }
        export = try await SampleExport(SampleExport.store(), witnesses: Array(witnesses.prefix(2)))
        keys = witnesses.flatMap { ["--witness", "\($0.verifierKey)"] }
    }

    private func verify(_ arguments: [String]) async -> CommandOutcome {
        await CommandOutcome.of(["verify", export.path] + arguments)
    }

    @Test("it says in which log the partitions are, who saw it when, and what to compare without keys")
    func shown() async throws {
        let whole = await verify(
            ["--key", Hexadecimal.text(export.publicKey), "--log-key", "\(export.log.verifierKey)"] + keys
        )
        #expect(whole.code == 0, "\(whole.output)\(whole.fullMessage)")
        #expect(
            whole.output == """
                1 partition is in the log log.example/ward, of 1 entries
                  seen by witness.example/w1 at 2027-01-15T08:00:01.000000Z, by its own clock
                  seen by witness.example/w2 at 2027-01-15T08:00:01.000000Z, by its own clock
                18 events, 2 partitions verified

                """
        )

        let alone = await verify([])
        #expect(alone.code == 0)
        for line in [
            "  no witness was named: whoever has the key of the log could have made this for you alone\n",
            "  not checked, as their keys were not given: what witness.example/w1, witness.example/w2 signed\n",
            "  signed with the log's key \(export.log.verifierKey): compare it with the server's, or give --log-key\n",
        ] { #expect(alone.output.contains(line), "\(alone.output)") }

        struct Line: Decodable {
            struct Cosigned: Decodable { let witness: String }
            struct Log: Decodable {
                let key: String
                let size: UInt64
                let partitions: UInt64
                let cosignatures: [Cosigned]
            }
            let verified: Bool
            let log: Log
        }
        let json = await verify(["--json", "--log-key", "\(export.log.verifierKey)", "--quorum", "2"] + keys)
        let line = try JSONDecoder().decode(Line.self, from: Data(json.output.utf8))
        #expect(line.verified && line.log.key == "\(export.log.verifierKey)")
        #expect(line.log.size == 1 && line.log.partitions == 1)
        #expect(line.log.cosignatures.map(\.witness) == ["witness.example/w1", "witness.example/w2"])
    }

    @Test("another key of the log and a quorum that is missed end with 1, and name what is wrong")
    func refused() async throws {
        let other = try EdwardsNoteSigner(name: "log.example/ward", algorithm: .ed25519).verifierKey
        let foreign = await verify(["--log-key", "\(other)"])
        #expect(foreign.code == 1)
        #expect(foreign.output.contains("and the one that was given is \(other).\n"))
        let few = await verify(["--log-key", "\(export.log.verifierKey)", "--quorum", "3"] + keys)
        #expect(few.code == 1)
        #expect(
            few.output.contains(
                "checkpoint: The checkpoint is cosigned by 2 of the known witnesses, and 3 are needed.\n"
            )
        )
    }

    @Test("a kept head, and witnesses of no log, are refused with a sentence")
    func misuse() async throws {
        let head = await verify(["--tree-head", "ward.head"])
        #expect(head.code == 64 && head.fullMessage.contains("give --log-key and --witness"), "\(head.fullMessage)")
        let witness = await verify(keys)
        #expect(witness.code == 64)
        let key = await verify(["--log-key", "nonsense"])
        #expect(key.code == 64)
    }
}

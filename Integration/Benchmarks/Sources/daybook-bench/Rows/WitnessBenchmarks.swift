import AuditModel
import BenchmarkHarness
import EventModel
import EventProofs
import LogPublishing
import LogWitness
import Synchronization

/// Cosignatures of witnesses: what the log and a witness beside it do for each checkpoint.
func witnessBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = WitnessWork()
    return workload.counts.map { count in
        // The floor is what nobody can leave out: two notes that are signed, and verified by others.
        Benchmark(
            "witness: a checkpoint signed and cosigned, in a log of \(count)",
            unit: "us each",
            target: .timesFloor(4),
            step: GrowthStep("witness: a checkpoint signed and cosigned", size: count),
            floor: { try work.signing() },
            ours: { try await work.cosigning(count) }
        )
    }
}

private struct WitnessWork: Sendable {
    private static let rounds: UInt64 = 200

    /// A witness that is asked without a network or a file.
    private final class NearWitness: OutsideTransport {
        private let signer: EdwardsNoteSigner
        private let witness: Mutex<Witness>

        init(_ signer: EdwardsNoteSigner, of log: NoteVerifierKey) throws {
            var witness = Witness()
            try witness.add(log)
            self.signer = signer
            self.witness = Mutex(witness)
        }

        func post(_ body: [UInt8], as contentType: String, to url: String, limit: Int) async throws -> OutsideResponse {
            let decision = witness.withLock { $0.decide(body, at: EventInstant(microseconds: 1_700_000_000_000_000)) }
            switch decision {
            case .refuse(.otherSize(let known)):
                let size = WitnessAnswer.bytes(ofSize: known)
                return OutsideResponse(status: 409, contentType: WitnessAnswer.sizeType, body: size)
            case .refuse(let refusal):
                return OutsideResponse(status: refusal.status)
            case .cosign(let checkpoint, let time):
                let line = try checkpoint.cosigned(by: signer, at: time)
                return OutsideResponse(status: 200, body: WitnessAnswer([line]).bytes)
            }
        }
    }

    private static func signer(_ name: ExactText, _ algorithm: NoteAlgorithm) throws -> EdwardsNoteSigner {
        try EdwardsNoteSigner(name: name, algorithm: algorithm)
    }

    func signing() throws -> Double {
        let (log, witness) = (try Self.signer("log", .ed25519), try Self.signer("witness", .ed25519))
        let text: ExactText = "log.example/bench\n100000\n0000000000000000000000000000000000000000000=\n"
        let time = try nanoseconds {
            for _ in 0..<Self.rounds {
                let note = try SignedNote(text: text, signedBy: [log])
                blackHole(try note.signatures(by: [log.verifierKey]))
                blackHole(try SignedNote(text: text, signedBy: [witness]).signatures(by: [witness.verifierKey]))
            }
        }
        return time / Double(Self.rounds) / 1000
    }

    func cosigning(_ count: Int) async throws -> Double {
        let (log, witness) = (try Self.signer("log", .ed25519), try Self.signer("witness", .cosignature))
        let tree = TreeLog(count: count)
        let address = try WitnessAddress(url: "http://witness.example", key: witness.verifierKey)
        let cosigned = try CosignedLog(WitnessSettings([address]), of: log.verifierKey)
        let near = try NearWitness(witness, of: log.verifierKey)
        var asker = WitnessAsker(address, log: tree, transport: near)
        let reading = ClockReading(
            wall: EventInstant(microseconds: 0),
            monotonicNanoseconds: 0,
            boot: Boot(high: 0, low: 0)
        )
        let time = try await asyncNanoseconds {
            for round in (0..<Self.rounds).reversed() {
                let size = UInt64(count) - round
                let root = tree.tree.root(at: size)
                let checkpoint = try Checkpoint(origin: log.verifierKey.name, size: size, root: root)
                let signed = try SignedCheckpoint(checkpoint, signedBy: [log])
                cosigned.advance(to: signed, at: reading)
                guard await asker.ask(for: signed, of: cosigned, at: reading) == nil else {
                    throw BenchError.wrongAnswer
                }
            }
        }
        guard cosigned.cosigned?.checkpoint.size == UInt64(count) else { throw BenchError.wrongAnswer }
        return time / Double(Self.rounds) / 1000
    }
}

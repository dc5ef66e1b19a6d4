import EventModel
import EventModelTesting
import EventProofs
import Testing

@testable import LogPublishing

@Suite("Which checkpoint readers are shown")
struct ShownCheckpointTests {
    private static let second: UInt64 = 1_000_000_000
    private let log: EdwardsNoteSigner
    private let witnesses: [EdwardsNoteSigner]
    private let policy: WitnessPolicy

    init() throws {
        log = try EdwardsNoteSigner(name: "log.example", algorithm: .ed25519)
        witnesses = try (1...3)
            .map {
                try EdwardsNoteSigner(name: ExactText("w\($0)"), algorithm: .cosignature)
            }
        policy = try WitnessPolicy(logKeys: [log.verifierKey], witnesses: witnesses.map(\.verifierKey), quorum: 2)
    }

    private func signed(_ size: UInt64) throws -> SignedCheckpoint {
        let checkpoint = try Checkpoint(origin: "log.example", size: size, root: MerkleHash.leaf([UInt8(size % 251)]))
        return try SignedCheckpoint(checkpoint, signedBy: [log])
    }

    private func line(_ witness: Int, _ signed: SignedCheckpoint) throws -> NoteSignature {
        try signed.checkpoint.cosigned(by: witnesses[witness], at: EventInstant(microseconds: 1))
    }

    @Test("a busy log shows what has a quorum, and what has none after the set time")
    func patience() throws {
        var (gathered, shown) = (Cosignatures(by: policy), ShownCheckpoint())
        func decide(_ size: UInt64, at seconds: UInt64) throws {
            shown.decide(
                newest: gathered.of(try signed(size)),
                cosigned: gathered.cosigned,
                at: seconds * Self.second,
                patience: 5 * Self.second
            )
        }
        try decide(1, at: 0)
        #expect(shown.signed?.checkpoint.size == 1 && !shown.isCosigned, "nothing has a quorum yet")
        for witness in 0..<2 { try gathered.add(line(witness, signed(1)), to: signed(1)) }
        try decide(1, at: 0)
        #expect(shown.isCosigned)
        for second in 1...5 as ClosedRange<UInt64> {
            try decide(second + 1, at: second)
            #expect(shown.signed?.checkpoint.size == 1 && shown.isCosigned)
        }
        try decide(7, at: 6)
        #expect(shown.signed?.checkpoint.size == 7 && !shown.isCosigned)
        // A quorum that comes late, for less than readers have seen.
        for witness in 0..<2 { try gathered.add(line(witness, signed(5)), to: signed(5)) }
        try decide(8, at: 7)
        #expect(shown.signed?.checkpoint.size == 8 && !shown.isCosigned)
        for witness in 1..<3 { try gathered.add(line(witness, signed(8)), to: signed(8)) }
        try decide(9, at: 8)
        #expect(shown.signed?.checkpoint.size == 8 && shown.isCosigned)
    }

    @Test("whatever witnesses do, what is shown grows only, is at most the set time old, and is as cosigned as it says")
    func random() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var (gathered, shown) = (Cosignatures(by: policy), ShownCheckpoint())
            var published: [(size: UInt64, at: UInt64)] = []
            var (size, last) = (UInt64(0), UInt64(0))
            for second in 0..<120 as Range<UInt64> {
                if Int.random(in: 0..<3, using: &random) > 0 {
                    size += UInt64.random(in: 1...3, using: &random)
                    published.append((size, second))
                }
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    // Also late ones, of checkpoints that are long past.
                    guard let asked = published.suffix(20).randomElement(using: &random)?.size else { continue }
                    try gathered.add(line(Int.random(in: 0..<3, using: &random), signed(asked)), to: signed(asked))
                }
                guard size > 0 else { continue }
                shown.decide(
                    newest: gathered.of(try signed(size)),
                    cosigned: gathered.cosigned,
                    at: second * Self.second,
                    patience: 5 * Self.second
                )
                let visible = try #require(shown.signed)
                #expect(visible.checkpoint.size >= last, "seed \(seed)")
                last = visible.checkpoint.size
                let isEnough = (try? policy.verify(visible)) != nil
                #expect(!shown.isCosigned || isEnough, "seed \(seed)")
                #expect(shown.isCosigned || visible.checkpoint.size == size, "seed \(seed)")
            }
        }
    }

    @Test("cosignatures are gathered for 16 checkpoints, and a damaged line changes nothing")
    func bounds() throws {
        var gathered = Cosignatures(by: policy)
        for size in 1...40 as ClosedRange<UInt64> { try gathered.add(line(0, signed(size)), to: signed(size)) }
        #expect(try gathered.of(signed(24)).note.signatures.count == 1)
        #expect(try gathered.of(signed(25)).note.signatures.count == 2)
        let wrong = try line(1, signed(39))
        #expect(throws: ProofError.invalidNoteSignature(name: "w2")) { try gathered.add(wrong, to: signed(40)) }
        #expect(try gathered.of(signed(40)).note.signatures.count == 2 && gathered.cosigned == nil)
    }
}

import EventModel
import EventProofs
import Testing

@Suite("Policies for witnesses")
struct WitnessPolicyTests {
    @Test("a checkpoint is believed when its log signed and enough witnesses cosigned, each with its time")
    func quorum() throws {
        let sample = try NoteSample()
        let policy = try sample.policy(quorum: 2)

        let cosigned = try policy.verify(sample.signed(by: 1..<3))

        #expect(cosigned.checkpoint.size == 20_852_163)
        #expect(cosigned.cosignatures.map(\.key.name) == ["witness.example/w2", "witness.example/w3"])
        #expect(cosigned.cosignatures.allSatisfy { $0.cosignedSeconds == 1_679_315_147 })
        #expect(throws: ProofError.quorumMissed(found: 1, needed: 2)) { try policy.verify(sample.signed(by: 0..<1)) }
    }

    @Test("several cosignatures of one witness count once, and the last time is told")
    func sameWitness() throws {
        let sample = try NoteSample()
        let later = EventInstant(microseconds: NoteSample.time.microseconds + 60_000_000)
        let again = try sample.checkpoint().cosigned(by: sample.witnesses[0], at: later)
        let signed = try SignedCheckpoint(sample.checkpoint(), signedBy: [sample.log])
            .adding([again] + sample.signed(by: 0..<1).note.signatures)

        #expect(throws: ProofError.quorumMissed(found: 1, needed: 2)) { try sample.policy(quorum: 2).verify(signed) }
        let cosigned = try sample.policy(quorum: 1).verify(signed)
        #expect(cosigned.cosignatures.map(\.cosignedSeconds) == [1_679_315_207])
    }

    @Test("witnesses alone are not enough, and neither is another log's key under the same origin")
    func unsigned() throws {
        let sample = try NoteSample()
        let signed = try sample.signed(by: 0..<3)
        let alone = try SignedCheckpoint(
            SignedNote(text: signed.note.text, signatures: Array(signed.note.signatures.dropFirst()))
        )
        let other = try NoteSample.signer(NoteSample.origin, .ed25519, 9)
        let forged = try SignedCheckpoint(sample.checkpoint(), signedBy: [other])

        for signed in [alone, forged] {
            #expect(throws: ProofError.unsignedCheckpoint(origin: NoteSample.origin.string)) {
                try sample.policy(quorum: 0).verify(signed)
            }
        }
    }

    @Test("a checkpoint of another origin is refused, also when the log's key signed it")
    func foreign() throws {
        let sample = try NoteSample()
        let foreign = try Checkpoint(origin: "example.com/other", size: 0, root: MerkleHash.empty)

        #expect(throws: ProofError.foreignOrigin(expected: NoteSample.origin.string)) {
            try sample.policy(quorum: 0).verify(SignedCheckpoint(foreign, signedBy: [sample.log]))
        }
    }

    @Test("a line in the name of a known witness that it did not make rejects the whole note")
    func forgedWitness() throws {
        let sample = try NoteSample()
        let other = try Checkpoint(origin: NoteSample.origin, size: 1, root: MerkleHash.empty)
        let stray = try other.cosigned(by: sample.witnesses[2], at: NoteSample.time)

        #expect(throws: ProofError.invalidNoteSignature(name: "witness.example/w3")) {
            try sample.policy(quorum: 2).verify(sample.signed(by: 0..<2).adding([stray]))
        }
    }

    @Test("a policy that nobody could fulfil, or that counts one key twice, is refused")
    func unusable() throws {
        let sample = try NoteSample()
        let (log, witness) = (sample.log.verifierKey, sample.witnesses[0].verifierKey)
        let renamed = try NoteVerifierKey(
            name: "witness.example/w9",
            algorithm: .cosignature,
            publicKey: witness.publicKey
        )

        #expect(throws: ProofError.self) { try WitnessPolicy(logKeys: []) }
        #expect(throws: ProofError.self) { try WitnessPolicy(logKeys: [log], witnesses: [witness], quorum: 2) }
        #expect(throws: ProofError.self) { try WitnessPolicy(logKeys: [log], witnesses: [witness], quorum: -1) }
        #expect(throws: ProofError.self) { try WitnessPolicy(logKeys: [log], witnesses: [log], quorum: 0) }
        #expect(throws: ProofError.self) {
            try WitnessPolicy(logKeys: [log], witnesses: [witness, renamed], quorum: 2)
        }
    }
}

import EventModel
import EventProofs

/// A log and its witnesses, with keys that are the same in every run.
struct NoteSample {
    static let origin: ExactText = "example.com/behind-the-sofa"
    /// The text of the checkpoint that tlog-checkpoint shows.
    static let text: ExactText = """
        example.com/behind-the-sofa
        20852163
        CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

        """
    static let time = EventInstant(microseconds: 1_679_315_147_999_999)

    let log: EdwardsNoteSigner
    let witnesses: [EdwardsNoteSigner]

    init() throws {
        log = try Self.signer(Self.origin, .ed25519, 1)
        witnesses = try (1...3).map { try Self.signer(ExactText("witness.example/w\($0)"), .cosignature, 1 + $0) }
    }

    static func signer(_ name: ExactText, _ algorithm: NoteAlgorithm, _ seed: Int) throws -> EdwardsNoteSigner {
        try EdwardsNoteSigner(
            name: name,
            algorithm: algorithm,
            rawRepresentation: [UInt8](repeating: UInt8(seed), count: 32)
        )
    }

    func checkpoint() throws -> Checkpoint { try Checkpoint(parsing: Self.text) }

    func signed(by witnesses: Range<Int> = 0..<0) throws -> SignedCheckpoint {
        let checkpoint = try checkpoint()
        let cosignatures = try self.witnesses[witnesses].map { try checkpoint.cosigned(by: $0, at: Self.time) }
        return try SignedCheckpoint(checkpoint, signedBy: [log]).adding(cosignatures)
    }

    func policy(quorum: Int = 2) throws -> WitnessPolicy {
        try WitnessPolicy(logKeys: [log.verifierKey], witnesses: witnesses.map(\.verifierKey), quorum: quorum)
    }
}

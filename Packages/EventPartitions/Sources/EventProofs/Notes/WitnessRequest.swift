public import EventModel

/// What a log sends to a witness: the body of `add-checkpoint` of tlog-witness.
///
/// ```
/// old 20852014
/// PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
///
/// example.com/behind-the-sofa
/// 20852163
/// …
/// ```
public struct WitnessRequest: Sendable, Hashable {
    /// How many lines of a proof there may be.
    public static let maximumHashes = 63
    /// How many bytes a request may have: a note, and the lines in front of it.
    public static let maximumBytes = SignedNote.maximumBytes + 4096

    /// The size of the checkpoint that the witness cosigned last, as the log knows it; 0 when it knows of none.
    public let oldSize: UInt64
    /// The consistency proof from the old size to the checkpoint's; empty when the old size is 0.
    public let proof: [Digest]
    /// The checkpoint, signed by its log.
    public let signed: SignedCheckpoint

    /// Puts a request together.
    ///
    /// - Parameters:
    ///   - oldSize: The size of the checkpoint that the witness cosigned last.
    ///   - proof: The proof from there; at most ``maximumHashes``.
    ///   - signed: The checkpoint.
    /// - Throws: ``ProofError/malformedWitnessRequest(reason:)`` when the proof is too long or the old size beyond 2^63 - 1.
    public init(oldSize: UInt64, proof: [Digest], signed: SignedCheckpoint) throws(ProofError) {
        guard oldSize <= DecimalText.maximum else {
            throw .malformedWitnessRequest(reason: "its old size is beyond 2^63 - 1")
        }
        guard proof.count <= Self.maximumHashes else { throw Self.tooLong }
        self.oldSize = oldSize
        self.proof = proof
        self.signed = signed
    }

    /// Reads a request; whether its sizes and proof fit each other is for the witness to find out.
    ///
    /// - Parameter bytes: The body, at most ``maximumBytes``.
    /// - Throws: ``ProofError/malformedWitnessRequest(reason:)``, ``ProofError/malformedNote(reason:)`` and
    ///   ``ProofError/malformedCheckpoint(reason:)``.
    public init(_ bytes: [UInt8]) throws(ProofError) {
        guard bytes.count <= Self.maximumBytes else {
            throw .malformedWitnessRequest(reason: "it has more than \(Self.maximumBytes) bytes")
        }
        var rest = bytes[...]
        guard
            let oldSize = NoteText.nextLine(&rest).flatMap({ NoteText.value(of: "old ", in: $0) })
                .flatMap({ DecimalText.number($0) })
        else {
            throw .malformedWitnessRequest(reason: "its first line is not `old` and a size in decimal")
        }
        var proof: [Digest] = []
        while true {
            guard let line = NoteText.nextLine(&rest) else {
                throw .malformedWitnessRequest(reason: "it has no blank line in front of a checkpoint")
            }
            if line.isEmpty { break }
            guard proof.count < Self.maximumHashes else { throw Self.tooLong }
            guard let hash = Base64Text.bytes(line).flatMap({ Digest($0) }) else {
                throw .malformedWitnessRequest(reason: "line \(proof.count + 1) of its proof is not base64 of 32 bytes")
            }
            proof.append(hash)
        }
        try self.init(oldSize: oldSize, proof: proof, signed: SignedCheckpoint(Array(rest)))
    }

    /// The body of the request.
    public var bytes: [UInt8] {
        let lines = ["old \(oldSize)"] + proof.map { Base64Text.text($0.bytes) } + [""]
        return Array(lines.map { "\($0)\n" }.joined().utf8) + signed.note.bytes
    }

    private static var tooLong: ProofError {
        .malformedWitnessRequest(reason: "its proof has more than \(maximumHashes) lines")
    }
}

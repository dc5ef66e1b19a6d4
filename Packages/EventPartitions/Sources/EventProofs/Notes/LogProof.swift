public import EventModel

/// Proof that an entry is in a log whose checkpoint witnesses saw, to be checked without any network: tlog-proof of C2SP.
///
/// ```
/// c2sp.org/tlog-proof@v1
/// index 73894
/// gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
///
/// example.com/fancylog
/// 109482
/// …
/// ```
/// Its file has the extension `.tlog-proof`.
public struct LogProof: Sendable, Hashable {
    /// How many bytes the extra data may have.
    public static let maximumExtraBytes = 65_536
    /// How many bytes a proof may have.
    public static let maximumBytes = SignedNote.maximumBytes + maximumExtraBytes * 4 / 3 + 8192

    private static let title = "c2sp.org/tlog-proof@v1"

    /// What the application adds; nil for nothing.
    ///
    /// - Warning: Nobody signed it, so nothing of it may be believed by itself.
    public let extra: [UInt8]?
    /// Which entry of the log it is, from 0.
    public let index: UInt64
    /// The hashes beside the way from the entry to the root, the one beside the entry first.
    public let path: [Digest]
    /// The checkpoint, with the cosignatures of witnesses.
    public let signed: SignedCheckpoint

    /// Puts a proof together; nothing of it is verified.
    ///
    /// - Parameters:
    ///   - proof: That the entry is in the checkpoint's tree.
    ///   - signed: The checkpoint.
    ///   - extra: What the application adds; nil, the default, for nothing.
    /// - Throws: ``ProofError/malformedLogProof(reason:)`` when the proof is of another size than the checkpoint, is too long, or there is
    ///   too much extra data.
    public init(_ proof: InclusionProof, in signed: SignedCheckpoint, extra: [UInt8]? = nil) throws(ProofError) {
        guard proof.count == signed.checkpoint.size else {
            throw .malformedLogProof(reason: "its hashes are for another size than the checkpoint's")
        }
        try self.init(index: proof.index, path: proof.path, signed: signed, extra: extra)
    }

    private init(
        index: UInt64,
        path: [Digest],
        signed: SignedCheckpoint,
        extra: [UInt8]?
    ) throws(ProofError) {
        guard index <= DecimalText.maximum else { throw .malformedLogProof(reason: "its index is beyond 2^63 - 1") }
        guard path.count <= WitnessRequest.maximumHashes else { throw Self.tooManyHashes }
        guard extra?.count ?? 0 <= Self.maximumExtraBytes else {
            throw .malformedLogProof(reason: "it has more than \(Self.maximumExtraBytes) bytes of extra data")
        }
        self.extra = extra
        self.index = index
        self.path = path
        self.signed = signed
    }

    /// Reads a proof; its form is checked, and nothing else.
    ///
    /// - Parameter bytes: The whole file, at most ``maximumBytes``.
    /// - Throws: ``ProofError/malformedLogProof(reason:)``, ``ProofError/malformedNote(reason:)`` and
    ///   ``ProofError/malformedCheckpoint(reason:)``.
    public init(_ bytes: [UInt8]) throws(ProofError) {
        guard bytes.count <= Self.maximumBytes else {
            throw .malformedLogProof(reason: "it has more than \(Self.maximumBytes) bytes")
        }
        var rest = bytes[...]
        guard let title = NoteText.nextLine(&rest), title.elementsEqual(Self.title.utf8) else {
            throw .malformedLogProof(reason: "its first line is not \(Self.title)")
        }
        var line = NoteText.nextLine(&rest)
        var extra: [UInt8]?
        if let text = line.flatMap({ NoteText.value(of: "extra ", in: $0) }) {
            guard let bytes = Base64Text.bytes(text) else {
                throw .malformedLogProof(reason: "its extra data is not base64")
            }
            extra = bytes
            line = NoteText.nextLine(&rest)
        }
        guard let text = line.flatMap({ NoteText.value(of: "index ", in: $0) }), let index = DecimalText.number(text)
        else {
            throw .malformedLogProof(reason: "it has no line with `index` and a number in decimal")
        }
        var path: [Digest] = []
        while true {
            guard let line = NoteText.nextLine(&rest) else {
                throw .malformedLogProof(reason: "it has no blank line in front of a checkpoint")
            }
            if line.isEmpty { break }
            guard path.count < WitnessRequest.maximumHashes else { throw Self.tooManyHashes }
            guard let hash = Base64Text.bytes(line).flatMap({ Digest($0) }) else {
                throw .malformedLogProof(reason: "its hash \(path.count + 1) is not base64 of 32 bytes")
            }
            path.append(hash)
        }
        try self.init(index: index, path: path, signed: SignedCheckpoint(Array(rest)), extra: extra)
    }

    /// The file.
    public var bytes: [UInt8] {
        var lines = [Self.title]
        if let extra { lines.append("extra \(Base64Text.text(extra))") }
        lines.append("index \(index)")
        lines += path.map { Base64Text.text($0.bytes) } + [""]
        return Array(lines.map { "\($0)\n" }.joined().utf8) + signed.note.bytes
    }

    /// Checks that an entry is in a log that a policy believes.
    ///
    /// - Parameters:
    ///   - entry: The bytes of the entry.
    ///   - policy: Whom to believe.
    /// - Returns: The checkpoint, and who cosigned it when: the entry was there by the earliest of these times.
    /// - Throws: As ``WitnessPolicy/verify(_:)``, and ``ProofError/notInLog(index:)`` when the entry is not the one at ``index``.
    public func verify(_ entry: [UInt8], by policy: WitnessPolicy) throws(ProofError) -> CosignedCheckpoint {
        let cosigned = try policy.verify(signed)
        let proof = InclusionProof(index: index, count: cosigned.checkpoint.size, path: path)
        guard proof.verify(leaf: MerkleHash.leaf(entry), root: cosigned.checkpoint.root) else {
            throw .notInLog(index: index)
        }
        return cosigned
    }

    private static var tooManyHashes: ProofError {
        .malformedLogProof(reason: "it has more than \(WitnessRequest.maximumHashes) hashes")
    }
}

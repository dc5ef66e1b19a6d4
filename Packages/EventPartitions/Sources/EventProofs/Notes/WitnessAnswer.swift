import EventModel

/// What a witness answers when it cosigned: the signature lines that are added to the checkpoint.
public struct WitnessAnswer: Sendable, Hashable {
    /// How many bytes an answer may have.
    public static let maximumBytes = SignedNote.maximumBytes

    /// The lines, in their order; at least one.
    public let signatures: [NoteSignature]

    /// Puts an answer together.
    public init(_ signatures: [NoteSignature]) {
        self.signatures = signatures
    }

    /// Reads an answer; the lines are verified with the checkpoint that they are added to.
    ///
    /// - Parameter bytes: The body, at most ``maximumBytes``.
    /// - Throws: ``ProofError/malformedNote(reason:)`` when there is another line than signatures, none, or too many.
    public init(parsing bytes: [UInt8]) throws(ProofError) {
        guard bytes.count <= Self.maximumBytes - 2 else {
            throw .malformedNote(reason: "it has more than \(Self.maximumBytes) bytes")
        }
        // The lines have the form that they have behind the shortest text.
        let note = try SignedNote([NoteText.newline, NoteText.newline] + bytes)
        guard note.text == "\n" else { throw .malformedNote(reason: "it has a blank line between its signatures") }
        signatures = note.signatures
    }

    /// The body of the answer.
    public var bytes: [UInt8] { Array(signatures.map { "\($0)\n" }.joined().utf8) }
}

// MARK: - The size that a witness knows

extension WitnessAnswer {
    /// The content type of the answer to an old size that is not the one that the witness knows: status 409.
    public static let sizeType = "text/x.tlog.size"

    /// Reads such an answer.
    ///
    /// - Parameter bytes: The body.
    /// - Returns: The size of the checkpoint that the witness cosigned last; nil when the body is anything else.
    public static func size(parsing bytes: [UInt8]) -> UInt64? {
        bytes.last == NoteText.newline ? DecimalText.number(bytes.dropLast()) : nil
    }

    /// Returns the body of such an answer.
    public static func bytes(ofSize size: UInt64) -> [UInt8] { Array("\(size)\n".utf8) }
}

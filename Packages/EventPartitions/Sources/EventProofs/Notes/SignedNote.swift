public import EventModel

/// A text with the signatures of keys: signed-note of C2SP.
///
/// ```
/// The text, of any number of lines.
///
/// — example.com/key base64 of the key's id and its signature
/// ```
///
/// Reading one checks its form alone. Nothing of the text may be believed before ``signatures(by:)`` has named a key that is trusted.
public struct SignedNote: Sendable, Hashable {
    /// How many bytes a note may have: 256 KiB, in which 16 signatures of the largest kind that is known have room twice.
    public static let maximumBytes = 262_144
    /// How many signatures a note may have; the specification wants at least 16.
    public static let maximumSignatures = 64

    /// The text, with the newline at its end and without the blank line behind it.
    public let text: ExactText
    /// The signature lines, in their order; at least one.
    public let signatures: [NoteSignature]

    /// Puts a note together; nothing is signed or verified.
    ///
    /// - Parameters:
    ///   - text: The text; it ends with a newline.
    ///   - signatures: The signatures, each one once.
    /// - Throws: ``ProofError/malformedNote(reason:)`` when nobody could read the note.
    public init(text: ExactText, signatures: [NoteSignature]) throws(ProofError) {
        guard text.string.utf8.last == NoteText.newline else {
            throw .malformedNote(reason: "its text does not end with a newline")
        }
        guard NoteText.isPlain(text.string.utf8) else {
            throw .malformedNote(reason: "it has a control character other than a newline")
        }
        self.text = text
        self.signatures = signatures
        try checkSignatures()
        guard bytes.count <= Self.maximumBytes else { throw Self.tooLong }
    }

    /// Reads a note.
    ///
    /// - Parameter bytes: The whole note, at most ``maximumBytes``.
    /// - Throws: ``ProofError/malformedNote(reason:)`` when it has another form: it is no UTF-8, has other control characters than
    ///   newlines, no blank line, a line behind the last one that is not a signature, the same one twice, or too many.
    public init(_ bytes: [UInt8]) throws(ProofError) {
        guard bytes.count <= Self.maximumBytes else { throw Self.tooLong }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .malformedNote(reason: "it is not UTF-8") }
        guard NoteText.isPlain(bytes) else {
            throw .malformedNote(reason: "it has a control character other than a newline")
        }
        guard bytes.last == NoteText.newline else {
            throw .malformedNote(reason: "it does not end with a newline")
        }
        guard
            let end = bytes.indices.dropLast()
                .last(where: { bytes[$0] == NoteText.newline && bytes[$0 + 1] == NoteText.newline })
        else { throw .malformedNote(reason: "it has no blank line in front of signatures") }
        var signatures: [NoteSignature] = []
        var rest = bytes[(end + 2)...]
        while let newline = rest.firstIndex(of: NoteText.newline) {
            guard signatures.count < Self.maximumSignatures else { throw Self.tooMany }
            signatures.append(try NoteSignature(line: rest[..<newline], number: signatures.count + 1))
            rest = rest[(newline + 1)...]
        }
        text = ExactText(String(decoding: bytes[...end], as: UTF8.self))
        self.signatures = signatures
        try checkSignatures()
    }

    /// The note as it is sent and stored.
    public var bytes: [UInt8] {
        var bytes = Array(text.string.utf8)
        bytes.append(NoteText.newline)
        for signature in signatures {
            bytes.append(contentsOf: signature.description.utf8)
            bytes.append(NoteText.newline)
        }
        return bytes
    }

    private static var tooLong: ProofError { .malformedNote(reason: "it has more than \(maximumBytes) bytes") }
    private static var tooMany: ProofError {
        .malformedNote(reason: "it has more than \(maximumSignatures) signatures")
    }

    private func checkSignatures() throws(ProofError) {
        guard !signatures.isEmpty else { throw .malformedNote(reason: "it has no signature") }
        guard signatures.count <= Self.maximumSignatures else { throw Self.tooMany }
        guard Set(signatures).count == signatures.count else {
            throw .malformedNote(reason: "it has the same signature line twice")
        }
    }
}

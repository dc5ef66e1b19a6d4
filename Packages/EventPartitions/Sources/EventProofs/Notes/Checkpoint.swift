public import EventModel

/// What a log says of all its entries at a size: tlog-checkpoint of C2SP, the text of a signed note.
///
/// ```swift
/// let checkpoint = try Checkpoint(origin: "example.com/log", size: frontier.count, root: frontier.root)
/// let note = try SignedNote(text: checkpoint.text, signedBy: [signer])
/// ```
public struct Checkpoint: Sendable, Hashable {
    /// Which log it is: its identity, by recommendation a URL without its scheme.
    public let origin: ExactText
    /// The number of entries; at most 2^63 - 1.
    public let size: UInt64
    /// The root of the tree over them.
    public let root: Digest
    /// Lines that the log adds; the specification advises against them.
    public let extensions: [ExactText]

    /// Creates a checkpoint.
    ///
    /// - Parameters:
    ///   - origin: Which log it is: not empty and without control characters.
    ///   - size: The number of entries.
    ///   - root: The root of the tree over them.
    ///   - extensions: Lines that are not empty; none by default.
    /// - Throws: ``ProofError/malformedCheckpoint(reason:)`` when a line is empty or has a control character, or the size is too large.
    public init(origin: ExactText, size: UInt64, root: Digest, extensions: [ExactText] = []) throws(ProofError) {
        guard NoteText.isLine(origin) else {
            throw .malformedCheckpoint(reason: "its origin is empty or has a control character")
        }
        guard size <= DecimalText.maximum else {
            throw .malformedCheckpoint(reason: "its size is beyond 2^63 - 1")
        }
        guard extensions.allSatisfy(NoteText.isLine) else {
            throw .malformedCheckpoint(reason: "an extension line is empty or has a control character")
        }
        self.origin = origin
        self.size = size
        self.root = root
        self.extensions = extensions
    }

    /// Reads the text of a note.
    ///
    /// - Parameter text: The text, with the newline at its end.
    /// - Throws: ``ProofError/malformedCheckpoint(reason:)`` when it is not an origin, a size in decimal without leading zeros, a root
    ///   in base64, and lines that are not empty.
    public init(parsing text: ExactText) throws(ProofError) {
        guard let lines = NoteText.lines(Array(text.string.utf8)), lines.count >= 3 else {
            throw .malformedCheckpoint(reason: "it has not three lines that end with newlines")
        }
        guard let size = DecimalText.number(lines[1]) else {
            throw .malformedCheckpoint(reason: "its size is not a decimal number below 2^63 without leading zeros")
        }
        guard let root = Base64Text.bytes(lines[2]).flatMap({ Digest($0) }) else {
            throw .malformedCheckpoint(reason: "its root is not base64 of 32 bytes")
        }
        try self.init(
            origin: ExactText(String(decoding: lines[0], as: UTF8.self)),
            size: size,
            root: root,
            extensions: lines.dropFirst(3).map { ExactText(String(decoding: $0, as: UTF8.self)) }
        )
    }

    /// The text of the note.
    public var text: ExactText {
        let lines = [origin.string, String(size), Base64Text.text(root.bytes)] + extensions.map(\.string)
        return ExactText(lines.map { "\($0)\n" }.joined())
    }
}

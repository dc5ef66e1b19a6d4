public import EventModel

/// A signature line of a note: whose key signed, by name and id, and what it made.
public struct NoteSignature: Sendable, Hashable {
    /// An em dash and a space.
    private static let start = Array("\u{2014} ".utf8)

    /// The name of the key.
    public let name: ExactText
    /// The id of the key: ``NoteVerifierKey/id``.
    public let keyID: UInt32
    /// What the key's algorithm made of the text; not empty.
    public let bytes: [UInt8]

    /// Creates a line of a key.
    package init(key: NoteVerifierKey, bytes: [UInt8]) {
        name = key.name
        keyID = key.id
        self.bytes = bytes
    }

    /// Reads a line.
    ///
    /// - Parameter line: The line, with or without its newline.
    /// - Throws: ``ProofError/malformedNote(reason:)`` when it is not an em dash, a space, the name of a key, a space and base64 of
    ///   more than four bytes.
    public init(parsing line: String) throws(ProofError) {
        let bytes = Array(line.utf8)
        let text = bytes.last == NoteText.newline ? bytes.dropLast() : bytes[...]
        self = try Self(line: text, number: 1)
    }

    /// Reads a line of which it is known that it is UTF-8.
    init(line: ArraySlice<UInt8>, number: Int) throws(ProofError) {
        guard line.starts(with: Self.start) else {
            throw .malformedNote(reason: "its signature line \(number) does not begin with an em dash and a space")
        }
        let rest = line.dropFirst(Self.start.count)
        let space = rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
        let name = ExactText(String(decoding: rest[..<space], as: UTF8.self))
        guard NoteText.isKeyName(name) else {
            throw .malformedNote(reason: "its signature line \(number) has not the name of a key")
        }
        guard let decoded = Base64Text.bytes(rest[space...].dropFirst()), decoded.count > 4 else {
            throw .malformedNote(reason: "its signature line \(number) has not base64 of a key id and a signature")
        }
        self.name = name
        keyID = decoded.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        bytes = Array(decoded.dropFirst(4))
    }

    /// Returns the four bytes of an id, big-endian.
    static func bytes(of id: UInt32) -> [UInt8] {
        withUnsafeBytes(of: id.bigEndian) { Array($0) }
    }
}

// MARK: - CustomStringConvertible

extension NoteSignature: CustomStringConvertible {
    /// The line as it stands in a note, without its newline.
    public var description: String { "\u{2014} \(name) \(Base64Text.text(Self.bytes(of: keyID) + bytes))" }
}

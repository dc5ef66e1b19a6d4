public import EventModel

/// A server's statement that other keys take the place of its keys: a signed note of C2SP, signed by both.
///
/// ```
/// daybook key succession v2
/// from <receipts> <log> <trail> <exports>
/// to <receipts> <log> <trail> <exports>
/// at 2026-11-28T18:00:00.000000Z
///
/// — daybook/receipts <signature of the key that signed receipts so far>
/// — daybook/receipts <signature of the key that signs them from now on>
/// ```
///
/// Keys are 64 hexadecimal digits each, as ``ServerKeys`` orders them. The first version, `v1`, has no key of exports in either line, as
/// exports were signed with the key of receipts; it is read and verified as before. No other statement of a server begins like this, so none can be taken
/// for it. Whoever knows the first key may believe the second one: nobody else could have signed. Whoever has stolen the first one could
/// make such a statement, too; that is why those who have followed one once follow no other one of the same key.
public struct KeySuccession: Sendable, Hashable {
    /// The name under which both keys sign: what they are for.
    public static let signerName: ExactText = "daybook/receipts"
    /// How many bytes a statement may have.
    public static let maximumBytes = 4096

    /// The first line: which keys the others name.
    private enum Title: String {
        case withoutExports = "daybook key succession v1"
        case withExports = "daybook key succession v2"

        init(for keys: ServerKeys) { self = keys.exports == nil ? .withoutExports : .withExports }
    }

    /// The keys so far.
    public let predecessor: ServerKeys
    /// The keys from then on.
    public let successor: ServerKeys
    /// When the server took them, by its own clock.
    public let time: EventInstant
    /// The statement with its signatures.
    public let note: SignedNote

    /// Makes a statement.
    ///
    /// - Parameters:
    ///   - predecessor: The keys so far.
    ///   - successor: The keys from then on.
    ///   - time: When.
    ///   - signers: The keys of receipts of both, in this order, each with the name ``signerName``.
    /// - Throws: ``ProofError/malformedSuccession(reason:)`` when the signers are others, a key stays what it was, or one of both alone has a
    ///   key of exports; whatever a signer throws.
    public init(
        from predecessor: ServerKeys,
        to successor: ServerKeys,
        at time: EventInstant,
        signedBy signers: [any NoteSigner]
    ) throws {
        let text = """
            \(Title(for: successor).rawValue)
            from \(predecessor.text)
            to \(successor.text)
            at \(time)

            """
        try self.init(SignedNote(text: ExactText(text), signedBy: signers).bytes)
    }

    /// Reads a statement and verifies both signatures.
    ///
    /// Whether the first key was ever the server's is for the caller to know.
    ///
    /// - Parameter bytes: The whole note, at most ``maximumBytes``.
    /// - Throws: ``ProofError/malformedSuccession(reason:)`` when it has another form, a key stays what it was, or one of both did not sign;
    ///   ``ProofError/malformedNote(reason:)`` and ``ProofError/invalidNoteSignature(name:)``, as `SignedNote` throws them.
    public init(_ bytes: [UInt8]) throws(ProofError) {
        guard bytes.count <= Self.maximumBytes else {
            throw .malformedSuccession(reason: "it has more than \(Self.maximumBytes) bytes")
        }
        note = try SignedNote(bytes)
        let lines = note.text.string.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, let title = Title(rawValue: String(lines[0])), lines[4].isEmpty,
            let from = lines[1].part(behind: "from "),
            let to = lines[2].part(behind: "to "), let at = lines[3].part(behind: "at "),
            let predecessor = try ServerKeys(text: from), let successor = try ServerKeys(text: to),
            let time = EventInstant(String(at)), time.description == at
        else {
            throw .malformedSuccession(reason: "it has not the lines of a version: a title, from, to and at")
        }
        guard title == Title(for: predecessor), title == Title(for: successor) else {
            throw .malformedSuccession(reason: "its lines do not name the keys that its title says")
        }
        let (before, after) = (Set(predecessor.all), Set(successor.all))
        guard before.isDisjoint(with: after) else {
            throw .malformedSuccession(reason: "a key is in both of its lines")
        }
        for key in [predecessor.receipts, successor.receipts] {
            let signer = try NoteVerifierKey(name: Self.signerName, algorithm: .ed25519, publicKey: key)
            guard !(try note.signatures(by: [signer])).isEmpty else {
                throw .malformedSuccession(reason: "the key \(Hexadecimal.text(key)) did not sign it")
            }
        }
        guard note.signatures.count == 2 else { throw .malformedSuccession(reason: "it has not two signatures") }
        self.predecessor = predecessor
        self.successor = successor
        self.time = time
    }

    /// The statement as it is sent and stored.
    public var text: String { String(decoding: note.bytes, as: UTF8.self) }
}

extension Substring {
    fileprivate func part(behind prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}

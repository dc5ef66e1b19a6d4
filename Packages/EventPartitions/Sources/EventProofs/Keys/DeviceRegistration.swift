public import EventModel

/// The key of a device, registered under a session: what the device claims and signs, with the server's time and signature.
///
/// ```
/// daybook device key v1
/// …                                      // the lines of a claim, its signature among them
/// received 2026-11-28T18:00:01.000000Z
///
/// — daybook/receipts <signature of the server's key of receipts>
/// ```
///
/// The device says that the key is its own, and the server that whoever said so was signed in as the user. It is a signed note of C2SP, and
/// no other statement of a server begins like this, so none can be taken for it. Whether the server's key and the owner are those that are
/// meant is for the caller to compare.
public struct DeviceRegistration: Sendable, Hashable {
    /// How many bytes a registration may have.
    public static let maximumBytes = DeviceKeyClaim.maximumBytes + 512
    /// How many keys of one user of an app are registered at most: a device has one, and whoever floods a server comes no further.
    public static let maximumKeysPerUser = 32

    /// What the device claims.
    public let claim: DeviceKeyClaim
    /// When the server received it, by its own clock.
    public let received: EventInstant
    /// The registration with its signature.
    public let note: SignedNote

    /// Countersigns a claim.
    ///
    /// - Parameters:
    ///   - claim: The claim; whether it is true is for the caller to know.
    ///   - time: When it was received.
    ///   - signer: The server's key of receipts, which the claim names, with the name `KeySuccession.signerName`.
    /// - Throws: ``ProofError/malformedRegistration(reason:)`` when the claim names another key; whatever the signer throws.
    public init(_ claim: DeviceKeyClaim, receivedAt time: EventInstant, signedBy signer: any NoteSigner) throws {
        let text = ExactText("\(claim.text)received \(time)\n")
        try self.init(SignedNote(text: text, signedBy: [signer]).bytes)
    }

    /// Reads a registration and verifies both signatures: that of the device, and that of the server's key that the device names.
    ///
    /// Whether that key was ever the server's is for the caller to know.
    ///
    /// - Parameter bytes: The whole note, at most ``maximumBytes``.
    /// - Throws: ``ProofError/malformedRegistration(reason:)`` when it has another form, or one of both did not sign;
    ///   ``ProofError/malformedNote(reason:)``, ``ProofError/malformedVerifierKey(reason:)`` and ``ProofError/invalidNoteSignature(name:)``.
    public init(_ bytes: [UInt8]) throws(ProofError) {
        guard bytes.count <= Self.maximumBytes else {
            throw .malformedRegistration(reason: "it has more than \(Self.maximumBytes) bytes")
        }
        let note = try SignedNote(bytes)
        let text = Array(note.text.string.utf8)
        guard let start = text.dropLast().lastIndex(of: NoteText.newline),
            let value = NoteText.value(of: "received ", in: text[(start + 1)...].dropLast()),
            let time = EventInstant(String(decoding: value, as: UTF8.self)), time.description.utf8.elementsEqual(value)
        else { throw .malformedRegistration(reason: "it does not end with the time of receipt") }
        claim = try DeviceKeyClaim(Array(text[...start]))
        received = time
        self.note = note
        let key = try NoteVerifierKey(name: KeySuccession.signerName, algorithm: .ed25519, publicKey: claim.server)
        guard note.signatures.count == 1, !(try note.signatures(by: [key])).isEmpty else {
            throw .malformedRegistration(reason: "the server's key that it names did not sign it, or not alone")
        }
        // One form alone: base64 has room for bits that mean nothing.
        guard note.bytes == bytes else { throw .malformedRegistration(reason: "it is not written in its one form") }
    }

    /// The registration as it is sent and stored.
    public var text: String { String(decoding: note.bytes, as: UTF8.self) }
}

public import EventModel

/// What a witness says of a checkpoint, with a time: `cosignature/v1` of tlog-cosignature.
///
/// As of that time, the checkpoint is the largest one that the witness saw of the log, and all that it saw fit each other.
public struct Cosignature: Sendable, Hashable {
    /// When it was made, in seconds since 1970 by the cosigner's clock; at most 2^63 - 1.
    public let seconds: UInt64
    /// The Ed25519 signature over ``message(seconds:text:)``, 64 bytes.
    public let signature: [UInt8]

    /// Reads the bytes of a note's signature: the time in eight bytes, big-endian, then the signature.
    ///
    /// - Returns: nil when there are not 72 bytes, or the time is beyond 2^63 - 1.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 8 + EdwardsSignature.byteCount else { return nil }
        seconds = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        signature = Array(bytes.dropFirst(8))
        guard seconds <= DecimalText.maximum else { return nil }
    }

    /// The form in which it stands in a note, behind the key's id.
    public var bytes: [UInt8] { withUnsafeBytes(of: seconds.bigEndian) { Array($0) } + signature }

    /// Returns what is signed: a line that names the format, one with the time, and the whole text of the checkpoint.
    ///
    /// - Parameters:
    ///   - seconds: The time, in seconds since 1970.
    ///   - text: The text of the checkpoint's note, with the newline at its end.
    /// - Returns: The bytes that the signature is over.
    public static func message(seconds: UInt64, text: [UInt8]) -> [UInt8] {
        Array("cosignature/v1\ntime \(seconds)\n".utf8) + text
    }

    /// Returns whether a key made it over a checkpoint's text.
    public func isValid(over text: [UInt8], by publicKey: [UInt8]) -> Bool {
        EdwardsSignature.isValid(signature, for: Self.message(seconds: seconds, text: text), by: publicKey)
    }
}

// MARK: - Making

extension Checkpoint {
    /// Cosigns the checkpoint; whether it is consistent with earlier ones is for the caller to know.
    ///
    /// - Parameters:
    ///   - signer: The key of a witness, with ``NoteAlgorithm/cosignature``.
    ///   - time: The time that the cosignature states; not before 1970, its fraction of a second is cut off.
    /// - Returns: The line that is added to the note.
    /// - Throws: ``ProofError/invalidNoteSignature(name:)`` when the key is of another kind, the time is before 1970, or the signer
    ///   makes something that its key did not sign; and whatever the signer throws.
    public func cosigned(by signer: any NoteSigner, at time: EventInstant) throws -> NoteSignature {
        let key = signer.verifierKey
        guard key.algorithm == .cosignature, let microseconds = UInt64(exactly: time.microseconds) else {
            throw ProofError.invalidNoteSignature(name: key.name.string)
        }
        let seconds = microseconds / 1_000_000
        let text = Array(self.text.string.utf8)
        let made = try signer.signature(for: Cosignature.message(seconds: seconds, text: text))
        let stamp = withUnsafeBytes(of: seconds.bigEndian) { Array($0) }
        guard let cosignature = Cosignature(stamp + made), cosignature.isValid(over: text, by: key.publicKey) else {
            throw ProofError.invalidNoteSignature(name: key.name.string)
        }
        return NoteSignature(key: key, bytes: cosignature.bytes)
    }
}

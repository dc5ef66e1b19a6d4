public import EventModel

import struct Crypto.SHA256

/// A public key that signs notes, with its name: what signed-note calls a verifier key or vkey.
///
/// ```swift
/// let key = try NoteVerifierKey(parsing: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
/// ```
public struct NoteVerifierKey: Sendable, Hashable {
    /// Whose key it is; by recommendation a URL without its scheme, such as `example.com/log`.
    public let name: ExactText
    /// How it signs.
    public let algorithm: NoteAlgorithm
    /// The Ed25519 public key, 32 bytes.
    public let publicKey: [UInt8]
    /// The first four bytes of SHA-256 over the name, a newline, the algorithm's byte and the public key, big-endian.
    public let id: UInt32

    /// Names a key.
    ///
    /// - Parameters:
    ///   - name: Its name: not empty, without spaces of Unicode, control characters and plus signs, of at most 255 bytes.
    ///   - algorithm: How it signs.
    ///   - publicKey: The 32 bytes of RFC 8032.
    /// - Throws: ``ProofError/malformedVerifierKey(reason:)`` when the name is none, or the bytes are no key that can sign.
    public init(name: ExactText, algorithm: NoteAlgorithm, publicKey: [UInt8]) throws(ProofError) {
        guard NoteText.isKeyName(name), name.string.utf8.count <= 255 else {
            throw .malformedVerifierKey(
                reason: "its name is empty, longer than 255 bytes, or has a space or a plus sign"
            )
        }
        guard publicKey.count == 32 else {
            throw .malformedVerifierKey(reason: "an Ed25519 key has 32 bytes, and it has \(publicKey.count)")
        }
        guard !EdwardsPoint.isOfSmallOrder(publicKey) else {
            throw .malformedVerifierKey(reason: "it is a point of small order, for which anybody can sign")
        }
        self.name = name
        self.algorithm = algorithm
        self.publicKey = publicKey
        var hash = SHA256()
        hash.update(data: Array(name.string.utf8) + [NoteText.newline, algorithm.rawValue] + publicKey)
        id = hash.finalize().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Reads `name+id+key`: the id as eight hexadecimal digits, the key as base64 of the algorithm's byte and the public key.
    ///
    /// - Parameter text: The text, without a newline.
    /// - Throws: ``ProofError/malformedVerifierKey(reason:)`` when it has another form, the id is not that of name and key, or
    ///   the algorithm is not one of ``NoteAlgorithm``.
    public init(parsing text: String) throws(ProofError) {
        // The base64 may have plus signs, and the name has none.
        let parts = text.utf8.split(separator: UInt8(ascii: "+"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw .malformedVerifierKey(reason: "it has not the form name+id+key")
        }
        guard parts[1].count == 8, let id = UInt32(Substring(parts[1]), radix: 16), parts[1].first != UInt8(ascii: "-")
        else {
            throw .malformedVerifierKey(reason: "its id is not eight hexadecimal digits")
        }
        guard let bytes = Base64Text.bytes(parts[2]), let type = bytes.first else {
            throw .malformedVerifierKey(reason: "its key is not base64")
        }
        guard let algorithm = NoteAlgorithm(rawValue: type) else {
            throw .malformedVerifierKey(reason: "its signature type \(type) is not understood here")
        }
        try self.init(name: ExactText(Substring(parts[0])), algorithm: algorithm, publicKey: Array(bytes.dropFirst()))
        guard id == self.id else {
            throw .malformedVerifierKey(reason: "its id is not the one of its name and key")
        }
    }
}

// MARK: - CustomStringConvertible

extension NoteVerifierKey: CustomStringConvertible {
    /// The form that ``init(parsing:)`` reads.
    public var description: String {
        let id = Hexadecimal.text(NoteSignature.bytes(of: id))
        return "\(name)+\(id)+\(Base64Text.text([algorithm.rawValue] + publicKey))"
    }
}

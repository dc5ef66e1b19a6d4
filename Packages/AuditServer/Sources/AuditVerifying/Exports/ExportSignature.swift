import AuditFormats
import AuditModel
import EventModel
import EventProofs

/// The server's signature over a manifest: the file `signature.json`.
///
/// Ed25519 over `DAYEXPT1`, the bytes of `manifest.json` and the public key, the last two each behind its length in four bytes,
/// little-endian.
public struct ExportSignature: Sendable, Hashable {
    /// The name of the file.
    public static let fileName = "signature.json"

    /// The server's Ed25519 key of exports, 32 bytes; up to version 3 of the manifest its key of receipts.
    public let publicKey: [UInt8]
    /// The signature, 64 bytes.
    public let signature: [UInt8]

    /// The bytes that the signature of a manifest is over.
    package static func canonicalBytes(of manifest: [UInt8], by publicKey: [UInt8]) -> [UInt8] {
        var statement = SignedStatement("DAYEXPT1")
        statement.append(counted: manifest)
        statement.append(counted: publicKey)
        return statement.bytes
    }

    /// Returns whether the signature belongs to the bytes of a manifest.
    package func isValid(for manifest: [UInt8]) -> Bool {
        EdwardsSignature.isValid(signature, for: Self.canonicalBytes(of: manifest, by: publicKey), by: publicKey)
    }
}

extension SigningKey {
    /// Signs the bytes of a manifest.
    ///
    /// - Throws: Whatever the system's cryptography throws when it cannot sign.
    package func signed(manifest: [UInt8]) throws -> ExportSignature {
        let bytes = ExportSignature.canonicalBytes(of: manifest, by: publicKey)
        return ExportSignature(publicKey: publicKey, signature: try sign(bytes))
    }
}

extension ExportSignature: Codable {
    private enum CodingKeys: String, CodingKey {
        case algorithm, publicKey, signature
    }

    /// Reads a signature; nothing of it is checked but its form.
    ///
    /// - Throws: `DecodingError` when a field is missing or has another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        publicKey = try Hexadecimal.bytes(.publicKey, in: container)
        signature = try Hexadecimal.bytes(.signature, in: container)
    }

    /// Writes key and signature as hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("Ed25519", forKey: .algorithm)
        try container.encode(Hexadecimal.text(publicKey), forKey: .publicKey)
        try container.encode(Hexadecimal.text(signature), forKey: .signature)
    }
}

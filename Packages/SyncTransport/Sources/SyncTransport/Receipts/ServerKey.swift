public import EventModel

import enum Crypto.Curve25519

/// The public key that a server signs its receipts with.
///
/// ```swift
/// var configuration = AppConfiguration(baseURL: "https://audit.example.org")
/// configuration.serverKey = ServerKey(hex: "…")   // what `daybook serve` prints
/// ```
public struct ServerKey: Sendable, Hashable {
    /// The 32 bytes of the Ed25519 key.
    public let bytes: [UInt8]

    /// Takes over the bytes of a key; nil when there are not exactly 32, or when anybody can sign with it: see
    /// `EdwardsPoint.isOfSmallOrder(_:)`.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32, !EdwardsPoint.isOfSmallOrder(bytes) else { return nil }
        self.bytes = bytes
    }

    /// Reads 64 hexadecimal digits, with a line break behind them or not; nil for any other text.
    public init?(hex: String) {
        guard let bytes = Hexadecimal.bytes(hex.hasSuffix("\n") ? String(hex.dropLast()) : hex) else { return nil }
        self.init(bytes)
    }

    /// Returns whether the signature of a receipt is this key's.
    public func isSigner(of receipt: StorageReceipt) -> Bool {
        guard receipt.publicKey == bytes else { return false }
        do {
            return try Curve25519.Signing.PublicKey(rawRepresentation: bytes)
                .isValidSignature(receipt.signature, for: receipt.canonicalBytes)
        } catch {
            // Only bytes that are no point of the curve get here; they have signed nothing.
            return false
        }
    }
}

extension ServerKey: CustomStringConvertible {
    /// The 64 hexadecimal digits.
    public var description: String { Hexadecimal.text(bytes) }
}

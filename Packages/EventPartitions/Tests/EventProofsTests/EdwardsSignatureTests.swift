import EventModel
import EventProofs
import Testing

import enum Crypto.Curve25519

/// A thief who knows no secret chooses a key of which the library says that it signed.
@Suite("EdwardsSignature")
struct EdwardsSignatureTests {
    /// The eight points of small order as RFC 8032 spells them; the sign is the highest bit.
    private static let points: [[UInt8]] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]
    .map { Hexadecimal.bytes($0) ?? [] }

    @Test("a signature that anybody can make up is nobody's", arguments: points)
    func smallOrder(key: [UInt8]) throws {
        // With a factor of 0 the rest of the equation is a point of small order for every statement: one of eight commitments.
        let library = try Curve25519.Signing.PublicKey(rawRepresentation: key)
        var forgeries = 0
        for statement in (0..<64).map({ [UInt8]("statement \($0)".utf8) }) {
            for commitment in Self.points {
                let signature = commitment + [UInt8](repeating: 0, count: 32)
                if library.isValidSignature(signature, for: statement) { forgeries += 1 }
                #expect(!EdwardsSignature.isValid(signature, for: statement, by: key))
            }
        }
        #expect(forgeries > 0, "the library refuses them by itself, and this test shows nothing")
    }

    @Test("a signature is its key's and its statement's, and of 64 bytes")
    func valid() throws {
        let secret = Curve25519.Signing.PrivateKey()
        let (key, other) = (Array(secret.publicKey.rawRepresentation), Curve25519.Signing.PrivateKey().publicKey)
        let signature = Array(try secret.signature(for: [1, 2, 3]))

        #expect(EdwardsSignature.isValid(signature, for: [1, 2, 3], by: key))
        #expect(!EdwardsSignature.isValid(signature, for: [1, 2], by: key))
        #expect(!EdwardsSignature.isValid(signature, for: [1, 2, 3], by: Array(other.rawRepresentation)))
        #expect(!EdwardsSignature.isValid(Array(signature.dropLast()), for: [1, 2, 3], by: key))
        #expect(!EdwardsSignature.isValid(signature, for: [1, 2, 3], by: Array(key.dropLast())))
    }
}

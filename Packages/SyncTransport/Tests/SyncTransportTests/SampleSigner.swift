import EventModel
import EventProofs
import Foundation
import SyncTransport

import enum Crypto.Curve25519

/// What a server would sign, with a key of its own.
struct SampleSigner: Sendable {
    /// The one of tests that do not ask for the key.
    static let usual = SampleSigner()

    private let key = Curve25519.Signing.PrivateKey()
    var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    /// The key as one that signs statements about the server's keys.
    var noteSigner: EdwardsNoteSigner {
        get throws {
            try EdwardsNoteSigner(
                name: KeySuccession.signerName,
                algorithm: .ed25519,
                rawRepresentation: Array(key.rawRepresentation)
            )
        }
    }

    /// Returns the proof with a receipt that is signed; a proof of nothing stays without one.
    func signed(
        _ plain: DurabilityProof,
        app: String = "ward",
        user: String = "62b3",
        signedThrough: UInt64? = nil,
        issued: EventInstant = EventInstant(microseconds: 1_700_000_000_000_000),
        spoiled: Bool = false
    ) throws -> DurabilityProof {
        guard plain.durableThrough > 0 || plain.isSealed else { return plain }
        func receipt(_ signature: [UInt8]) -> StorageReceipt {
            StorageReceipt(
                app: app,
                user: user,
                partition: plain.partition,
                durableThrough: signedThrough ?? plain.durableThrough,
                root: plain.root,
                isSealed: plain.isSealed,
                issued: issued,
                publicKey: publicKey,
                signature: signature
            )
        }
        var signature = Array(try key.signature(for: receipt([]).canonicalBytes))
        if spoiled { signature[0] ^= 1 }
        return DurabilityProof(
            partition: plain.partition,
            durableThrough: plain.durableThrough,
            root: plain.root,
            isSealed: plain.isSealed,
            receipt: receipt(signature)
        )
    }

    /// Returns the server's answer with the proof and its receipt.
    func answer(
        _ proof: DurabilityProof,
        user: String = "62b3",
        issued: EventInstant = EventInstant(microseconds: 1_700_000_000_000_000)
    ) throws -> HTTPResponse {
        HTTPResponse(status: 200, body: Array(try JSONEncoder().encode(signed(proof, user: user, issued: issued))))
    }
}

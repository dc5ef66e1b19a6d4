import EventModel
import EventProofs
import Foundation
import Testing

import enum Crypto.P256

/// What a thief can make of the signatures and keys of P-256 who does not have the secret half.
@Suite("Signatures of P-256")
struct CurveSignatureTests {
    /// RFC 6979, A.2.5: the key, and the signature of `sample` with SHA-256.
    private static let publicKey = bytes("0360fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6")
    private static let r = bytes("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716")
    private static let greatS = bytes("f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
    /// The order of the curve minus that.
    private static let s = bytes("0834e36ad29a83bf2bc9385e491d6099c8fdf9d1ed67aa7ea5f51f93782857a9")
    private static let order = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

    private static func bytes(_ text: String) -> [UInt8] { Hexadecimal.bytes(text) ?? [] }

    private static func isValid(_ signature: [UInt8], by publicKey: [UInt8] = publicKey) -> Bool {
        DeviceSignature.isValid(signature, for: Array("sample".utf8), by: publicKey)
    }

    @Test("the published signature is valid with the smaller of its two values, and with the greater one nobody's")
    func published() {
        #expect(Self.isValid(Self.r + Self.s))
        #expect(!Self.isValid(Self.r + Self.greatS))
        #expect(!DeviceSignature.isValid(Self.r + Self.s, for: Array("samplf".utf8), by: Self.publicKey))
    }

    @Test("numbers that no signature has are refused, and so is every other length")
    func numbers() {
        let zero = [UInt8](repeating: 0, count: 32)
        for signature in [
            zero + Self.s, Self.r + zero, zero + zero, Self.order + Self.s, Self.r + Self.order, Self.s + Self.r,
            [UInt8](repeating: 255, count: 64), [], Self.r, Array((Self.r + Self.s).dropLast()), Self.r + Self.s + [0],
        ] {
            #expect(!Self.isValid(signature), "\(Hexadecimal.text(signature))")
        }
    }

    @Test("33 bytes that are no point, or a second spelling of one, are no key")
    func points() {
        let x = Array(Self.publicKey.dropFirst())
        let other = [2] + x
        #expect(DeviceSignature.isKey(Self.publicKey))
        #expect(DeviceSignature.isKey(other))
        #expect(!Self.isValid(Self.r + Self.s, by: other))
        // There is a point with 5 for its first coordinate, and none with 1; the field's prime plus 5 fits 32 bytes as well.
        let five = [UInt8](repeating: 0, count: 31) + [5]
        let beyond = Self.bytes("ffffffff00000001000000000000000000000001000000000000000000000004")
        #expect(DeviceSignature.isKey([2] + five))
        for key in [
            [2] + beyond, [2] + [UInt8](repeating: 0, count: 31) + [1], [0] + x, [1] + x, [4] + x, [6] + x,
            Self.publicKey + [0], x.reversed() + x, [], [2], [UInt8](repeating: 255, count: 33),
        ] {
            #expect(!DeviceSignature.isKey(key), "\(Hexadecimal.text(key))")
            #expect(!Self.isValid(Self.r + Self.s, by: key))
        }
    }

    @Test("a key signs what its own algorithm takes for valid, with 64 bytes", arguments: DeviceKeyAlgorithm.allCases)
    func own(algorithm: DeviceKeyAlgorithm) throws {
        let key = DeviceKey(algorithm)
        #expect(key.algorithm == algorithm)
        #expect(DeviceKeyAlgorithm(publicKey: key.publicKey) == algorithm)
        #expect(DeviceSignature.isKey(key.publicKey))

        // Of P-256 every second signature comes with the greater value of the two.
        for _ in 0..<40 {
            let signature = try key.signature(of: MerkleHash.empty)
            #expect(signature.count == 64)
            #expect(DeviceSignature.isValid(signature, for: MerkleHash.empty.bytes, by: key.publicKey))
            #expect(!DeviceSignature.isValid(signature, for: MerkleHash.leaf([1]).bytes, by: key.publicKey))
        }
    }

    @Test("what the library signs is valid once its greater value is exchanged, and a library takes what is valid here")
    func library() throws {
        let secret = P256.Signing.PrivateKey()
        let publicKey = Array(secret.publicKey.compressedRepresentation)
        var valid = 0
        for _ in 0..<64 {
            let signature = Array(try secret.signature(for: [1]).rawRepresentation)
            if DeviceSignature.isValid(signature, for: [1], by: publicKey) { valid += 1 }
        }
        #expect(1..<64 ~= valid)

        let key = DeviceKey(.p256)
        for _ in 0..<16 {
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: key.signature(of: MerkleHash.empty))
            let library = try P256.Signing.PublicKey(compressedRepresentation: key.publicKey)
            #expect(library.isValidSignature(signature, for: MerkleHash.empty.bytes))
        }
    }

    @Test("a seal is its own key's, whatever a thief puts in the place of the key, the signature or both")
    func seals() throws {
        let (curve, edwards) = (DeviceKey(.p256), DeviceKey())
        let (seal, other) = (try PartitionSealTests.sealed(by: curve), try PartitionSealTests.sealed(by: edwards))
        try seal.verify(over: PartitionSealTests.frontier(5))
        try other.verify(over: PartitionSealTests.frontier(5))

        let exchanged = [
            (edwards.publicKey, seal.signature), (curve.publicKey, other.signature),
            (DeviceKey(.p256).publicKey, seal.signature), (Array(curve.publicKey.dropFirst()), seal.signature),
            ([curve.publicKey[0] ^ 1] + curve.publicKey.dropFirst(), seal.signature),
            ([2] + other.publicKey, other.signature), ([3] + other.publicKey, other.signature),
            ([], []), (curve.publicKey, []), (curve.publicKey, Self.opposite(of: seal.signature)),
        ]
        for (publicKey, signature) in exchanged {
            let forged = PartitionSealTests.exchanging(publicKey, signature, of: seal)
            #expect(throws: ProofError.invalidSignature(partition: seal.partition)) { try forged.verifySignature() }
        }
    }

    /// The other signature that everybody can compute: the order minus *s*.
    private static func opposite(of signature: [UInt8]) -> [UInt8] {
        var (rest, borrow) = (Array(signature.suffix(32)), 0)
        for index in rest.indices.reversed() {
            let difference = Int(order[index]) - Int(rest[index]) - borrow
            (rest[index], borrow) = (UInt8(truncatingIfNeeded: difference), difference < 0 ? 1 : 0)
        }
        return signature.prefix(32) + rest
    }

    @Test("a seal of P-256 is the same after JSON and after the bytes of a log's entry")
    func wire() throws {
        let seal = try PartitionSealTests.sealed(by: DeviceKey(.p256))

        let (app, user) = (PartitionSealTests.owner.app, PartitionSealTests.owner.user)
        let received = EventInstant(microseconds: 5)
        let entry = PartitionLogEntry(index: 3, app: app, user: user, received: received, seal: seal)
        let read = try PartitionLogEntry(index: 3, canonicalBytes: entry.canonicalBytes)
        let decoded = try JSONDecoder().decode(PartitionSeal.self, from: JSONEncoder().encode(seal))

        #expect(decoded == seal)
        #expect(read.seal == seal)
        try read.seal.verifySignature()
    }
}

import Crypto
import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// AES-256-GCM under a key that one opening of a file has for itself.
///
/// The key is derived from the program's key and a salt that is drawn when a writer opens a file, so one nonce is never
/// used twice with one key: within an opening each offset of the file is given to one frame only, and the nonce is that
/// offset; every other opening, also of the same file after a crash, has another salt.
struct PartitionCipher: Sendable {
    /// How many bytes the encrypted content has more than the plain one.
    static let overhead = prefixBytes + tagBytes
    static let saltBytes = 16
    private static let checkBytes = 8
    private static let prefixBytes = saltBytes + checkBytes
    private static let tagBytes = 16

    private let key: SymmetricKey
    /// What every encrypted content begins with: the salt, and bytes that only the right key gives.
    private let prefix: [UInt8]

    /// Begins to encrypt a file.
    ///
    /// - Parameters:
    ///   - key: The program's key.
    ///   - salt: Sixteen bytes that were never used before.
    ///   - partition: The partition of the file.
    ///   - kind: What kind of file it is; one key never serves two kinds.
    init(
        _ key: EventEncryptionKey,
        salt: [UInt8],
        of partition: ObjectId,
        _ kind: PartitionPreamble.Magic = .partition
    ) {
        precondition(salt.count == Self.saltBytes, "A salt has \(Self.saltBytes) bytes.")
        let derived = HKDF<SHA256>
            .deriveKey(
                inputKeyMaterial: key.withUnsafeBytes { SymmetricKey(data: $0) },
                salt: salt,
                info: Array(kind.keyLabel.utf8) + partition.withUnsafeBytes { Array($0) },
                outputByteCount: SymmetricKeySize.bits256.bitCount / 8 + Self.checkBytes
            )
        (self.key, prefix) = derived.withUnsafeBytes { bytes in
            let secret = UnsafeRawBufferPointer(rebasing: bytes.dropLast(Self.checkBytes))
            return (SymmetricKey(data: secret), salt + bytes.suffix(Self.checkBytes))
        }
    }

    /// Draws a salt for one opening of a file.
    static func randomSalt() -> [UInt8] {
        // The cryptography's own generator: the salt must never come twice.
        SymmetricKey(size: SymmetricKeySize(bitCount: saltBytes * 8)).withUnsafeBytes { Array($0) }
    }

    /// Encrypts the content of a frame.
    ///
    /// - Parameters:
    ///   - content: The plain content.
    ///   - offset: Where the frame lies in the file; never the same twice.
    ///   - header: What must not be changed either.
    /// - Returns: The salt (16 bytes), the check of the key (8), the encrypted bytes, and the tag (16).
    /// - Throws: What the system's cryptography throws.
    func seal(_ content: [UInt8], at offset: UInt64, header: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(content, using: key, nonce: Self.nonce(offset), authenticating: header)
        var sealed: [UInt8] = []
        sealed.reserveCapacity(content.count + Self.overhead)
        sealed += prefix
        sealed += box.ciphertext
        sealed += box.tag
        return sealed
    }

    /// Decrypts the content of a frame; nil when content, header or place are not what was encrypted.
    func open(_ sealed: [UInt8], at offset: UInt64, header: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.overhead else { return nil }
        do {
            let box = try AES.GCM.SealedBox(
                nonce: Self.nonce(offset),
                ciphertext: sealed[Self.prefixBytes..<sealed.count - Self.tagBytes],
                tag: sealed.suffix(Self.tagBytes)
            )
            return Array(try AES.GCM.open(box, using: key, authenticating: header))
        } catch {
            // The only reason is a tag that does not fit, which the caller names with the place.
            return nil
        }
    }

    /// Whether a content was encrypted in this opening with this key.
    func fits(_ sealed: [UInt8]) -> Bool { sealed.starts(with: prefix) }

    /// Reads the salt of an encrypted content; nil when it is too short to be one.
    static func salt(of sealed: [UInt8]) -> [UInt8]? {
        sealed.count >= overhead ? Array(sealed.prefix(saltBytes)) : nil
    }

    private static func nonce(_ offset: UInt64) throws -> AES.GCM.Nonce {
        try AES.GCM.Nonce(data: [0, 0, 0, 0] + withUnsafeBytes(of: offset.bigEndian) { Array($0) })
    }
}

extension PartitionCipher: CustomStringConvertible, CustomReflectable {
    /// Says that it is a cipher, and nothing of its key.
    var description: String { "PartitionCipher(hidden)" }

    /// A mirror without children, so that no dump shows the key.
    var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

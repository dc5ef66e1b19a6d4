import Crypto
import CryptoExtras
import EventModel
import Foundation

/// What is kept of a password: a salt and the result of scrypt (RFC 7914), which takes memory as well as time.
///
/// Its text is `scrypt$<log2 of the rounds>$<block size>$<parallelism>$<salt>$<hash>` with salt and hash in hexadecimal
/// digits, so that later versions may choose other costs and still check the passwords of today.
public struct PasswordHash: Sendable, Hashable {
    /// What one hash costs.
    package struct Cost: Sendable, Hashable {
        /// The logarithm of the rounds.
        package let logarithm: Int
        package let blockSize: Int
        package let parallelism: Int

        package init(logarithm: Int, blockSize: Int = 8, parallelism: Int = 1) {
            self.logarithm = logarithm
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// 32 MiB and about a tenth of a second: what small servers can afford at each sign-in.
        package static let standard = Cost(logarithm: 15)

        /// Bounds that keep a damaged text from asking for memory: 256 MiB at most.
        package var isSane: Bool { (10...18).contains(logarithm) && blockSize == 8 && (1...4).contains(parallelism) }
    }

    private static let saltByteCount = 16
    private static let hashByteCount = 32

    private let cost: Cost
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Hashes a password with a new salt.
    ///
    /// Blocks the thread for about a tenth of a second.
    ///
    /// - Throws: What the cryptographic library throws when memory is short.
    public init(of password: String) throws {
        try self.init(of: password, cost: .standard)
    }

    package init(of password: String, cost: Cost) throws {
        let salt = SymmetricKey(size: SymmetricKeySize(bitCount: Self.saltByteCount * 8)).withUnsafeBytes { Array($0) }
        let hash = try Self.derive(password, salt, cost).withUnsafeBytes { Array($0) }
        self.init(cost: cost, salt: salt, hash: hash)
    }

    private init(cost: Cost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Reads the stored text; nil when it is none.
    public init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let logarithm = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Hexadecimal.bytes(String(parts[4])),
            let hash = Hexadecimal.bytes(String(parts[5])), salt.count >= Self.saltByteCount,
            hash.count == Self.hashByteCount
        else { return nil }
        let cost = Cost(logarithm: logarithm, blockSize: blockSize, parallelism: parallelism)
        guard cost.isSane else { return nil }
        (self.cost, self.salt, self.hash) = (cost, salt, hash)
    }

    /// The text that is stored.
    public var text: String {
        "scrypt$\(cost.logarithm)$\(cost.blockSize)$\(cost.parallelism)$\(Hexadecimal.text(salt))$\(Hexadecimal.text(hash))"
    }

    /// Returns whether a password is the hashed one, in a time that does not depend on the answer.
    ///
    /// Blocks the thread for about a tenth of a second.
    ///
    /// - Throws: What the cryptographic library throws when memory is short.
    package func matches(_ password: String) throws -> Bool {
        // Compares the lengths, too, and takes as long whatever the bytes are.
        try Self.derive(password, salt, cost) == SymmetricKey(data: hash)
    }

    private static func derive(_ password: String, _ salt: [UInt8], _ cost: Cost) throws -> SymmetricKey {
        // The same text may come in other bytes from another keyboard, so the precomposed form is hashed.
        let bytes = Array(password.precomposedStringWithCanonicalMapping.utf8)
        return try KDF.Scrypt.deriveKey(
            from: bytes,
            salt: salt,
            outputByteCount: hashByteCount,
            rounds: 1 << cost.logarithm,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
    }
}

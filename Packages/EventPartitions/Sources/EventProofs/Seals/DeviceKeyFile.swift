/// The bytes of the file of a P-256 key.
///
/// | bytes | field |
/// |---|---|
/// | 8 | `DAYDKEY1` |
/// | 1 | where the secret half is: 1 here, 2 in the Secure Enclave |
/// | 33 | the public key, a compressed point |
/// | 32 | the key for the device's own notes, from the system's randomness |
/// | 4 + n | the secret: the 32 bytes of the number, or what only the Enclave that made it can read; at most 2,048 bytes |
/// | 64 | the signature over all of that by the key itself |
///
/// The length is little-endian. Without the signature, whoever can write the file and not use the key could put a note key of their
/// own beside it, and then notes of which the device believes that it wrote them. An Ed25519 key has 32 bytes and nothing around
/// them, as ever; its note key is derived from it.
struct DeviceKeyFile {
    /// Where the secret half is.
    enum Home: UInt8 {
        case file = 1
        case enclave = 2
    }

    /// Why bytes are no such file; a part of a sentence.
    struct Malformation: Error {
        let reason: String
    }

    /// How the file begins, which no Ed25519 key does but one in 2^64.
    static let magic = Array("DAYDKEY1".utf8)
    /// How many bytes a file has at most.
    static let maximumBytes = magic.count + 1 + 33 + 32 + 4 + maximumSecretBytes + DeviceSignature.byteCount
    private static let maximumSecretBytes = 2048

    let home: Home
    let publicKey: [UInt8]
    let noteKey: [UInt8]
    let secret: [UInt8]

    /// What the signature is over.
    var statement: [UInt8] {
        let length = (0..<4).map { UInt8(truncatingIfNeeded: secret.count >> (8 * $0)) }
        return Self.magic + [home.rawValue] + publicKey + noteKey + length + secret
    }
}

extension DeviceKeyFile {
    /// Reads a file, and checks that its key has signed it.
    ///
    /// - Throws: ``Malformation`` when it has not, or the bytes are in another form.
    init(bytes: [UInt8]) throws(Malformation) {
        var rest = bytes[...]
        func take(_ count: Int) throws(Malformation) -> [UInt8] {
            guard count <= rest.count else { throw Malformation(reason: "it ends early") }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard try take(Self.magic.count) == Self.magic else {
            throw Malformation(reason: "it does not begin as a key does")
        }
        guard let home = Home(rawValue: try take(1)[0]) else {
            throw Malformation(reason: "a newer version wrote it")
        }
        let (publicKey, noteKey) = (try take(33), try take(32))
        let length = try take(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.maximumSecretBytes else {
            throw Malformation(reason: "it holds a secret of more than \(Self.maximumSecretBytes) bytes")
        }
        let secret = try take(length)
        let signature = try take(DeviceSignature.byteCount)
        guard rest.isEmpty else { throw Malformation(reason: "bytes lie behind its end") }
        self.init(home: home, publicKey: publicKey, noteKey: noteKey, secret: secret)
        guard CurveSignature.isValid(signature, for: statement, by: publicKey) else {
            throw Malformation(reason: "its key has not signed it")
        }
    }
}

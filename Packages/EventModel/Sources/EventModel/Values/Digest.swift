/// A SHA-256 hash: 32 bytes.
@frozen
public struct Digest: Sendable, Hashable {
    /// How many bytes a digest has.
    public static let byteCount = 32

    @usableFromInline let words: (UInt64, UInt64, UInt64, UInt64)

    /// Creates a digest from exactly 32 bytes.
    ///
    /// - Returns: nil when the count differs.
    public init?(_ bytes: some Sequence<UInt8>) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var count = 0
        let fits = Swift.withUnsafeMutableBytes(of: &words) { buffer in
            for byte in bytes {
                guard count < buffer.count else { return false }
                buffer[count] = byte
                count += 1
            }
            return count == buffer.count
        }
        guard fits else { return nil }
        self.words = words
    }

    /// Creates a digest from the 32 bytes that start at the address, which needs no alignment.
    @inlinable
    public init(loadedFrom bytes: UnsafeRawPointer) {
        words = bytes.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self)
    }

    /// Reads 64 hexadecimal digits.
    ///
    /// - Returns: nil when the text is anything else.
    public init?(hex: String) {
        guard let bytes = Hexadecimal.bytes(hex) else { return nil }
        self.init(bytes)
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        withUnsafeBytes { Array($0) }
    }

    /// The 64 lower-case hexadecimal digits.
    public var hex: String {
        withUnsafeBytes { Hexadecimal.text($0) }
    }

    /// Calls the closure with the 32 bytes.
    @inlinable
    public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try Swift.withUnsafeBytes(of: words, body)
    }

    /// Compares in a time that does not depend on where the bytes differ.
    public static func == (left: Digest, right: Digest) -> Bool {
        let difference =
            (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1)
            | (left.words.2 ^ right.words.2) | (left.words.3 ^ right.words.3)
        return difference == 0
    }

    /// Feeds the 32 bytes to the hasher.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension Digest: CustomStringConvertible {
    /// The 64 lower-case hexadecimal digits.
    public var description: String { hex }
}

extension Digest: Codable {
    /// Decodes 64 hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = Digest(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "A digest is 64 hex digits.")
        }
        self = digest
    }

    /// Encodes the 64 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

/// Builds the bytes that a signature is over, so that two statements never have the same bytes.
///
/// A statement starts with eight letters that name its kind and version; whatever has no fixed length stands behind its
/// length in four bytes. Numbers are little-endian.
public struct SignedStatement: Sendable, Hashable {
    /// The bytes so far.
    public private(set) var bytes: [UInt8]

    /// Begins a statement.
    ///
    /// - Precondition: The kind has eight ASCII letters or digits.
    public init(_ kind: StaticString) {
        precondition(kind.utf8CodeUnitCount == 8, "The kind of a statement has eight letters.")
        bytes = Array(String(describing: kind).utf8)
    }

    /// Appends a number.
    public mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends the 32 bytes of a digest.
    public mutating func append(_ digest: Digest) {
        digest.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Appends a length and so many bytes.
    public mutating func append(counted content: some Collection<UInt8>) {
        append(UInt32(content.count))
        bytes.append(contentsOf: content)
    }
}

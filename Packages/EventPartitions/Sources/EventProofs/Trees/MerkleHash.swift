public import EventModel

import struct Crypto.SHA256
import struct Crypto.SHA256Digest

/// The hashes of RFC 6962: SHA-256 with a prefix byte that keeps leaves and nodes apart.
public enum MerkleHash {
    /// The root of a tree without leaves: SHA-256 of nothing.
    public static let empty = digest(of: SHA256.hash(data: [UInt8]()))

    /// The byte in front of a leaf.
    package static let leafPrefix: UInt8 = 0x00

    /// Hashes a leaf: the canonical encoding of an event behind a zero byte.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public static func leaf(_ bytes: UnsafeRawBufferPointer) -> Digest {
        var hash = SHA256()
        withUnsafeBytes(of: leafPrefix) { hash.update(bufferPointer: $0) }
        hash.update(bufferPointer: bytes)
        return digest(of: hash.finalize())
    }

    /// Hashes a leaf whose bytes lie behind ``leafPrefix``: in one piece, which is faster for small ones.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    package static func leaf(prefixed bytes: UnsafeRawBufferPointer) -> Digest {
        var hash = SHA256()
        hash.update(bufferPointer: bytes)
        return digest(of: hash.finalize())
    }

    /// Hashes a leaf whose bytes are in an array.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public static func leaf(_ bytes: [UInt8]) -> Digest {
        bytes.withUnsafeBytes { leaf($0) }
    }

    /// Hashes a leaf whose bytes are a part of an array.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    package static func leaf(_ bytes: ArraySlice<UInt8>) -> Digest {
        bytes.withUnsafeBytes { leaf($0) }
    }

    /// Hashes an inner node from its children.
    public static func node(_ left: Digest, _ right: Digest) -> Digest {
        withUnsafeTemporaryAllocation(byteCount: 1 + 2 * Digest.byteCount, alignment: 1) { buffer in
            buffer[0] = 0x01
            left.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[1...]).copyMemory(from: $0) }
            right.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: buffer[(1 + Digest.byteCount)...]).copyMemory(from: $0)
            }
            var hash = SHA256()
            hash.update(bufferPointer: UnsafeRawBufferPointer(buffer))
            return digest(of: hash.finalize())
        }
    }

    private static func digest(of hash: SHA256Digest) -> Digest {
        hash.withUnsafeBytes { bytes in
            guard let address = bytes.baseAddress, bytes.count == Digest.byteCount else {
                preconditionFailure("A SHA-256 hash has 32 bytes.")
            }
            return Digest(loadedFrom: address)
        }
    }
}

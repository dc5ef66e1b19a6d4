import AuditFormats
package import AuditModel
package import EventModel
import Foundation

import struct Crypto.SHA256

/// The hash and the size of a file.
package struct FileDigest: Sendable, Hashable {
    /// The size in bytes.
    package let bytes: UInt64
    /// The SHA-256.
    package let sha256: Digest

    /// Reads a file.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be read.
    package init(_ path: String) throws(AuditServerError) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw .inaccessible(path: path, reason: "there is no such file that can be read")
        }
        var hash = SHA256()
        var count: UInt64 = 0
        do {
            while let piece = try handle.read(upToCount: 262_144), !piece.isEmpty {
                hash.update(data: piece)
                count += UInt64(piece.count)
            }
        } catch {
            throw .inaccessible(path: path, reason: "it cannot be read")
        }
        bytes = count
        sha256 = hash.finalize()
            .withUnsafeBytes { bytes in
                guard let digest = Digest(bytes) else { preconditionFailure("A SHA-256 hash has 32 bytes.") }
                return digest
            }
    }
}

package import AuditModel
package import EventModel
import Foundation

import struct Crypto.SHA256

/// Writes one file of an export, and hashes what it writes.
package final class ExportFileWriter {
    /// How much is collected before it is written, in bytes.
    private static let pieceBytes = 262_144

    private let path: String
    private let file: any OpenFile
    private var hash = SHA256()
    private var piece: [UInt8] = []
    /// How many bytes the file has, also those that are not on the disk yet.
    package private(set) var byteCount: UInt64 = 0

    /// Makes the file, which only its owner may read.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be made, or there is one.
    package init(_ path: String) throws(AuditServerError) {
        self.path = path
        file = try PrivateFile.create(path)
    }

    /// Appends bytes.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when they cannot be written.
    package func write(_ bytes: [UInt8]) throws(AuditServerError) {
        piece += bytes
        byteCount += UInt64(bytes.count)
        if piece.count >= Self.pieceBytes { try flush() }
    }

    /// Writes the rest, and returns when all of it is on the disk.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when that fails.
    package func finish() throws(AuditServerError) -> Digest {
        try flush()
        try reporting { () throws(FileSystemError) in try file.synchronize() }
        return hash.finalize()
            .withUnsafeBytes { bytes in
                guard let digest = Digest(bytes) else { preconditionFailure("A SHA-256 hash has 32 bytes.") }
                return digest
            }
    }

    private func flush() throws(AuditServerError) {
        hash.update(data: piece)
        let offset = byteCount - UInt64(piece.count)
        try reporting { () throws(FileSystemError) in try file.writeAll(piece, at: offset) }
        piece.removeAll(keepingCapacity: true)
    }

    private func reporting(_ body: () throws(FileSystemError) -> Void) throws(AuditServerError) {
        do throws(FileSystemError) {
            try body()
        } catch {
            throw .inaccessible(path: path, reason: error.reason)
        }
    }
}

package import AuditModel
import Crypto
import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
package import Foundation
#endif

/// Encrypts the positions that cursors name: AES-256-GCM, under a key that all servers with one key of receipts have.
///
/// A position is a number in the log or in an index, and numbers tell how much there is of others. A position that somebody makes
/// up opens nothing, so that no page is read whose listing was not recorded.
package struct CursorSeal: Sendable {
    private let key: SymmetricKey

    /// Derives the key of cursors.
    package init(_ key: SigningKey) {
        self.key = SymmetricKey(data: key.derived(for: "daybook cursors"))
    }

    /// Encrypts a position.
    ///
    /// - Parameters:
    ///   - bytes: The position.
    ///   - use: What it is a position in; it opens for nothing else.
    /// - Returns: Hexadecimal digits, others each time.
    /// - Throws: `AuditServerError.unavailable(reason:)` when the system's cryptography fails.
    package func text(_ bytes: [UInt8], for use: String) throws(AuditServerError) -> String {
        do {
            let box = try AES.GCM.seal(bytes, using: key, authenticating: Array(use.utf8))
            // A box with the standard nonce of twelve bytes has the combined form.
            if let combined = box.combined { return Hexadecimal.text(Array(combined)) }
        } catch {
            // What is wrong with the system's cryptography says nothing about the request.
        }
        throw .unavailable(reason: "a cursor cannot be encrypted")
    }

    /// Decrypts a position; nil when it is none of these servers, or of something else.
    package func bytes(_ text: String, for use: String) -> [UInt8]? {
        guard let combined = Hexadecimal.bytes(text) else { return nil }
        do {
            let box = try AES.GCM.SealedBox(combined: combined)
            return Array(try AES.GCM.open(box, using: key, authenticating: Array(use.utf8)))
        } catch {
            // Why it does not open tells nobody anything.
            return nil
        }
    }
}

import Crypto

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The key of a file as the program gives it; what seals pages is derived from it.
///
/// Neither its description nor its mirror shows a byte of it.
package struct FileKey: Sendable, Equatable {
    /// How many bytes a key has.
    package static let count = 64

    private let material: SymmetricKey

    /// Takes over a key.
    ///
    /// - Parameter bytes: The key; nil is returned unless it has 64 bytes.
    package init?(_ bytes: Data) {
        guard bytes.count == Self.count else { return nil }
        material = SymmetricKey(data: bytes)
    }

    /// Derives what seals one kind of pages of one file.
    func derived(_ salt: FileSalt, _ purpose: String, byteCount: Int) -> SymmetricKey {
        HKDF<SHA256>
            .deriveKey(
                inputKeyMaterial: material,
                salt: salt.bytes,
                info: Array(purpose.utf8),
                outputByteCount: byteCount
            )
    }
}

extension FileKey: CustomStringConvertible, CustomReflectable {
    /// Says only that it is a key.
    package var description: String { "a key" }
    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

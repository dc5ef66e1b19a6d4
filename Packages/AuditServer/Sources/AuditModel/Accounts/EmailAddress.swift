import Foundation

/// An e-mail address as the name of an account: small letters, without spaces around it.
public struct EmailAddress: Sendable, Hashable {
    /// The address.
    public let text: String

    /// Takes what a person typed.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is no address: something, one `@`, something with a dot or
    ///   not, 254 bytes at most, and no spaces or control characters.
    public init(_ typed: String) throws(AuditServerError) {
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace
        }
        guard text.utf8.count <= 254, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), isPlain else {
            throw .rejected(reason: "an e-mail address has a name, an @ and a domain, and no spaces")
        }
        self.text = text
    }
}

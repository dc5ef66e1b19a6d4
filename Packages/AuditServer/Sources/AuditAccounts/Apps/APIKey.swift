import AuditModel
import EventModel

import struct Crypto.SHA256

/// A key with which a program signs in to an app; kept as its hash alone.
public struct APIKey: Sendable, Hashable {
    /// The app that the key is for.
    public let app: String
    private let digest: Digest

    /// Creates a key from the secret that programs send.
    public init(app: String, secret: String) {
        self.app = app
        digest = Self.digest(app: app, secret: secret)
    }

    /// The user that everybody with this key is: the first twelve bytes of a hash of it, so that it never changes.
    public var user: String { Hexadecimal.text(digest.bytes.prefix(12)) }

    /// Returns whether the key was made from this secret, in a time that does not depend on the answer.
    public func isMade(from secret: String) -> Bool {
        Self.digest(app: app, secret: secret) == digest
    }

    private static func digest(app: String, secret: String) -> Digest {
        // The zero byte keeps app and secret apart; an app id cannot hold one.
        let hash = SHA256.hash(data: Array("daybook api-key \(app)\u{0}\(secret)".utf8))
        guard let digest = Digest(hash) else { preconditionFailure("A SHA-256 hash has 32 bytes.") }
        return digest
    }
}

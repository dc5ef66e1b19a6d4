/// The key that a store of objects knows the server by; its secret is in no text that is made of it.
public struct BucketCredentials: Sendable, Hashable {
    /// The name of the key, which is no secret.
    public let accessKey: String
    let secret: String
    let sessionToken: String?

    /// Takes a key.
    ///
    /// - Parameters:
    ///   - accessKey: Its name.
    ///   - secret: Its secret.
    ///   - sessionToken: What comes with a key that is good for some hours; nil for one that stays.
    /// - Throws: ``LogPublishingError/unusableBucket(reason:)`` when one of them cannot be.
    public init(accessKey: String, secret: String, sessionToken: String? = nil) throws(LogPublishingError) {
        guard Self.isWord(accessKey, 256), Self.isWord(secret, 256), sessionToken.map({ Self.isWord($0, 8192) }) ?? true
        else { throw .unusableBucket(reason: "its key is two words, and a third one for a key of some hours") }
        self.accessKey = accessKey
        self.secret = secret
        self.sessionToken = sessionToken
    }

    private static func isWord(_ text: String, _ limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension BucketCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the key.
    public var description: String { "the key \(accessKey)" }
    /// The name of the key.
    public var debugDescription: String { description }
    /// Nothing, so that no dump has the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

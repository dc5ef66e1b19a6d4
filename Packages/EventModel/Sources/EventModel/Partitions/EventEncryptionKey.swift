/// The secret that event files are encrypted with: 32 bytes that nothing here prints, stores or puts into an error.
///
/// The program keeps the key, in a key chain or wherever its other secrets are. Without it nobody can read the files.
///
/// ```swift
/// let key = EventEncryptionKey.random()
/// key.withUnsafeBytes { secrets.store($0) }
/// ```
public struct EventEncryptionKey: Sendable {
    /// How many bytes a key has.
    public static let byteCount = 32

    /// The bytes, in the form that compares in constant time.
    private let secret: Digest

    /// Takes over the bytes of a key.
    ///
    /// - Throws: ``EventModelError/malformedEncryptionKey(byteCount:)`` when there are not exactly 32.
    public init(_ bytes: some Collection<UInt8>) throws(EventModelError) {
        guard let secret = Digest(bytes) else { throw .malformedEncryptionKey(byteCount: bytes.count) }
        self.secret = secret
    }

    private init(secret: Digest) {
        self.secret = secret
    }

    /// Makes a new key from the system's randomness.
    public static func random() -> EventEncryptionKey {
        var system = SystemRandomNumberGenerator()
        let words = (system.next(), system.next(), system.next(), system.next())
        return Swift.withUnsafeBytes(of: words) { bytes in
            guard let address = bytes.baseAddress else { preconditionFailure("Four words have an address.") }
            return EventEncryptionKey(secret: Digest(loadedFrom: address))
        }
    }

    /// Calls the closure with the 32 bytes; keep no copy of them longer than needed.
    public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try secret.withUnsafeBytes(body)
    }
}

extension EventEncryptionKey: Hashable {
    /// Compares in a time that does not depend on where the bytes differ.
    public static func == (left: EventEncryptionKey, right: EventEncryptionKey) -> Bool { left.secret == right.secret }

    /// Feeds the bytes to the hasher, which mixes them with a secret of the process.
    public func hash(into hasher: inout Hasher) { hasher.combine(secret) }
}

// MARK: - What is printed

extension EventEncryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says that it is a key, and nothing else.
    public var description: String { "EventEncryptionKey(hidden)" }

    /// Says that it is a key, and nothing else.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` and assertions show nothing.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

public import EventModel

/// What a realm's tree binds for one entry: who sent which change of which file when, and what came of it.
///
/// ```
/// leaf = SHA-256(0x00  "DAYSYNC1"  realm  number (8)  file (4)  change (8)  user  token  received (8)
///                hash of the change (32)  hash of the results (32))
/// ```
///
/// Numbers are little-endian. The texts have their length before them, in 4 bytes, so that no two leaves have the same
/// bytes. Names of a user and of a token are those of the sign-in, and mean something without the server's tables.
public struct SyncLeaf: Sendable, Hashable {
    /// The realm: the app and the value of its partition, as the server names it.
    public let realm: ExactText
    /// The number in the server's order.
    public let number: Int
    /// Which change of which file this is.
    public let change: ChangeReference
    /// The user who sent it.
    public let user: ExactText
    /// The token with which it was sent.
    public let token: ExactText
    /// When the server took it.
    public let received: EventInstant
    /// The SHA-256 of the change's body as it was sent.
    public let digest: Digest
    /// The SHA-256 of what became of its operations, see ``Entry/encodedResults``.
    public let results: Digest

    /// Creates the leaf of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - realm: The realm, as the server names it.
    ///   - user: The user who sent the change.
    ///   - token: The token with which it was sent.
    ///   - hash: Computes a SHA-256; this module has none of its own.
    public init(_ entry: Entry, realm: ExactText, user: ExactText, token: ExactText, hash: ChangeChain.Hash) {
        self.realm = realm
        number = entry.number
        change = entry.change
        self.user = user
        self.token = token
        received = entry.received
        digest = entry.digest
        results = hash(entry.encodedResults)
    }

    /// The bytes that the leaf is the hash of.
    public var bytes: [UInt8] {
        var writer = ChangeWriter()
        writer.byte(0)
        writer.raw("DAYSYNC1".utf8)
        writer.framed(realm)
        writer.fixed(Int64(number))
        writer.fixed(change.file)
        writer.fixed(Int64(change.number))
        writer.framed(user)
        writer.framed(token)
        writer.fixed(received.microseconds)
        writer.raw(digest.bytes)
        writer.raw(results.bytes)
        return writer.bytes
    }

    /// Returns the leaf.
    public func hash(_ hash: ChangeChain.Hash) -> Digest { hash(bytes) }
}

extension Entry {
    /// What became of the operations, as bytes: a count, and for each one 0 as sent, 1 superseded, or 2 refused with the
    /// reason and the rule.
    public var encodedResults: [UInt8] {
        var writer = ChangeWriter()
        writer.results(results)
        return writer.bytes
    }
}

extension ChangeWriter {
    /// Writes a text with its length in 4 bytes.
    mutating func framed(_ text: ExactText) {
        fixed(UInt32(clamping: text.string.utf8.count))
        raw(text.string.utf8)
    }
}

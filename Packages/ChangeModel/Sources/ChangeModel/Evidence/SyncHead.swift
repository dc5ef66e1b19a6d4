public import EventModel

/// What the server says of a whole realm: how many entries it has in this history, and the root of the tree over them.
///
/// A file keeps the last head that it saw. A later one must continue it; so a server that leaves out, exchanges or
/// rewrites entries is found by every device.
public struct SyncHead: Sendable, Hashable {
    private static let magic = Array("DAYHEAD1".utf8)

    /// The realm, as the server names it.
    public let realm: ExactText
    /// The history that the entries are of.
    public let history: HistoryID
    /// The number of the newest entry.
    public let number: Int
    /// The root of the tree of the leaves up to it.
    public let root: Digest

    /// Creates a head.
    public init(realm: ExactText, history: HistoryID, number: Int, root: Digest) {
        self.realm = realm
        self.history = history
        self.number = number
        self.root = root
    }

    /// What the server signs.
    ///
    /// ```
    /// "DAYHEAD1"  length (4)  realm  history (16)  number (8)  root (32)
    /// ```
    public var signedBytes: [UInt8] {
        var writer = ChangeWriter()
        writer.raw(Self.magic)
        writer.framed(realm)
        writer.raw(history.bytes)
        writer.fixed(Int64(number))
        writer.raw(root.bytes)
        return writer.bytes
    }

    /// Reads what a server has signed.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are no head.
    public init(signedBytes: [UInt8]) throws(ChangeModelError) {
        var reader = ChangeReader(signedBytes[...])
        guard try reader.raw(Self.magic.count).elementsEqual(Self.magic) else {
            throw .malformed(offset: 0, reason: "A head of this version begins with DAYHEAD1.")
        }
        let count = Int(try reader.fixed(UInt32.self))
        guard let realm = String(validating: try reader.raw(count), as: UTF8.self) else {
            throw reader.malformed("A text is not UTF-8.")
        }
        guard let history = HistoryID(try reader.raw(HistoryID.byteCount)) else {
            throw reader.malformed("A history has 16 bytes.")
        }
        let number = try reader.fixed(Int64.self)
        guard number >= 0, let root = Digest(try reader.raw(Digest.byteCount)), reader.remaining == 0 else {
            throw reader.malformed("A head ends with a number and a root.")
        }
        self.init(realm: ExactText(realm), history: history, number: Int(number), root: root)
    }
}

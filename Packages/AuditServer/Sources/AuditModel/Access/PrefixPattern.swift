/// A pattern for prefixes of partitions.
///
/// `*` stands for any text, `%%user.id` for the id of the user whose partition it is; every other character for itself.
///
/// ```swift
/// let pattern = try PrefixPattern("ward-*-%%user.id")
/// ```
public struct PrefixPattern: Sendable, Hashable {
    /// Fits every prefix.
    public static let all = PrefixPattern(parsed: "*")

    private static let user = "%%user.id"

    /// The pattern as it was written.
    public let text: String
    /// What stands between the stars, each a list of texts with the user's id between them.
    private let pieces: [[[UInt8]]]

    /// Reads a pattern.
    ///
    /// - Throws: ``AuditServerError/rejected(reason:)`` for one that is empty, has more than 256 bytes, or has `%%` with
    ///   something else than `user.id` behind it.
    public init(_ text: String) throws(AuditServerError) {
        guard (1...256).contains(text.utf8.count) else {
            throw .rejected(reason: "a pattern of prefixes has 1 to 256 bytes")
        }
        guard !text.replacing(Self.user, with: "").contains("%%") else {
            throw .rejected(reason: "the only placeholder of a pattern is \(Self.user)")
        }
        self.init(parsed: text)
    }

    private init(parsed text: String) {
        self.text = text
        pieces = text.split(separator: "*", omittingEmptySubsequences: false)
            .map { piece in piece.split(separator: Self.user, omittingEmptySubsequences: false).map { Array($0.utf8) } }
    }

    /// Returns whether a user's partition may have a prefix.
    ///
    /// - Complexity: O(*n* · *m*) in the bytes of the prefix and the pattern, both of which are bounded.
    package func fits(_ prefix: String, of user: String) -> Bool {
        let id = Array(user.utf8)
        var texts = pieces.map { Array($0.joined(separator: id)) }[...]
        var rest = Array(prefix.utf8)[...]
        guard let first = texts.popFirst(), rest.starts(with: first) else { return false }
        rest.removeFirst(first.count)
        // Without a star there is one piece, and it must be all.
        guard let last = texts.popLast() else { return rest.isEmpty }
        // Between two stars the earliest place is as good as any later one.
        for text in texts {
            guard let place = Self.place(of: text, in: rest) else { return false }
            rest = rest[(place + text.count)...]
        }
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }

    private static func place(of text: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= text.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - text.count)).first { bytes[$0...].starts(with: text) }
    }
}

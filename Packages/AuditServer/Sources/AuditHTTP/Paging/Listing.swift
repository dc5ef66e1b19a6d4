import AuditModel
import AuditSearch
import Crypto
import EventModel
import HummingbirdCore

/// One listing that somebody turns the pages of: what is asked, and by whom.
///
/// A cursor of it names a position, and says whose listing it is. With another question, or in another hand, the position is the
/// same; but then it is another listing, which is recorded as one.
struct Listing: Sendable {
    /// The names of the parameters that choose a page.
    private static let paging: Set<Substring> = ["after", "before", "limit", "last"]
    /// How many bytes of a hash tell two listings apart.
    private static let nameByteCount = 8

    private let seal: CursorSeal
    private let use: String
    private let name: [UInt8]

    /// Takes the listing out of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: Who makes it.
    ///   - use: The route; positions of one are none of another.
    ///   - seal: What encrypts cursors.
    init(_ request: Request, _ context: AuditRequestContext, _ use: String, _ seal: CursorSeal) {
        self.seal = seal
        self.use = use
        var hash = SHA256()
        let parameters = request.uri.queryParameters.filter { !Self.paging.contains($0.key) }
            .map { (Array($0.key.utf8), Array($0.value.utf8)) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
        let texts =
            [
                Array(request.uri.path.utf8), Array((context.tokenID ?? "").utf8),
                Array((context.identity?.role ?? "").utf8),
            ]
            + parameters.flatMap { [$0.0, $0.1] }
        for text in texts {
            withUnsafeBytes(of: UInt64(text.count).bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: text)
        }
        name = Array(Array(hash.finalize()).prefix(Self.nameByteCount))
    }

    /// Makes the cursor of a position.
    ///
    /// - Throws: `AuditServerError.unavailable(reason:)`.
    func cursor(_ position: [UInt8]) throws(AuditServerError) -> String {
        try seal.text(name + position, for: use)
    }

    /// Reads a cursor; nil when it is none of this route.
    ///
    /// - Returns: The position, and whether it is one of this very listing, so that it was recorded.
    func position(_ cursor: String) -> (bytes: ArraySlice<UInt8>, isOfThis: Bool)? {
        guard let bytes = seal.bytes(cursor, for: use), bytes.count >= Self.nameByteCount else { return nil }
        return (bytes.dropFirst(Self.nameByteCount), bytes.starts(with: name))
    }

    /// Reads the cursor of a parameter, if there is one.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is none of this route.
    func position(
        _ name: String,
        of request: Request
    ) throws(AuditServerError) -> (bytes: ArraySlice<UInt8>, isOfThis: Bool)? {
        guard let text = request.query(name) else { return nil }
        guard let position = position(text) else { throw .foreignCursor(name) }
        return position
    }
}

extension AuditServerError {
    /// What somebody gets whose cursor is of another listing, or of no server of ours.
    static func foreignCursor(_ name: String) -> AuditServerError {
        .rejected(reason: "'\(name)' is no cursor of this listing; begin anew without it")
    }
}

import AuditModel
import AuditSearch
import HummingbirdCore

/// Which page of the results of a search a request asks for: the first, the one behind a position, or the one before a position.
struct ResultPaging: Sendable {
    /// The names of the parameters.
    static let names: Set<Substring> = ["order", "after", "before", "limit"]

    /// What the index is asked for.
    ///
    /// A page before a position is one of the opposite order, turned around.
    let range: SearchRange
    /// Whether nothing was recorded of this search yet: it is no further page of the same one.
    let isNew: Bool
    private let listing: Listing
    private let generation: UInt64
    private let after: SearchCursor?
    private let before: SearchCursor?

    /// Reads the page out of the query.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - listing: The search.
    ///   - generation: The generation of the index.
    ///   - order: `newest` or `oldest`, for a request that does not say it.
    ///   - limit: How many results a page has, for a request that does not say it.
    /// - Throws: `AuditServerError.rejected(reason:)` when it is malformed, or a position of another index.
    init(
        _ request: Request,
        _ listing: Listing,
        generation: UInt64,
        order: String,
        limit: Int
    ) throws(AuditServerError) {
        let word = request.query("order") ?? order
        guard ["newest", "oldest"].contains(word) else {
            throw .rejected(reason: "'order' is one of newest, oldest")
        }
        let (behind, front) = (try listing.position("after", of: request), try listing.position("before", of: request))
        after = try Self.cursor(behind?.bytes, generation, "after")
        before = try Self.cursor(front?.bytes, generation, "before")
        guard after == nil || before == nil else {
            throw .rejected(reason: "a page is 'after' a position or 'before' one, and not both")
        }
        range = SearchRange(
            isNewestFirst: (word == "newest") == (before == nil),
            after: after ?? before,
            limit: try request.number("limit", in: 1...500, default: limit)
        )
        isNew = !((behind ?? front)?.isOfThis ?? false)
        self.listing = listing
        self.generation = generation
    }

    private static func cursor(
        _ bytes: ArraySlice<UInt8>?,
        _ generation: UInt64,
        _ name: String
    ) throws(AuditServerError) -> SearchCursor? {
        guard let bytes else { return nil }
        // Numbers of another index, or of one that was made anew, mean other events here.
        guard let numbers = PositionBytes.numbers(bytes, count: 3), numbers[0] == generation else {
            throw .foreignCursor(name)
        }
        return SearchCursor(time: Int64(bitPattern: numbers[1]), number: Int64(bitPattern: numbers[2]))
    }

    /// The results of a page in the order that was asked for.
    func hits(of page: SearchPage) -> [SearchPage.Hit] { before == nil ? page.hits : page.hits.reversed() }

    /// What to ask for the page in front of this one; nil in front of the first result.
    func start(of page: SearchPage) throws(AuditServerError) -> String? {
        if before != nil { return try text(of: page.next) }
        guard let after else { return nil }
        return try text(of: page.hits.first?.cursor ?? after)
    }

    /// What to ask for the page behind this one; nil behind the last result.
    func end(of page: SearchPage) throws(AuditServerError) -> String? {
        if before == nil { return try text(of: page.next) }
        return try text(of: page.hits.first?.cursor ?? before)
    }

    /// What to ask for the page behind a result, or in front of it.
    func text(of cursor: SearchCursor?) throws(AuditServerError) -> String? {
        guard let cursor else { return nil }
        let numbers = [generation, UInt64(bitPattern: cursor.time), UInt64(bitPattern: cursor.number)]
        return try listing.cursor(PositionBytes.of(numbers))
    }
}
